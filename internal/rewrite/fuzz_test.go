package rewrite

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/spec"
)

// FuzzApply changes a document anywhere. Whatever the text is, the result reads as
// what was wanted.
func FuzzApply(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb:\n  - c: |\n      d\n  - {e: f}\n", "a: &x [1, *y]\n", "a: &x {b: 1}\nc:\n  <<: *x\n  d: [*x]\n",
		"- - a\n  - b: >-\n      c\n", "? a\n: b\n", "{a: {b: [1, 'c', \"d\"]}}", `{"a": {"b": [1, true, null]}}`, "a: !!str 1 # c\n---\n",
		"%YAML 1.1\n---\na: b\n...\n", "\ufeffa: b\r\nc:\r\n- d\r\n",
	} {
		f.Add(text, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		for _, file := range []string{"a.yaml", "a.json"} {
			have, problems := spec.Parse(file, []byte(text))
			if have == nil || problems.HasErrors() {
				continue
			}
			want := have.Clone()
			change(want, rand.New(rand.NewPCG(seed, 0)))
			checkApplied(t, file, []byte(text), want)
		}
	})
}

func checkApplied(t *testing.T, file string, text []byte, want *spec.Node) (kept bool) {
	t.Helper()
	result, kept, err := Apply(file, text, want)
	if err != nil {
		t.Fatal(err)
	}
	read, problems := spec.Parse(file, result)
	if read == nil || !read.Equal(want) {
		t.Errorf("the result says something else: %v\n%s", problems, result)
	}
	return kept
}

// change makes one to three changes somewhere in a tree.
func change(root *spec.Node, random *rand.Rand) {
	for range 1 + random.IntN(3) {
		n := root
		for random.IntN(8) > 0 && len(n.Members)+len(n.Items) > 0 {
			if i := random.IntN(len(n.Members) + len(n.Items)); i < len(n.Members) {
				n = n.Members[i].Value
			} else {
				n = n.Items[i-len(n.Members)]
			}
		}
		changeNode(n, random)
	}
}

func changeNode(n *spec.Node, random *rand.Rand) {
	added := newNode(random, 2)
	switch {
	case n.Kind == spec.Mapping && random.IntN(3) == 0 && len(n.Members) > 0:
		i := random.IntN(len(n.Members))
		n.Members = append(n.Members[:i:i], n.Members[i+1:]...)
	case n.Kind == spec.Mapping:
		i := random.IntN(len(n.Members) + 1)
		if name := newText(random) + " new"; n.Get(name) == nil {
			n.Members = append(n.Members[:i:i], append([]*spec.Member{{Name: name, Value: added}}, n.Members[i:]...)...)
		}
	case n.Kind == spec.Sequence && random.IntN(3) == 0 && len(n.Items) > 0:
		i := random.IntN(len(n.Items))
		n.Items = append(n.Items[:i:i], n.Items[i+1:]...)
	case n.Kind == spec.Sequence:
		i := random.IntN(len(n.Items) + 1)
		n.Items = append(n.Items[:i:i], append([]*spec.Node{added}, n.Items[i:]...)...)
	default:
		*n = *added
	}
}

func newNode(random *rand.Rand, depth int) *spec.Node {
	switch random.IntN(5) {
	case 0:
		return &spec.Node{Kind: spec.Int, Text: "17"}
	case 1:
		return &spec.Node{Kind: spec.Null, Text: "null"}
	case 2:
		n := &spec.Node{Kind: spec.Mapping}
		for i := range random.IntN(3) * depth {
			n.Members = append(n.Members, &spec.Member{Name: strings.Repeat("k", i+1), Value: newNode(random, depth-1)})
		}
		return n
	case 3:
		n := &spec.Node{Kind: spec.Sequence}
		for range random.IntN(3) * depth {
			n.Items = append(n.Items, newNode(random, depth-1))
		}
		return n
	}
	return &spec.Node{Kind: spec.String, Text: newText(random)}
}

func newText(random *rand.Rand) string {
	texts := []string{
		"", "plain", "two words", "yes", "1", "1e3", "0x1", "~", "a: b", "a #b", "#", "- a", "{a", "it's", `"q"`, `\`, "a\nb", "a\n\n  b\n", "\n", " a", "a ",
		"\ttab", "é", "\u2028", "\u0085", "\ufeff", "😀", "\x00", "<<", "=", "*a", "&a", "!a", "%a", "@a", "`a`", "|", ">", "?", ":", ",", "2020-01-01", "null", "NaN", ".inf",
		"a:b", "a,b", "http://x/y?z#w", strings.Repeat("long ", 30),
	}
	return texts[random.IntN(len(texts))]
}

// TestApplyAnywhere changes real descriptions in many places, all of which can be
// changed in the text.
func TestApplyAnywhere(t *testing.T) {
	dir := os.Getenv("IDEMGEN_CORPUS")
	switch {
	case dir != "":
	case os.Getenv("IDEMGEN_REQUIRE") == "1":
		t.Fatal("IDEMGEN_CORPUS is not set, and IDEMGEN_REQUIRE=1 demands it")
	default:
		t.Skip("SKIPPED: set IDEMGEN_CORPUS to the folder of real API descriptions")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".md" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		have, problems := spec.Parse(file, text)
		if have == nil {
			t.Fatal(problems)
		}
		for seed := range uint64(10) {
			want := have.Clone()
			change(want, rand.New(rand.NewPCG(seed, 1)))
			if !checkApplied(t, file, text, want) && len(want.Members) > 0 {
				t.Errorf("%s, change %d: the text was written anew", filepath.Base(file), seed)
			}
		}
	}
}
