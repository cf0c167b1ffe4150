package explain

import (
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/goldentest"
	"github.com/idemgen/idemgen/internal/plan"
)

const documentFile = "../../docs/fingerprint.md"

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryRuleHasVectors holds the document's rules and the vectors together.
func TestEveryRuleHasVectors(t *testing.T) {
	var rules []string
	for _, match := range regexp.MustCompile(`(?m)^- \*\*([0-9]+\.[0-9]+)\*\* `).FindAllStringSubmatch(readDocument(t), -1) {
		rules = append(rules, match[1])
	}
	tested := map[string]bool{}
	for _, document := range readVectors(t).Documents {
		for _, v := range document.Vectors {
			for _, rule := range v.Rules {
				if !slices.Contains(rules, rule) {
					t.Errorf("%s: %s cites rule %s, which does not exist", document.Name, v.Name, rule)
				}
				tested[rule] = true
			}
		}
	}
	for _, rule := range rules {
		if !tested[rule] {
			t.Errorf("rule %s has no vector", rule)
		}
	}
}

// TestWorkedExample holds the document's example and the first vector together.
func TestWorkedExample(t *testing.T) {
	const begin, end = "<!-- example: begin -->\n", "<!-- example: end -->\n"
	text := readDocument(t)
	from, to := strings.Index(text, begin)+len(begin), strings.Index(text, end)
	want := example(t)
	if goldentest.Updating() {
		if err := os.WriteFile(documentFile, []byte(text[:from]+want+text[to:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, text[from:to]); diff != "" {
		t.Errorf("run this test with -update: -want +got\n%s", diff)
	}
}

// example is the text of the worked example.
func example(t *testing.T) string {
	t.Helper()
	document := readVectors(t).Documents[0]
	v := document.Vectors[0].explained(t, document.contract(t))
	encoding, err := hex.DecodeString(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe document *%s* of the vectors declares `query.dry_run` and `body`, ignores `body.note`,\n", document.Name)
	b.WriteString("and has the path parameter `depot`. The request\n\n```json\n" + string(v.Request) + "\n```\n\nhas these values:\n\n")
	b.WriteString("| field | value | why |\n| --- | --- | --- |\n")
	for _, field := range v.Canonical {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", field.Path, code(field.Value), field.Why)
	}
	fmt.Fprintf(&b, "\nIts encoding has %d bytes, here cut before each member:\n\n```\n", len(encoding))
	for _, part := range members(encoding) {
		fmt.Fprintf(&b, "%s\n", dump(part))
	}
	fmt.Fprintf(&b, "```\n\nand the fingerprint is\n\n```\n%s\n```\n\n", v.Fingerprint)
	return b.String()
}

func code(value string) string {
	if value == "" {
		return "-"
	}
	return "`" + value + "`"
}

// members cuts an encoding before each F that stands before a length and a name.
func members(encoding []byte) [][]byte {
	starts := regexp.MustCompile(`F[\x01-\x1f](?:body|path|query|quantity|sku)`).FindAllIndex(encoding, -1)
	var parts [][]byte
	last := 0
	for _, start := range starts {
		parts = append(parts, encoding[last:start[0]])
		last = start[0]
	}
	return append(parts, encoding[last:])
}

// dump writes bytes in hexadecimal, with their characters below.
func dump(part []byte) string {
	var lines []string
	for len(part) > 0 {
		n := min(len(part), 24)
		shown := strings.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return '.'
			}
			return r
		}, latin(part[:n]))
		lines = append(lines, fmt.Sprintf("%-72s %s", fmt.Sprintf("% x", part[:n]), shown))
		part = part[n:]
	}
	return strings.Join(lines, "\n")
}

// latin makes one character of each byte.
func latin(part []byte) string {
	runes := make([]rune, len(part))
	for i, b := range part {
		runes[i] = rune(b)
	}
	return string(runes)
}

// TestReadmeExample holds the example in README.md and the example's document
// together.
func TestReadmeExample(t *testing.T) {
	document, err := os.ReadFile("../../openapi/orders.yaml")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	op, err := Find(contractOf(t, "orders.yaml", document, plan.Options{}), "createOrder")
	if err != nil {
		t.Fatal(err)
	}
	var both []*Explanation
	for name, quantity := range map[string]string{"first.json": "3", "retry.json": "2"} {
		r, err := Read(name, []byte(`{"body": {"items": [{"sku": "teapot", "quantity": `+quantity+`}], "ship_to": {"name": "Ada", "city": "London"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		e, err := Explain(op, r)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, e)
	}
	slices.SortFunc(both, func(a, b *Explanation) int { return strings.Compare(a.Request, b.Request) })
	var text strings.Builder
	if err := (Report{op, both[0], both[1]}).Text(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), text.String()) {
		t.Errorf("README.md does not show this:\n%s", &text)
	}
}
