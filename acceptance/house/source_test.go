package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// spoken are the names by which a program prints or ends, besides the streams
// that internal/cli is handed.
var spoken = map[string][]string{
	"os":  {"Exit", "Stdout", "Stderr"},
	"fmt": {"Print", "Printf", "Println"},
	"log": {"Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Print", "Printf", "Println"},
}

// internal/cli prints to what it is handed and returns an exit code; main.go
// hands it the process's streams and exits.
func TestOnlyTheCommandPrintsAndExits(t *testing.T) {
	files := token.NewFileSet()
	for _, p := range list(t, ".", "./...") {
		if short(p.ImportPath) == "cmd/idemgen" {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(node ast.Node) bool {
				selector, ok := node.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if from, ok := selector.X.(*ast.Ident); ok && slices.Contains(spoken[from.Name], selector.Sel.Name) {
					t.Errorf("%s: %s.%s; the rule is: only cmd/idemgen exits, and only internal/cli prints, to what it is handed", short(p.ImportPath)+"/"+name, from.Name, selector.Sel.Name)
				}
				return true
			})
		}
	}
}

// business is the example's hand-written business code and its SQL. It is where
// somebody would look for idempotency logic, and find none.
var business = []string{"example/internal/orders/", "example/queries/", "example/schema/"}

// plumbing are words of idempotency logic.
var plumbing = regexp.MustCompile(`(?i)idempoten|fingerprint|replay|tombstone`)

// interfaces are the names by which business code says that it implements what
// was generated.
var interfaces = strings.NewReplacer("orderapi.IdempotentOperations", "")

func TestBusinessCodeHasNoIdempotencyLogic(t *testing.T) {
	read := 0
	for name, content := range repository(t) {
		if strings.HasSuffix(name, "_test.go") || !slices.ContainsFunc(business, func(folder string) bool { return strings.HasPrefix(name, folder) }) {
			continue
		}
		read++
		for i, line := range strings.Split(content, "\n") {
			if word := plumbing.FindString(interfaces.Replace(line)); word != "" {
				t.Errorf("%s:%d: %q; the rule is: business code knows nothing of idempotency", name, i+1, word)
			}
		}
	}
	if read == 0 {
		t.Errorf("no files in %v", business)
	}
}
