package expand_test

import (
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/expand"
	"github.com/idemgen/idemgen/internal/goldentest"
)

// A document that is written to another folder has references relative to that folder.
func TestPublishedElsewhere(t *testing.T) {
	t.Chdir(goldentest.Read(t, "testdata/files.txtar", sections...).Unpack(t))
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
