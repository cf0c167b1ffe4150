package deploy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
)

// release is one version of the service, compiled.
type release struct {
	module  consumer.Module
	program string
}

// releases are what is deployed, one after another. Each is generated over the
// lock file of the one before.
type releases struct {
	old     release // fingerprint version 1
	new     release // version 2: one more field, and another default
	retired release // version 2 alone

	migration string // that generate has printed for new
}

// What a release changes in the document of the one before: what → with what.
var (
	newFields = []string{
		"version: 1", "version: 2",
		"fields: [body.amount, body.currency]", "fields: [body.amount, body.currency, body.purpose]",
		"default: EUR", "default: CHF",
		"note: {type: string}", "note: {type: string}\n                purpose: {type: string}",
	}
	retireOld = []string{"version: 2", "version: 2\n          since: 2020-01-01\n          retired: [1]"}
)

func build(t *testing.T) releases {
	t.Helper()
	document, err := os.ReadFile(filepath.Join("testdata", "api.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	old := newModule(t, string(document), "")
	old.MustGenerate()
	next := newModule(t, edit(t, string(document), newFields), lock(old))
	next.MustGenerate()
	last := newModule(t, edit(t, next.Read("api.yaml"), retireOld), lock(next))
	last.MustGenerate()
	return releases{
		old:     release{old, old.Build()},
		new:     release{next, next.Build()},
		retired: release{last, last.Build()},
	}
}

// newModule returns the service with a document, over the lock of the release
// before.
func newModule(t *testing.T, document, lock string) consumer.Module {
	t.Helper()
	module := consumer.New(t, "example.com/transfers", filepath.Join("testdata", "service"))
	module.Write("api.yaml", document)
	if lock != "" {
		module.Write("idemgen.lock.yaml", lock)
	}
	return module
}

func lock(module consumer.Module) string { return module.Read("idemgen.lock.yaml") }

// edit replaces each even one of changes by the odd one after it.
func edit(t *testing.T, document string, changes []string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		if strings.Count(document, changes[i]) != 1 {
			t.Fatalf("the document does not have %q once", changes[i])
		}
	}
	return strings.NewReplacer(changes...).Replace(document)
}

// TestRefusedReleases generates what must not be deployed.
func TestRefusedReleases(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("testdata", "api.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	old := newModule(t, string(document), "")
	old.MustGenerate()
	next := newModule(t, edit(t, string(document), newFields), lock(old))
	next.MustGenerate()
	for name, refused := range map[string]struct {
		before  consumer.Module
		changes []string
		want    string
	}{
		"fields changed in silence": {old, newFields[2:], `- body.currency (string, default "EUR"), + body.currency (string, default "CHF"), + body.purpose (string); restore them, or write fingerprint: {version: 2, ...}`},
		"the document is taken back without its lock": {next, []string{
			"version: 2", "version: 1",
		}, "write version: 2; to go back to an earlier state of the document, restore idemgen.lock.yaml from version control too"},
		"retired too early": {next, []string{
			"version: 2", "version: 2\n          since: 2999-01-01\n          retired: [1]",
		}, "retire it on 2999-01-04 or later"},
		"a field is gone that old records need": {old, []string{
			"version: 1", "version: 2",
			"fields: [body.amount, body.currency]", "fields: [body.amount]",
			"                currency: {type: string, default: EUR}\n", "",
		}, `version 1 of "createTransfer" needs body.currency as string, which the document does not have any more; keep it as it was until version 1 can be retired`},
	} {
		t.Run(name, func(t *testing.T) {
			module := newModule(t, edit(t, refused.before.Read("api.yaml"), refused.changes), lock(refused.before))
			diagnostics, generated := module.Generate()
			if generated || !strings.Contains(diagnostics, refused.want) {
				t.Errorf("generated: %t; got\n%s\nwant %q", generated, diagnostics, refused.want)
			}
			if lock(module) != lock(refused.before) {
				t.Error("the lock was changed")
			}
		})
	}
}
