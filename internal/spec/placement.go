package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// checkPlacement reports annotations at places where they have no effect, and keys at
// the root and in operations that are probably misspellings of x-idempotent.
func (doc *Document) checkPlacement(list *diag.List) {
	p := placement{list: list, main: doc.files.main.root, seen: map[*tree.Node]bool{}}
	p.misspelt(p.main)
	for _, op := range doc.Operations {
		p.misspelt(op.node)
	}
	p.look(p.main, keywordContext{})
	for _, s := range doc.files.sorted() {
		if s != doc.files.main && s.root != nil {
			p.look(s.root, keywordContext{})
		}
	}
}

type placement struct {
	list *diag.List
	main *tree.Node
	seen map[*tree.Node]bool
}

// keywordContext describes what a node means to the values around it.
type keywordContext struct {
	names     bool // a mapping whose names the user chooses
	extended  bool // such a mapping that may also have extensions
	operation bool
	outgoing  bool // within webhooks or callbacks
}

func (p *placement) look(n *tree.Node, at keywordContext) {
	if p.seen[n] {
		return
	}
	p.seen[n] = true
	for _, item := range n.Items {
		p.look(item, keywordContext{outgoing: at.outgoing})
	}
	for _, m := range n.Members {
		switch {
		case m.Name == Extension && (!at.names || at.extended):
			p.judge(n, m, at)
		case at.names:
			p.look(m.Value, keywordContext{outgoing: at.outgoing})
		case !isData(m.Name, m.Value):
			p.look(m.Value, at.under(m))
		}
	}
}

// under returns the context of the value of a keyword.
func (at keywordContext) under(m *tree.Member) keywordContext {
	return keywordContext{
		names:     m.Value.Kind == tree.Mapping && namesFollow(m.Name),
		extended:  slices.Contains([]string{"paths", "responses", "callbacks"}, m.Name),
		operation: isMethod(m.Name),
		outgoing:  at.outgoing || slices.Contains([]string{"webhooks", "callbacks"}, m.Name),
	}
}

// judge reports an annotation that has no effect at its place. The annotation of an
// operation that no path refers to is accepted, and so is one at the root of another
// document.
func (p *placement) judge(n *tree.Node, m *tree.Member, at keywordContext) {
	switch {
	case at.operation && at.outgoing:
		p.list.Warnf(m.Pos, "remove it", "%s has no effect in webhooks and callbacks, which describe calls made by the service", Extension)
	case at.operation, n == p.main, n.Get("openapi") != nil:
	default:
		p.list.Errorf(m.Pos, "move it to an operation, or to the root for scopes and defaults", "%s has no effect here", Extension)
	}
}

// misspelt reports keys of the root or of an operation that resemble x-idempotent.
func (p *placement) misspelt(n *tree.Node) {
	for _, m := range n.Members {
		switch {
		case m.Name == Extension:
		case otherTools.MatchString(m.Name):
			p.list.Warnf(m.Pos, "write "+Extension+" if it was meant for idemgen", "%s is not an idemgen key", m.Name)
		case resemblesExtension(m.Name):
			p.list.Errorf(m.Pos, "write "+Extension, "%s is not an idemgen key", m.Name)
		}
	}
}

// otherTools matches extensions of other tools.
var otherTools = regexp.MustCompile(`(?i)^x-idempot(?:enc|ent[-_])`)

// resemblesExtension reports whether a name equals x-idempotent except for two
// letters, letter case, dashes and the x.
func resemblesExtension(name string) bool {
	plain := strings.NewReplacer("-", "", "_", "").Replace(name)
	return diag.Distance(plain, "xidempotent") <= 2
}
