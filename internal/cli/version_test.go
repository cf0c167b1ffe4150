package cli

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVersions(t *testing.T) {
	tools := []*debug.Module{
		{Path: "github.com/oapi-codegen/oapi-codegen/v2", Version: "v2.8.2"},
		{Path: "github.com/sqlc-dev/sqlc", Version: "v1.31.1", Replace: &debug.Module{Version: "v1.31.2"}},
	}
	stamp := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0f5c1d"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, tt := range []struct {
		name, version string
		settings      []debug.BuildSetting
		want          string
	}{
		{"a release", "v1.2.3", nil, "v1.2.3"},
		{"a checkout", "v0.0.0-20261207113339-0f5c1d", stamp("false"), "v0.0.0-20261207113339-0f5c1d (commit 0f5c1d)"},
		{"a changed checkout", "v0.0.0-20261207113339-0f5c1d+dirty", stamp("true"), "v0.0.0-20261207113339-0f5c1d+dirty (commit 0f5c1d-dirty)"},
		{"a checkout without a version", "(devel)", stamp("false"), "devel (commit 0f5c1d)"},
		{"go run", "(devel)", nil, "devel (built from a checkout, commit not recorded: go run -buildvcs=true and go build -buildvcs=true record it)"},
	} {
		var b strings.Builder
		if err := printVersions(&b, &debug.BuildInfo{Main: debug.Module{Version: tt.version}, Deps: tools, Settings: tt.settings}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("idemgen "+tt.want+"\nsqlc v1.31.2\noapi-codegen v2.8.2\n", b.String()); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	var b strings.Builder
	if err := printVersions(&b, &debug.BuildInfo{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("idemgen (unknown)\nsqlc (unknown)\noapi-codegen (unknown)\n", b.String()); diff != "" {
		t.Error(diff)
	}
}
