package diag_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
)

func at(file string, line, column int) diag.Position {
	return diag.Position{File: file, Line: line, Column: column}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		pos   diag.Position
		text  string
		valid bool
	}{
		{at("a.yaml", 3, 7), "a.yaml:3:7", true},
		{at("a.yaml", 3, 0), "a.yaml:3", false},
		{at("a.yaml", 0, 0), "a.yaml", false},
		{at("", 3, 7), ":3:7", false},
		{diag.Position{}, "", false},
	}
	for _, tt := range tests {
		if got := tt.pos.String(); got != tt.text {
			t.Errorf("%#v: got %q, want %q", tt.pos, got, tt.text)
		}
		if got := tt.pos.Valid(); got != tt.valid {
			t.Errorf("%#v: valid is %v, want %v", tt.pos, got, tt.valid)
		}
	}
}

func TestDiagnosticString(t *testing.T) {
	tests := []struct {
		d    diag.Diagnostic
		want string
	}{
		{diag.Errorf(at("a.yaml", 1, 2), "write %d", "%s is odd", "x"), "a.yaml:1:2: x is odd; write %d"},
		{diag.Errorf(at("a.yaml", 1, 2), "", "odd"), "a.yaml:1:2: odd"},
		{diag.Warnf(at("a.yaml", 1, 2), "fix it", "odd"), "a.yaml:1:2: warning: odd; fix it"},
		{diag.Errorf(diag.Position{}, "", "odd"), "odd"},
		{diag.Errorf(at("a.yaml", 1, 2), "two\nlines", "three\r\n\nlines"), "a.yaml:1:2: three lines; two lines"},
	}
	for _, tt := range tests {
		if got := tt.d.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestListSortsAndDropsRepetitions(t *testing.T) {
	var list diag.List
	list.Errorf(at("b.yaml", 1, 1), "", "five")
	list.Errorf(at("a.yaml", 10, 1), "", "four")
	list.Errorf(at("a.yaml", 9, 2), "", "three")
	list.Warnf(at("a.yaml", 9, 1), "", "two")
	list.Errorf(at("a.yaml", 9, 1), "", "one")
	list.Errorf(at("a.yaml", 9, 1), "", "one")
	list.Sort()
	want := strings.Join([]string{
		"a.yaml:9:1: one",
		"a.yaml:9:1: warning: two",
		"a.yaml:9:2: three",
		"a.yaml:10:1: four",
		"b.yaml:1:1: five",
	}, "\n")
	if diff := cmp.Diff(want, list.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestListErr(t *testing.T) {
	var list diag.List
	if err := list.Err(); err != nil {
		t.Errorf("an empty list is an error: %v", err)
	}
	list.Warnf(at("a.yaml", 2, 1), "", "careful")
	if list.HasErrors() || list.Err() != nil {
		t.Error("a warning is an error")
	}
	list.Errorf(at("a.yaml", 1, 1), "", "wrong")
	err := fmt.Errorf("load: %w", list.Err())
	var found diag.List
	if !errors.As(err, &found) {
		t.Fatal("the list is not found by errors.As")
	}
	if diff := cmp.Diff("a.yaml:1:1: wrong\na.yaml:2:1: warning: careful", found.Error()); diff != "" {
		t.Error(diff)
	}
	if list[0].Severity != diag.Warning {
		t.Error("Err sorted the list of its caller")
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"scope", "name", "key", "fingerprint", "final", "replay", "inFlight", "status", "maxBody", "mode", "strict"}
	tests := []struct{ name, want string }{
		{"scpoe", "scope"},
		{"Scope", "scope"},
		{"INFLIGHT", "inFlight"},
		{"fingerprnt", "fingerprint"},
		{"max_body", "maxBody"},
		{"kei", "key"},
		{"xyz", ""},
		{"", ""},
		{"window", ""},
		{strings.Repeat("scope", 1000), ""},
	}
	for _, tt := range tests {
		got, ok := diag.Nearest(tt.name, keys)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", tt.name, got, ok, tt.want)
		}
	}
	if got, _ := diag.Nearest("id", []string{"", "ix", "id"}); got != "id" {
		t.Errorf("the closest candidate is not chosen, but %q", got)
	}
}

func TestDidYouMean(t *testing.T) {
	tests := []struct {
		name       string
		candidates []string
		want       string
	}{
		{"acount", []string{"provider", "account"}, `did you mean "account"?`},
		{"zzz", []string{"provider", "account"}, "use one of: account, provider"},
		{"zzz", []string{"account"}, `the only name known here is "account"`},
		{"zzz", nil, ""},
		{"zzz", strings.Split(strings.Repeat("account ", 21), " ")[:21], ""},
	}
	for _, tt := range tests {
		if got := diag.DidYouMean(tt.name, tt.candidates); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestPrint(t *testing.T) {
	files := map[string]string{
		"a.yaml":    "x:\r\n\tscpoe: é\n",
		"long.yaml": strings.Repeat("x", 500),
	}
	read := func(name string) ([]byte, error) {
		if s, ok := files[name]; ok {
			return []byte(s), nil
		}
		return nil, fs.ErrNotExist
	}
	var list diag.List
	list.Errorf(at("a.yaml", 2, 2), "did you mean \"scope\"?", "unknown key")
	list.Warnf(at("a.yaml", 2, 9), "", "accent")
	list.Errorf(at("a.yaml", 2, 99), "", "outside of the line")
	list.Errorf(at("a.yaml", 99, 1), "", "outside of the file")
	list.Errorf(at("long.yaml", 1, 1), "", "too long")
	list.Errorf(at("gone.yaml", 1, 1), "", "not there")
	list.Errorf(diag.Position{}, "", "nowhere")

	plain := `a.yaml:2:2: unknown key; did you mean "scope"?
a.yaml:2:99: outside of the line
a.yaml:99:1: outside of the file
long.yaml:1:1: too long
gone.yaml:1:1: not there
nowhere
a.yaml:2:9: warning: accent
6 errors, 1 warning
`
	if diff := cmp.Diff(plain, printed(t, list, nil)); diff != "" {
		t.Errorf("without files: %s", diff)
	}
	want := `a.yaml:2:2: unknown key; did you mean "scope"?
    2 |  scpoe: é
      |  ^
a.yaml:2:99: outside of the line
a.yaml:99:1: outside of the file
long.yaml:1:1: too long
gone.yaml:1:1: not there
nowhere
a.yaml:2:9: warning: accent
    2 |  scpoe: é
      |         ^
6 errors, 1 warning
`
	if diff := cmp.Diff(want, printed(t, list, read)); diff != "" {
		t.Error(diff)
	}
}

// Diagnostics that belong together are one, and errors without a group never are.
func TestPrintFolds(t *testing.T) {
	undecided := func(severity diag.Severity, operation, field string, line int) diag.Diagnostic {
		return diag.Diagnostic{
			Pos: at("a.yaml", line, 3), Severity: severity, Message: field + " of " + operation + " is undecided",
			Remedy: "decide it", Group: "undecided " + operation, Item: field,
		}
	}
	list := diag.List{
		diag.Warnf(at("a.yaml", 1, 1), "remove it", "not valid"),
		undecided(diag.Warning, "POST /a", "body.x", 2),
		undecided(diag.Warning, "POST /b", "body.x", 3),
		undecided(diag.Warning, "POST /a", "body.y", 4),
		undecided(diag.Error, "POST /a", "body.strict", 5),
		diag.Warnf(at("a.yaml", 6, 1), "remove it", "not valid"),
		diag.Warnf(at("b.yaml", 6, 1), "remove it", "not valid"),
		diag.Warnf(at("b.yaml", 7, 1), "remove it", "not valid either"),
		diag.Errorf(at("a.yaml", 8, 1), "", "twice"),
		diag.Errorf(at("a.yaml", 9, 1), "", "twice"),
	}
	want := `a.yaml:5:3: body.strict of POST /a is undecided; decide it
a.yaml:8:1: twice
a.yaml:9:1: twice
a.yaml:1:1: warning: not valid; remove it
    and 2 more: 6:1, b.yaml:6:1
a.yaml:2:3: warning: body.x of POST /a is undecided; decide it
    and 1 more: body.y (4:3)
a.yaml:3:3: warning: body.x of POST /b is undecided; decide it
b.yaml:7:1: warning: not valid either; remove it
3 errors, 7 warnings
`
	if diff := cmp.Diff(want, printed(t, list, nil)); diff != "" {
		t.Error(diff)
	}
}

// However many there are, all are named, and no line is too long to read.
func TestPrintFoldsManyInLines(t *testing.T) {
	var list diag.List
	for i := range 227 {
		item := fmt.Sprintf("body.field_%d", i)
		list.Add(diag.Diagnostic{Pos: at("a.yaml", i+1, 9), Severity: diag.Warning, Message: item + " is undecided", Group: "undecided", Item: item})
	}
	got := printed(t, list, nil)
	for i := range 227 {
		if !strings.Contains(got, fmt.Sprintf("body.field_%d ", i)) {
			t.Errorf("field %d is not named", i)
		}
	}
	for line := range strings.Lines(got) {
		if len(line) > 101 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	if len(got) > 8000 {
		t.Errorf("%d bytes", len(got))
	}
	if printed(t, list[:1], nil) != "a.yaml:1:9: warning: body.field_0 is undecided\n" {
		t.Error("a single one is counted")
	}
}

func printed(t *testing.T, list diag.List, read diag.ReadFile) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Print(&b, list, read); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
