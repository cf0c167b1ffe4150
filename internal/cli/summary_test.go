package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
)

func TestSummary(t *testing.T) {
	var many []string
	for i := range named + 2 {
		many = append(many, fmt.Sprintf("%d.go", i))
	}
	for _, tt := range []struct {
		name    string
		written output.Written
		steps   []string
		want    string
	}{
		{"nothing", output.Written{Unchanged: 8}, nil, "unchanged: 8 files\n"},
		{
			"everything",
			output.Written{Created: []string{"a"}, Updated: []string{"b", "c"}, Removed: []string{"d"}, Unchanged: 1},
			[]string{"do this", "do that"},
			"created 1 file:\n  a\nupdated 2 files:\n  b\n  c\nremoved 1 file:\n  d\nunchanged: 1 file\n\nNext:\n  do this\n  do that\n",
		},
		{
			"more than a screen has room for",
			output.Written{Created: many},
			nil,
			"created 12 files:\n  " + strings.Join(many[:named], "\n  ") + "\n  and 2 more\n",
		},
	} {
		if diff := cmp.Diff(tt.want, summary(tt.written, tt.steps)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestNextSteps(t *testing.T) {
	const (
		bare     = "module example.com/shop\n"
		requires = bare + "require github.com/idemgen/idemgen/idem v1.0.0\n"
		schema   = "db/schema.sql"
		server   = "api/idempotent.gen.go"

		tidy = "run go mod tidy: go.mod does not require github.com/idemgen/idemgen/idem yet"
	)
	for _, tt := range []struct {
		name, goMod string
		written     output.Written
		migration   *gen.Migration
		want        []string
	}{
		{"first run", bare, output.Written{Created: []string{server, schema}}, &gen.Migration{Changes: []string{"keys is created"}, Schema: schema}, []string{
			"apply db/schema.sql to your database", "  keys is created", tidy,
			"implement Resolver and Operations, which are in api/idempotent.gen.go,", "and pass them to NewIdempotentServer",
		}},
		{"changed tables", requires, output.Written{Updated: []string{server, schema}}, &gen.Migration{Changes: []string{"keys: a", "keys: b"}, Schema: schema, SQL: "BEGIN;"}, []string{
			"run the SQL below on your database", "  keys: a", "  keys: b",
		}},
		{"tables come and go", requires, output.Written{Updated: []string{server, schema}}, &gen.Migration{Changes: []string{"keys is created"}, Unused: []string{"old is not used any more"}, Schema: schema}, []string{
			"apply db/schema.sql to your database", "  keys is created",
			"drop by hand, when no instance uses it and none of its keys can be sent again:", "  old is not used any more",
		}},
		{"a table goes", requires, output.Written{Updated: []string{server, schema}}, &gen.Migration{Unused: []string{"old is not used any more"}, Schema: schema}, []string{
			"drop by hand, when no instance uses it and none of its keys can be sent again:", "  old is not used any more",
		}},
		{"migration", bare, output.Written{Updated: []string{server}}, &gen.Migration{Changes: []string{"keys: a"}, File: "db/1_keys.sql", Command: "migrate up"}, []string{
			"apply db/1_keys.sql: migrate up", "  keys: a", tidy,
		}},
		{"changed comments", requires, output.Written{Updated: []string{server, schema}}, nil, []string{
			"apply db/schema.sql again: its text has changed, its tables have not",
		}},
		{"changed code", requires, output.Written{Updated: []string{server}}, nil, nil},
		{"not tidied yet", bare, output.Written{Unchanged: 2}, nil, []string{tidy}},
		{"the runtime's own module", "module github.com/idemgen/idemgen/idem\n", output.Written{}, nil, nil},
		{"what is no go.mod", "module \"x", output.Written{}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(tt.goMod), 0o600); err != nil {
				t.Fatal(err)
			}
			at := func(name string) config.Path { return config.Path{Display: name, Abs: filepath.Join(dir, name)} }
			c := &config.Config{Schema: at(schema), Server: config.Server{Out: at("api")}}
			files := []output.File{{
				Path: at(server).Abs, Display: server,
				Content: []byte("package api\ntype Resolver interface{}\ntype Scope struct{}\ntype Operations interface{ F() }\ntype inner interface{}\n"),
			}}
			if diff := cmp.Diff(tt.want, nextSteps(c, files, tt.written, tt.migration)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
