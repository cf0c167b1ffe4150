package expand_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/expand"
)

// A document that will lie elsewhere refers to the other files from there.
func TestPublishedElsewhere(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "files.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(unpack(t, archive))
	d := load(t, "openapi.yaml", "")
	d.source.Way = "../../api"
	result, err := expand.Published(d.source, d.operations)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"$ref: '../../api/models/a.yaml#/Order'",
		"$ref: '../../api/paths/more.yaml#/order'",
		"$ref: '#/components/headers/IdempotentReplayed'",
	} {
		if !strings.Contains(string(result.Text), want) {
			t.Errorf("%s is missing in\n%s", want, result.Text)
		}
	}
	if strings.Contains(string(result.Text), "'models/") {
		t.Errorf("a reference was left as it was:\n%s", result.Text)
	}
}
