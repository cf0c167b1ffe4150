package tree

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

func parse(t *testing.T, text string) *Node {
	t.Helper()
	root, problems := Parse("a.yaml", []byte(text))
	if root == nil || problems.HasErrors() {
		t.Fatal(problems)
	}
	return root
}

// notStrings are what readers of YAML 1.1 (https://yaml.org/type/) and 1.2 (chapter 10)
// take a scalar without quotation marks for, when it is not a string.
var notStrings = []*regexp.Regexp{
	regexp.MustCompile(`^(?:~|null|Null|NULL|)$`),
	regexp.MustCompile(`^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`),
	regexp.MustCompile(`^[-+]?(?:0b[01_]+|0o?[0-7_]+|[0-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`),
	regexp.MustCompile(`^[-+]?(?:(?:[0-9][0-9_]*\.?|\.)[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`),
	regexp.MustCompile(`^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)?$`),
	regexp.MustCompile(`^(?:<<|=)$`),
}

// checkPlain holds the strings of a text that have no quotation marks to be strings for
// every reader.
func checkPlain(t *testing.T, text []byte) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	var check func(n *yaml.Node)
	check = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Style == 0 && n.ShortTag() == "!!str" {
			for _, other := range notStrings {
				if other.MatchString(n.Value) {
					t.Errorf("the string %q has no quotation marks in\n%s", n.Value, text)
				}
			}
		}
		for _, under := range n.Content {
			check(under)
		}
	}
	check(&document)
}

// checkEncoded writes a tree in every way and reads it again.
func checkEncoded(t *testing.T, root *Node) {
	t.Helper()
	text, _, err := EncodeYAML(root)
	if err != nil {
		t.Fatal(err)
	}
	if read, problems := parseYAML("", text); read == nil || problems.HasErrors() || !same(read, root) {
		t.Errorf("the YAML reads as something else (%v):\n%s", problems, text)
	}
	checkPlain(t, text)
	for _, options := range []JSONOptions{{}, {Indent: "\t"}} {
		encoded := EncodeJSON(root, options)
		if read, problems := parseJSON("", encoded.Text); read == nil || problems.HasErrors() || !same(read, root) {
			t.Errorf("the JSON reads as something else (%v):\n%s", problems, encoded.Text)
		}
		if read, problems := parseYAML("", encoded.Text); read == nil || problems.HasErrors() || !same(read, root) {
			t.Errorf("the JSON reads as something else when it is read as YAML (%v):\n%s", problems, encoded.Text)
		}
		if lines := strings.Count(string(encoded.Text), "\n"); lines != len(encoded.lines) {
			t.Errorf("%d lines, and positions for %d", lines, len(encoded.lines))
		}
	}
}

// same is Equal, and the order of entries too.
func same(a, b *Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i := range a.Members {
		if a.Members[i].Name != b.Members[i].Name || !same(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}

// FuzzEncode reads a text, as YAML and as JSON: what is written of it says the same, in
// the same order.
func FuzzEncode(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb:\n  - c: |\n      d\n  - {e: f}\n", "a: &x [1, *y]\n", "a: &x {b: 1}\nc:\n  <<: *x\n  d: [*x]\n",
		"- - a\n  - b: >-\n      c\n", "? a\n: b\n", "{a: {b: [1, 'c', \"d\"]}}", `{"a": {"b": [1, true, null]}}`, "a: !!str 1 # c\n---\n",
		"%YAML 1.1\n---\na: b\n...\n", "\ufeffa: b\r\nc:\r\n- d\r\n", "# a\n\n# b\na: # c\n  # d\n  b: 1 # e\n  # f\n\n# g\nh: [1, # i\n 2]\n# j\n",
		"[{a: b, # c\n d: e}]", "- # a\n  - b\n# c\n- d\n", "a: 0o17\nb: 1e3\nc: 0x1F\nd: 1_000\ne: 011\nf: 099\n", "a: |2\n  b\n c: d\n", "'': ''\n", "- ' '\n- \"\\n\"\n- \"\\x85\"\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"a.yaml", "a.json"} {
			root, problems := Parse(file, []byte(text))
			if root != nil && !problems.HasErrors() {
				checkEncoded(t, root)
			}
		}
	})
}

// FuzzText writes a string as a value and as a name, in blocks and in braces.
func FuzzText(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const largest = 1 << 10
		if len(text) > largest {
			t.Skip("too large to be quick")
		}
		checkText(t, strings.ToValidUTF8(text, "\ufffd"))
	})
}

// texts are strings that some reader would take for something else.
var texts = []string{
	"", "plain", "two words", "y", "N", "yes", "No", "on", "OFF", "True", "1", "-1", "1e3", "1.", ".5", "0x1", "0o17", "017", "0b1", "1_000", "190:20:30", "12:30:45.6", "~", "a: b", "a #b", "#", "- a", "-", "--- a", "---", "...",
	"{a", "it's", `"q"`, `\`, "a\nb", "a\n\n  b\n", "\n", "\n\na", "a\n\n", " a", "a ", " a\nb", "a \nb", "a\n b\n", "\ttab", "tab\t", "a\n\tb", "a\rb", "é", "\u2028", "\u0085", "\u00a0", "\ufeff", "\ufffd", "😀", "\U0010ffff", "\x00", "\x7f",
	"<<", "=", "*a", "&a", "!a", "%a", "@a", "`a`", "|", ">", "?", ":", ",", "2020-01-01", "2001-12-14t21:59:43.10-05:00", "null", "Null", "NaN", ".inf", "-.INF", ".NaN", "nan", "inf",
	"a:b", "a,b", "a:", "http://x/y?z#w", "[a]", "a]", "a}", "3.0.3", "1.0", "+1", "x: y", strings.Repeat("long ", 30), "$ref", "/a/{b}", "200", "2XX",
}

func TestTexts(t *testing.T) {
	for _, text := range texts {
		checkText(t, text)
	}
}

func checkText(t *testing.T, text string) {
	t.Helper()
	s := NewString(text)
	for _, quote := range []byte{0, '\'', '"'} {
		value := &Node{Kind: String, Text: text, quote: quote}
		for _, flow := range []bool{false, true} {
			inner := &Node{Kind: Mapping, flow: flow, Members: []*Member{{Name: text, Value: value}, {Name: "other " + text, Value: value}}}
			checkEncoded(t, &Node{Kind: Sequence, flow: flow, Items: []*Node{value, inner, s}})
		}
	}
}

// Comments stay with what they were written for, and the layout is that of the source.
func TestEncodeYAML(t *testing.T) {
	const text = `# The document.

# the version
openapi: 3.0.3 # as ever
info: {title: "Orders", version: '1'}
# above
paths:
    /orders:
        # two of them
        - a # first
        # between
        - "no"
        # below
    # the end of paths
components:
    schemas: [a, b]
    text: |
        one
        two
# the end
`
	got, commented, err := EncodeYAML(parse(t, text))
	if err != nil || !commented {
		t.Fatal(commented, err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Comments of braces, brackets, items and texts are where they were.
func TestEncodeYAMLComments(t *testing.T) {
	for _, text := range []string{
		"info: {title: shop, version: 1.0.0} # ours\nx:\n  a: 1\n",
		"a: [1, 2] # c\nb: 1\n",
		"- [1] # c\n- {a: b} # d\n- e\n",
		"a:\n  - {b: c} # d\n  - e\nf:\n  - {g: h} # i\nj: k\n",
		"a: [] # x\nb: {} # y\nc: 1 # z\n",
		"a: # one\n  b: 1\nc: # two\n  - d\n",
		"- # a\n  b: c\n- # d\n  - e\n- - f # g\n  - h\n",
		"{a: b} # c\n",
		"# t\n\n{a: b} # c\n\n# u\n",
		"a: | # x\n  t\n  u\nb: | # y\n  z\n",
		"a: b\n# c\n\n# d\ne: f\n",
	} {
		got, commented, err := EncodeYAML(parse(t, text))
		if diff := cmp.Diff(text, string(got)); diff != "" || !commented || err != nil {
			t.Errorf("%v %v (-want +got):\n%s", commented, err, diff)
		}
	}
}

// What the source writes in a way of its own is written in ours.
func TestEncodeYAMLNormalizes(t *testing.T) {
	root := parse(t, `a: &x {b: [1, 0x1F, ~, True], "c": yes}
d: *x
e: {<<: *x, f: 1}
long: {one: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa', two: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', three: 'aaaaaaaaaaaaaaaaaaaaaaa'}
list: [1, # why
  2]
200: ok
`)
	const want = `a: {b: [1, 31, null, true], c: 'yes'}
d: {b: [1, 31, null, true], c: 'yes'}
e: {f: 1, b: [1, 31, null, true], c: 'yes'}
long:
  one: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  two: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  three: 'aaaaaaaaaaaaaaaaaaaaaaa'
list:
  - 1 # why
  - 2
'200': ok
`
	got, commented, err := EncodeYAML(root)
	if err != nil || !commented {
		t.Fatal(commented, err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEncodeJSON(t *testing.T) {
	root := parse(t, "b: [1, {}]\na: {description: long, é: \"\\u2028\"}\n")
	const want = `{
  "b": [
    1,
    {}
  ],
  "a": {
    "description": "-",
    "é": "\u2028"
  }
}
`
	got := EncodeJSON(root, JSONOptions{Indent: "  ", Brief: true})
	if diff := cmp.Diff(want, string(got.Text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var lines []string
	for line := range strings.Count(want, "\n") + 2 {
		if pos, ok := got.Position(line); ok {
			lines = append(lines, fmt.Sprintf("%d=%d:%d", line, pos.Line, pos.Column))
		}
	}
	if diff := cmp.Diff("1=1:1 2=1:1 3=1:5 4=1:8 6=2:1 7=2:5 8=2:24", strings.Join(lines, " ")); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}
