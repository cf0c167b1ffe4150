package migrate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/migrate"
	"github.com/idemgen/idemgen/internal/model"
)

func TestNextIn(t *testing.T) {
	for _, tt := range []struct {
		style migrate.Style
		names string
		want  string
	}{
		{migrate.Goose, "", "00001_"},
		{migrate.GolangMigrate, "README.md", "000001_"},
		{migrate.Atlas, "atlas.sum", "00000000000001_"},
		{migrate.Plain, "schema.sql", "0001_"},
		{migrate.Goose, "00001_a.sql 00002_b.go", "00003_"},
		{migrate.Goose, "00009_a.sql 00002_b.sql", "00010_"},
		{migrate.Goose, "00001_a.sql 20261231235959_b.sql", "20261231235960_"},
		{migrate.GolangMigrate, "1_a.up.sql 1_a.down.sql", "2_"},
		{migrate.GolangMigrate, "000001_a.up.sql 000001_a.down.sql", "000002_"},
		{migrate.Atlas, "20261201093015.sql", "20261201093016_"},
		{migrate.Atlas, "20261201093015_a.sql atlas.sum", "20261201093016_"},
		{migrate.Plain, "001-a.sql 002-b.sql", "003-"},
		{migrate.Plain, "001__a.sql", "002__"},
		{migrate.Plain, "00100_a.sql 99999999999999999999999_b.sql 00101_c.sql", ""},
		{migrate.Plain, "0001_a.sql 18446744073709551615_b.sql", ""},
	} {
		got, err := migrate.NextIn(strings.Fields(tt.names), tt.style)
		if tt.want == "" { // a number that is too large for any tool sorts behind
			if order := (*migrate.OrderError)(nil); !errors.As(err, &order) {
				t.Errorf("%s after %q: got %q, %v, want an OrderError", tt.style, tt.names, got, err)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s after %q: got %q, %v, want %q", tt.style, tt.names, got, err, tt.want)
		}
	}
}

// sqlc reads files by name: the next one must be the last.
func TestNextInOrder(t *testing.T) {
	for names, last := range map[string]string{
		"1_a.sql 9_b.sql":           "9_b.sql",
		"99_a.sql 98_b.sql":         "99_a.sql",
		"2_a.sql 12_b.sql 13_c.sql": "2_a.sql",
	} {
		_, err := migrate.NextIn(strings.Fields(names), migrate.Goose)
		if order := (*migrate.OrderError)(nil); !errors.As(err, &order) || order.Last != last {
			t.Errorf("%s: got %v, want an OrderError about %s", names, err, last)
		}
	}
}

// A file is named after what changes.
func TestFileNames(t *testing.T) {
	other := inline("other", user)
	for name, tt := range map[string]struct {
		before, after []model.LockTable
	}{
		"1_keys.sql":                    {nil, []model.LockTable{inline("keys", tenant)}},
		"1_my_keys.sql":                 {nil, []model.LockTable{inline(`"Billing"."My ""keys"""`, tenant)}},
		"1_idempotency_keys.sql":        {nil, []model.LockTable{inline(`"🔑"`, tenant)}},
		"1_alter_keys.sql":              {[]model.LockTable{inline("keys", region(1)), other}, []model.LockTable{inline("keys", region(2)), other}},
		"1_alter_idempotency_keys.sql":  {[]model.LockTable{inline("keys", region(1))}, []model.LockTable{inline("keys", region(2)), other}},
		"1_unused_keys.sql":             {[]model.LockTable{inline("keys", tenant), other}, []model.LockTable{other}},
		"1_unused_idempotency_keys.sql": {[]model.LockTable{inline("keys", tenant), other}, nil},
	} {
		changes := migrate.Changes(tt.before, tt.after, schemas(t, tt.after))
		for _, style := range []migrate.Style{migrate.Goose, migrate.Atlas, migrate.Plain} {
			if got := style.Files("1_", "example.com/shop", changes)[0].Name; got != name {
				t.Errorf("%s: got %s, want %s", style, got, name)
			}
		}
		files := migrate.GolangMigrate.Files("1_", "example.com/shop", changes)
		stem := strings.TrimSuffix(name, ".sql")
		if len(files) != 2 || files[0].Name != stem+".up.sql" || files[1].Name != stem+".down.sql" {
			t.Errorf("golang-migrate: got %v", files)
		}
	}
}

// Whoever splits a file of goose's at semicolons outside of marked statements gets whole
// statements.
func TestGooseMarksFunctions(t *testing.T) {
	after := []model.LockTable{
		split(inline("keys", tenant), "responses"),
		split(inline("more", tenant), `"a;b $rotate$"`),
	}
	changes := migrate.Changes(nil, after, schemas(t, after))
	content := migrate.Goose.Files("1_", "example.com/shop", changes)[0].Content
	var marks []string
	inside := false
	for line := range strings.Lines(content) {
		switch line := strings.TrimSpace(line); {
		case strings.HasPrefix(line, "-- +goose "):
			marks = append(marks, strings.TrimPrefix(line, "-- +goose "))
			inside = line == "-- +goose StatementBegin"
		case !inside && (line == "BEGIN" || strings.HasPrefix(line, "RAISE ")):
			t.Errorf("%q stands outside of a statement", line)
		}
	}
	statement := []string{"StatementBegin", "StatementEnd"}
	want := slices.Concat([]string{"Up"}, statement, statement, []string{"Down"})
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
