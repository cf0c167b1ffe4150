package generate

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	const decorator, keys = "internal/api/idempotent.gen.go", "internal/keysdb/db.go"
	for _, test := range []struct {
		name   string
		change func(*project)
		code   int
		says   []string // on stdout, lines among others
	}{
		{"nothing has changed", func(*project) {}, 0, nil},
		{
			"a generated file was edited", func(p *project) { p.replace(decorator, `Name: "Idempotency-Key"`, `Name: "Idempotent-Key"`) }, 1,
			[]string{"--- " + decorator, "+++ " + decorator, `-	Key:          idemrt.KeyRule{Name: "Idempotent-Key", Required: true},`, `+	Key:          idemrt.KeyRule{Name: "Idempotency-Key", Required: true},`},
		},
		{"a generated file was removed", func(p *project) { p.remove(keys) }, 1, []string{"--- /dev/null", "+++ " + keys}},
		{"the lock was removed", func(p *project) { p.remove("idemgen.lock.yaml") }, 1, nil},
		{
			"the document was edited", func(p *project) { p.replace("api.yaml", "window: 72h", "window: 24h") }, 1,
			[]string{"--- " + decorator, "--- idemgen.lock.yaml", "-    window: 72h", "+    window: 24h"},
		},
		{
			"a file is generated no more", func(p *project) { p.replace("idemgen.yaml", "schema/idempotency.sql", "schema/keys.sql") }, 1,
			[]string{"--- schema/idempotency.sql", "+++ /dev/null", "+++ schema/keys.sql"},
		},
		{"the document is wrong", func(p *project) { p.replace("api.yaml", "body.sku", "body.sko") }, 1, nil},
		{"a file of somebody else's was edited", func(p *project) { p.write("internal/api/mine.go", "package api\n") }, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.generate()
			test.change(p)
			before := tree(t, p.folder)
			got := p.run("check")
			p.expectUnchanged(before)
			p.expectNoScratch()
			if got.code != test.code || (got.stdout == "") != (test.says == nil) || (got.stderr == "") != (test.code == 0) {
				t.Errorf("got %+v, want exit code %d", got, test.code)
			}
			for _, line := range test.says {
				if !strings.Contains("\n"+got.stdout, "\n"+line+"\n") {
					t.Errorf("the line %q is not in\n%s", line, got.stdout)
				}
			}
		})
	}
}

// What check finds, generate mends.
func TestGenerateMends(t *testing.T) {
	p := newProject(t)
	p.generate()
	want := tree(t, p.folder)
	p.remove("queries/idempotency.sql")
	p.replace("internal/api/api.gen.go", "package api", "package api // mine")
	p.generate()
	got := tree(t, p.folder)
	for name := range got {
		if got[name].Content != want[name].Content || got[name].Mode != want[name].Mode {
			t.Errorf("%s is not what it was", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files and folders, want %d", len(got), len(want))
	}
	if again := p.run("check"); again.code != 0 {
		t.Errorf("check after generate: %+v", again)
	}
}
