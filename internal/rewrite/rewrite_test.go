package rewrite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/spec"
)

func parsed(t *testing.T, file, text string) *spec.Node {
	t.Helper()
	root, problems := spec.Parse(file, []byte(text))
	if root == nil {
		t.Fatal(problems)
	}
	return root
}

// Each case changes have into what wanted says, in JSON or YAML of any form, and
// expects the text.
func TestApply(t *testing.T) {
	for _, test := range []struct{ name, file, have, wanted, want string }{
		{"nothing", "a.yaml", "a:   1 # one\n", "{a: 1}", "a:   1 # one\n"},
		{"entry behind", "a.yaml", "a: 1 # one\n\n# two\nb: 2\n", "{a: 1, c: 3, b: 2}", "a: 1 # one\nc: 3\n\n# two\nb: 2\n"},
		{"entry at the end, no line break", "a.yaml", "a: 1", "{a: 1, c: 3}", "a: 1\nc: 3"},
		{"entry in front", "a.yaml", "# first\na: 1\n", "{c: 3, a: 1}", "# first\nc: 3\na: 1\n"},
		{"entry in front, under a key", "a.yaml", "k: # here\n  # first\n  a: 1\n", "{k: {c: 3, a: 1}}", "k: # here\n  c: 3\n  # first\n  a: 1\n"},
		{"entry in front, under a dash", "a.yaml", "- a: 1\n  b: 2\n", "[{c: 3, a: 1, b: 2}]", "- c: 3\n  a: 1\n  b: 2\n"},
		{"deep and behind at one place", "a.yaml", "a:\n  b: 1\nz: 0\n", "{a: {b: 1, c: 2}, d: 3, z: 0}", "a:\n  b: 1\n  c: 2\nd: 3\nz: 0\n"},
		{"block in block", "a.yaml", "a:\n    b: 1\n", "{a: {b: 1}, c: {d: {e: [x, {v: z, w: [1]}]}}}", "a:\n    b: 1\nc:\n    d:\n        e:\n            - x\n            - v: z\n              w: [1]\n"},
		{"entry goes", "a.yaml", "a: 1\nb: # why\n  - 2\nc: 3\n", "{a: 1, c: 3}", "a: 1\nc: 3\n"},
		{"first goes", "a.yaml", "a: 1\nb: 2\n", "{b: 2}", "b: 2\n"},
		{"last goes", "a.yaml", "a: 1\nb: 2", "{a: 1}", "a: 1"},
		{"first behind a dash goes", "a.yaml", "- a: 1\n  b: 2\n", "[{b: 2}]", "- b: 2\n"},
		{"all go", "a.yaml", "k:\n  a: 1\nl: 2\n", "{k: {}, l: 2}", "k: {}\nl: 2\n"},
		{"scalar", "a.yaml", "a:  false # no\nb: 2\n", "{a: true, b: 2}", "a:  true # no\nb: 2\n"},
		{"nothing becomes something", "a.yaml", "a:\nb: 2\n", "{a: {c: d}, b: 2}", "a:\n  c: d\nb: 2\n"},
		{"scalar becomes block", "a.yaml", "a: 1\nb: 2\n", "{a: {c: d}, b: 2}", "a:\n  c: d\nb: 2\n"},
		{"block becomes scalar", "a.yaml", "a:\n  c: d\nb: 2\n", "{a: x, b: 2}", "a: x\nb: 2\n"},
		{"literal", "a.yaml", "a: |\n  # no comment\n\n  x\n\n# comment\nb: 2\n", "{a: \"# no comment\\n\\nx\\n\", c: 3, b: 2}", "a: |\n  # no comment\n\n  x\nc: 3\n\n# comment\nb: 2\n"},
		{"literal that keeps", "a.yaml", "a: |+\n  x\n\nb: 2\n", "{a: \"x\\n\\n\", c: 3, b: 2}", "a: |+\n  x\n\nc: 3\nb: 2\n"},
		{"folded over quotes and plain", "a.yaml", "a: x\n  y # z\nb: 'it''s\n\n  so'\nc: \"\\\"\n  z\"\n", `{a: x y, m: 1, b: "it's\nso", o: 2, c: '" z', p: 3}`, "a: x\n  y # z\nm: 1\nb: 'it''s\n\n  so'\no: 2\nc: \"\\\"\n  z\"\np: 3\n"},
		{"new texts", "a.yaml", "a: 'x'\n", `{a: x, b: "yes", c: "1", d: "x: y", e: "it's", f: "a\nb\n", g: "a\tb", h: ""}`, "a: 'x'\nb: 'yes'\nc: '1'\nd: 'x: y'\ne: it's\nf: |\n  a\n  b\ng: \"a\\tb\"\nh: ''\n"},
		{"items", "a.yaml", "a:\n- 1 # one\n- 2\n- 3\nb: 2\n", "{a: [0, 1, 5, 3, 4], b: 2}", "a:\n- 0\n- 1 # one\n- 5\n- 3\n- 4\nb: 2\n"},
		{"items go", "a.yaml", "a:\n  - 1\n  - 2\n  -\n    x: y\n", "{a: [{x: y}]}", "a:\n  -\n    x: y\n"},
		{"item becomes block", "a.yaml", "a:\n  - $ref: '#/x'\n  - {$ref: '#/y'}\n", "{a: [{$ref: '#/x'}, {b: {c: 1}, d: 2}]}", "a:\n  - $ref: '#/x'\n  - b:\n      c: 1\n    d: 2\n"},
		{"braces", "a.yaml", "a: {b: 1, c: 2} # x\n", "{a: {b: 1, d: [x, 'y, z'], c: 2, e: {}}}", "a: {b: 1, d: [x, 'y, z'], c: 2, e: {}} # x\n"},
		{"braces, in front and removed", "a.yaml", "a: {b: 1, c: 2}\n", "{a: {d: 0, c: 2}}", "a: {d: 0, c: 2}\n"},
		{"braces over lines", "a.yaml", "a: {\n  b: 1,\n  c: 2\n}\n", "{a: {b: 1, c: 2, d: {e: 3}}}", "a: {\n  b: 1,\n  c: 2,\n  d: {\n    e: 3\n  }\n}\n"},
		{"braces that get too long", "a.yaml", "a: {b: '1'} # x\n", "{a: {b: '1', c: {d: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb]}}}", "a:\n  b: '1'\n  c:\n    d:\n      - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n      - bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb # x\n"},
		{"leafs in braces", "a.yaml", "a: {b: 1}\n", "{a: {b: 1}, c: {d: e, f: g}}", "a: {b: 1}\nc: {d: e, f: g}\n"},
		{"line breaks", "a.yaml", "a: 1\r\nb:\r\n  c: 2\r\n", "{a: 1, b: {c: 2, d: {e: 3}}}", "a: 1\r\nb:\r\n  c: 2\r\n  d:\r\n    e: 3\r\n"},
		{"byte order mark", "a.yaml", "\ufeffa: 1\n", "{a: 2}", "\ufeffa: 2\n"},
		{"columns are code points", "a.yaml", "ä: {ö: 'ß', ü: €} # ü\n", "{ä: {ö: 'ß', ü: 1}}", "ä: {ö: 'ß', ü: 1} # ü\n"},
		{"anchor that changes", "a.yaml", "a: &x\n  b: 1\nc: *x\nd: *x # d\n", "{a: {b: 2}, c: {b: 1}, d: {b: 1}}", "a: &x\n  b: 2\nc:\n  b: 1\nd:\n  b: 1 # d\n"},
		{"alias that changes", "a.yaml", "a: &x\n  b: 1\nc: *x\nd: *x # d\n", "{a: {b: 1}, c: {b: 2}, d: {b: 1}}", "a: &x\n  b: 1\nc:\n  b: 2\nd: *x # d\n"},
		{"merged stays", "a.yaml", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", "{a: {b: 1}, c: {d: 3, b: 1, e: 4}}", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 3\n  e: 4\n"},
		{"merged changes", "a.yaml", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", "{a: {b: 1}, c: {d: 2, b: 3}}", "a: &x\n  b: 1\nc:\n  d: 2\n  b: 3\n"},
		{"merge source changes", "a.yaml", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", "{a: {b: 3}, c: {d: 2, b: 1}}", "a: &x\n  b: 3\nc:\n  d: 2\n  b: 1\n"},
		{"tag", "a.yaml", "a: !!str 1\nb: 2\n", "{a: '1', c: 3, b: 2}", "a: !!str 1\nc: 3\nb: 2\n"},
		{"two dashes on a line", "a.yaml", "- - 1\n  - 2\n- 3\n", "[[0, 1, 2, 4], 3]", "- - 0\n  - 1\n  - 2\n  - 4\n- 3\n"},
		{"JSON", "a.json", "{\n\t\"a\": 1,\n\t\"b\": {}\n}\n", `{a: 1, x: {y: [1, {}]}, b: {c: "<d>"}}`, "{\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"y\": [\n\t\t\t1,\n\t\t\t{}\n\t\t]\n\t},\n\t\"b\": {\n\t\t\"c\": \"<d>\"\n\t}\n}\n"},
		{"JSON, removed", "a.json", "{\n  \"a\": 1,\n  \"b\": [\"x\", 2],\n  \"c\": 3\n}", `{a: 1, b: [2]}`, "{\n  \"a\": 1,\n  \"b\": [2]\n}"},
		{"JSON on one line", "a.json", `{"a":1,"b":[true]}`, `{a: 1, b: [true, {c: d, e: f}], g: null}`, `{"a":1,"b":[true,{"c":"d","e":"f"}],"g":null}`},
		{"JSON strings", "a.json", `{"\u0061\"": "\\", "😀": 1}`, `{'a"': '\', z: 0, "😀": 2}`, `{"\u0061\"": "\\", "z": 0, "😀": 2}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := parsed(t, "wanted.yaml", test.wanted)
			got, kept, err := Apply(test.file, []byte(test.have), want)
			if err != nil || !kept {
				t.Errorf("kept: %v, error: %v", kept, err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, kept, err := Apply(test.file, got, want)
			if err != nil || !kept || string(again) != string(got) {
				t.Errorf("not the same again: %v, %v\n%s", kept, err, again)
			}
		})
	}
}
