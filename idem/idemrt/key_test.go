package idemrt

import (
	"errors"
	"strings"
	"testing"
)

func TestDecodeKey(t *testing.T) {
	for value, want := range map[string]string{
		`8e03978e`:          `8e03978e`,
		`"8e03978e"`:        `8e03978e`,
		"  \"8e03978e\"\t ": `8e03978e`,
		` 8e03978e `:        `8e03978e`,
		`"a\"b\\c"`:         `a"b\c`,
		`a\b`:               `a\b`,
		`a"b`:               `a"b`,
		`a;b=c`:             `a;b=c`,
		``:                  ``,
		`""`:                ``,
		`!~`:                `!~`,
	} {
		got, err := decodeKey(value)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", value, got, err, want)
		}
	}
}

func TestDecodeKeyRefuses(t *testing.T) {
	for _, value := range []string{
		`"`, `"a`, `"a\"`, `"a\`, `"a\b"`, `"a"b`, `"a"b"`, `"a";x=1`, `"a", "b"`, `"a" x`,
		`a b`, `"a b"`, "a\x00", "a\x7f", "a\nb", "ä", `"ä"`, "a, b",
	} {
		if got, err := decodeKey(value); err == nil {
			t.Errorf("%q: got %q, want an error", value, got)
		}
	}
}

func FuzzDecodeKey(f *testing.F) {
	for _, seed := range []string{`a`, `"a"`, `"a\"b\\"`, ` "a" `, `"a";b`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := decodeKey(value)
		if err != nil {
			return
		}
		for i := range len(key) {
			if key[i] < 0x21 || key[i] > 0x7e {
				t.Fatalf("%q: byte %#x in key %q", value, key[i], key)
			}
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, err := decodeKey(quoted); err != nil || again != key {
			t.Fatalf("%q: quoted as %s is %q, %v", key, quoted, again, err)
		}
	})
}

func TestKeyRules(t *testing.T) {
	const uuid = "8E03978E-40D5-43E8-BC93-6894A57F9324"
	for name, test := range map[string]struct {
		rule  KeyRule
		value string
		code  string // of the problem; "" is none
	}{
		"bare":             {KeyRule{}, "k", ""},
		"longest":          {KeyRule{}, strings.Repeat("k", 255), ""},
		"too long":         {KeyRule{}, strings.Repeat("k", 256), "idempotency_key_invalid"},
		"longest, quoted":  {KeyRule{MaxLength: 3}, `"a\"b"`, ""},
		"too long, quoted": {KeyRule{MaxLength: 2}, `"a\"b"`, "idempotency_key_invalid"},
		"too short":        {KeyRule{MinLength: 4}, `"abc"`, "idempotency_key_invalid"},
		"empty":            {KeyRule{}, "", "idempotency_key_invalid"},
		"empty, quoted":    {KeyRule{}, `""`, "idempotency_key_invalid"},
		"blank":            {KeyRule{}, "   ", "idempotency_key_invalid"},
		"empty, optional":  {KeyRule{Required: false}, "", "idempotency_key_invalid"},
		"parameters":       {KeyRule{}, `"k";a=1`, "idempotency_key_invalid"},
		"uuid":             {KeyRule{Format: "uuid"}, uuid, ""},
		"uuid, quoted":     {KeyRule{Format: "uuid"}, `"` + uuid + `"`, ""},
		"not a uuid":       {KeyRule{Format: "uuid"}, uuid[1:], "idempotency_key_invalid"},
		"uuid and more":    {KeyRule{Format: "uuid"}, uuid + "0", "idempotency_key_invalid"},
		"pattern":          {KeyRule{Pattern: "^[a-z]+$"}, `"abc"`, ""},
		"pattern not met":  {KeyRule{Pattern: "^[a-z]+$"}, "abc1", "idempotency_key_invalid"},
		"pattern anywhere": {KeyRule{Pattern: "b"}, "abc", ""},

		"body":                  {KeyRule{InBody: true}, "ключ 🔑", ""},
		"body, quoted":          {KeyRule{InBody: true}, `"`, ""},
		"body, blank":           {KeyRule{InBody: true}, " ", ""},
		"body, empty":           {KeyRule{InBody: true}, "", "idempotency_key_invalid"},
		"body, longest":         {KeyRule{InBody: true}, strings.Repeat("🔑", 255), ""},
		"body, too long":        {KeyRule{InBody: true}, strings.Repeat("é", 256), "idempotency_key_invalid"},
		"body, too many bytes":  {KeyRule{InBody: true, MaxLength: 300}, strings.Repeat("🔑", 256), "idempotency_key_invalid"},
		"body, NUL":             {KeyRule{InBody: true}, "a\x00", "idempotency_key_invalid"},
		"body, no Unicode":      {KeyRule{InBody: true}, "a\xff", "idempotency_key_invalid"},
		"body, was no Unicode":  {KeyRule{InBody: true}, "a\uFFFD", "idempotency_key_invalid"},
		"body, pattern not met": {KeyRule{InBody: true, Pattern: "^[a-z]+$"}, "a ", "idempotency_key_invalid"},
		"body, in characters":   {KeyRule{InBody: true, MinLength: 2, MaxLength: 2}, "éé", ""},
		"body, too few":         {KeyRule{InBody: true, MinLength: 3}, "éé", "idempotency_key_invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			op := operation(func(d *testDefinition) { d.Key = test.rule })
			_, err := op.rules.keyOf(&test.value)
			if got := codeOf(err); got != test.code {
				t.Errorf("got %q, want %q", got, test.code)
			}
		})
	}
}

func TestKeyMissing(t *testing.T) {
	if _, err := operation(nil).rules.keyOf(nil); codeOf(err) != "idempotency_key_missing" {
		t.Errorf("required: got %v", err)
	}
	optional := operation(func(d *testDefinition) { d.Key.Required = false })
	if key, err := optional.rules.keyOf(nil); key != "" || err != nil {
		t.Errorf("optional: got %q, %v", key, err)
	}
}

func codeOf(err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return r.problem.code
	}
	return ""
}
