package oapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// The functions below print a fingerprint function as the decorator's template
// does, so that tests can show and compile what was resolved.

func renderFunction(code *model.CodeOperation) string {
	var b strings.Builder
	for _, f := range code.Fingerprints {
		fmt.Fprintf(&b, "func %s(request %s) fingerprint.Fingerprint {\n\th := fingerprint.NewHasher(%q, %d)\n", f.Func, code.Request, code.Name, f.Version)
		if f.Body != nil {
			fmt.Fprintf(&b, "\tbody := %s\n\tif body == nil {\n\t\tbody = new(%s)\n\t}\n", f.Body.Access, f.Body.Type)
		}
		for _, root := range f.Roots {
			renderMember(&b, "\t", root)
		}
		b.WriteString("\treturn h.Sum()\n}\n")
	}
	return b.String()
}

func renderMember(b *strings.Builder, indent string, n *model.CodeNode) {
	if n.Kind != model.Object {
		fmt.Fprintf(b, "%sh.Field(%q)\n", indent, n.Path)
	}
	renderValue(b, indent, n)
}

func renderValue(b *strings.Builder, indent string, n *model.CodeNode) {
	if !n.Optional {
		renderPresent(b, indent, n)
		return
	}
	if n.Nulls {
		fmt.Fprintf(b, "%sif %s, err := %s.Get(); err == nil {\n", indent, n.Held(), n.Access)
	} else {
		fmt.Fprintf(b, "%sif v := %s; v != nil {\n", indent, n.Access)
	}
	renderPresent(b, indent+"\t", n)
	if n.Null != "" {
		fmt.Fprintf(b, "%s} else if %s.IsNull() {\n%s\t%s\n", indent, n.Access, indent, strings.ReplaceAll(n.Null, "\n", "\n"+indent+"\t"))
	}
	absent := strings.ReplaceAll(n.Absent, "\n", "\n"+indent+"\t")
	if absent == "" {
		var paths []string
		for _, path := range n.Skips() {
			paths = append(paths, strconv.Quote(path))
		}
		absent = "h.Skip(" + strings.Join(paths, ", ") + ")"
	}
	fmt.Fprintf(b, "%s} else {\n%s\t%s\n%s}\n", indent, indent, absent, indent)
}

func renderPresent(b *strings.Builder, indent string, n *model.CodeNode) {
	switch n.Kind {
	case model.Object:
		for _, member := range n.Members {
			renderMember(b, indent, member)
		}
	case model.List:
		if n.Unordered {
			fmt.Fprintf(b, "%sh.Multiset(len(%s))\n%sfor _, v := range %s {\n%s\th.Element()\n", indent, n.Range, indent, n.Range, indent)
			renderValue(b, indent+"\t", n.Elem)
			fmt.Fprintf(b, "%s}\n%sh.EndMultiset()\n", indent, indent)
			return
		}
		fmt.Fprintf(b, "%sh.List(len(%s))\n%sfor _, v := range %s {\n", indent, n.Range, indent, n.Range)
		renderValue(b, indent+"\t", n.Elem)
		fmt.Fprintf(b, "%s}\n", indent)
	case model.Map:
		fmt.Fprintf(b, "%sh.Map(len(%s))\n%sfor _, key := range slices.Sorted(maps.Keys(%s)) {\n", indent, n.Range, indent, n.Range)
		fmt.Fprintf(b, "%s\tv := (%s)[key]\n%s\th.Key(key)\n", indent, n.Range, indent)
		renderValue(b, indent+"\t", n.Elem)
		fmt.Fprintf(b, "%s}\n", indent)
	default:
		fmt.Fprintf(b, "%s%s\n", indent, n.Hash)
	}
}
