package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// checkPlacement reports annotations that stand where they have no effect, and
// names at the root and in operations that were probably meant to be ours.
func (doc *Document) checkPlacement(list *diag.List) {
	p := placement{list: list, main: doc.files.main.root, seen: map[*tree.Node]bool{}}
	p.misspelt(p.main)
	for _, op := range doc.Operations {
		p.misspelt(op.node)
	}
	p.look(p.main, lookAt{})
	for _, s := range doc.files.sorted() {
		if s != doc.files.main && s.root != nil {
			p.look(s.root, lookAt{})
		}
	}
}

type placement struct {
	list *diag.List
	main *tree.Node
	seen map[*tree.Node]bool
}

// lookAt says what a node is to those around it.
type lookAt struct {
	names     bool // a mapping from names of the user's choice
	extended  bool // such a mapping, but one that may have extensions
	operation bool
	outgoing  bool // within webhooks or callbacks
}

func (p *placement) look(n *tree.Node, at lookAt) {
	if p.seen[n] {
		return
	}
	p.seen[n] = true
	for _, item := range n.Items {
		p.look(item, lookAt{outgoing: at.outgoing})
	}
	for _, m := range n.Members {
		switch {
		case m.Name == Extension && (!at.names || at.extended):
			p.judge(n, m, at)
		case at.names:
			p.look(m.Value, lookAt{outgoing: at.outgoing})
		case !isData(m.Name, m.Value):
			p.look(m.Value, at.under(m))
		}
	}
}

// under says what the value of a keyword is.
func (at lookAt) under(m *tree.Member) lookAt {
	return lookAt{
		names:     m.Value.Kind == tree.Mapping && namesFollow(m.Name),
		extended:  slices.Contains([]string{"paths", "responses", "callbacks"}, m.Name),
		operation: isMethod(m.Name),
		outgoing:  at.outgoing || slices.Contains([]string{"webhooks", "callbacks"}, m.Name),
	}
}

// judge reports an annotation that has no effect where it is. One of an
// operation that no path refers to is left alone, and so is what another
// document says at its root.
func (p *placement) judge(n *tree.Node, m *tree.Member, at lookAt) {
	switch {
	case at.operation && at.outgoing:
		p.list.Warnf(m.Pos, "remove it", "%s has no effect in webhooks and callbacks, which are calls that the service makes", Extension)
	case at.operation, n == p.main, n.Get("openapi") != nil:
	default:
		p.list.Errorf(m.Pos, "move it to an operation, or to the root for scopes and defaults", "%s has no effect here", Extension)
	}
}

// misspelt reports keys of the root or of an operation that look like ours.
func (p *placement) misspelt(n *tree.Node) {
	for _, m := range n.Members {
		switch {
		case m.Name == Extension:
		case namesOfOthers.MatchString(m.Name):
			p.list.Warnf(m.Pos, "write "+Extension+" if it was meant for idemgen", "%s means nothing to idemgen", m.Name)
		case resemblesExtension(m.Name):
			p.list.Errorf(m.Pos, "write "+Extension, "%s means nothing to idemgen", m.Name)
		}
	}
}

// namesOfOthers matches extensions that other tools have.
var namesOfOthers = regexp.MustCompile(`(?i)^x-idempot(?:enc|ent[-_])`)

// resemblesExtension reports whether a name is ours but for two letters, letter
// case, dashes and the x.
func resemblesExtension(name string) bool {
	plain := strings.NewReplacer("-", "", "_", "").Replace(name)
	return diag.Distance(plain, "xidempotent") <= 2
}
