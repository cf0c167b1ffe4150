package spec

import (
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/internal/tree"
)

// Locate returns the JSONPath of the value that a pointer points to: its actual
// location in the document, with every $ref on the way resolved, so that an overlay
// can change it. It reports false for a value in another file, which an overlay cannot
// change, and for a missing value.
func (doc *Document) Locate(pointer Pointer) (path string, ok bool) {
	l := locator{main: doc.files.main, left: tree.MaxDepth}
	found, ok := l.locate(pointer)
	return found.path, ok
}

type locator struct {
	main *source
	left int // number of references that may still be followed
}

// located is a value of the main document.
type located struct {
	node *tree.Node
	path string
}

func (l *locator) locate(pointer Pointer) (located, bool) {
	at := located{l.main.root, "$"}
	for _, token := range pointer {
		next, found := at.step(token)
		if !found {
			target, ok := l.follow(at)
			if !ok {
				return at, false
			}
			if next, found = target.step(token); !found {
				return at, false
			}
		}
		at = next
	}
	if refOf(at.node) == "" {
		return at, true
	}
	return l.follow(at)
}

// follow resolves the references of a value.
func (l *locator) follow(at located) (located, bool) {
	text := refOf(at.node)
	target, message, _ := parseRef(text, l.main)
	l.left--
	if text == "" || message != "" || target.anchor || target.key != l.main.key || l.left < 0 {
		return at, false
	}
	return l.locate(target.pointer)
}

var bareToken = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (at located) step(token string) (located, bool) {
	child, _, ok := at.node.Step(token)
	switch {
	case !ok:
		return at, false
	case at.node.Kind == tree.Sequence:
		return located{child, at.path + "[" + token + "]"}, true
	case bareToken.MatchString(token):
		return located{child, at.path + "." + token}, true
	}
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(token)
	return located{child, at.path + "['" + quoted + "']"}, true
}
