package plan

import (
	"fmt"
	"io"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// dump writes a contract as text, for golden cases.
func dump(w io.Writer, contract *model.Contract) {
	for _, s := range contract.Scopes {
		fmt.Fprintf(w, "scope %s: type %sScope, table %q.%s, index %s, longest window %s\n", s.Name, s.GoName, s.Schema, s.Table, s.Index, s.LongestWindow)
		for _, c := range s.Columns {
			fmt.Fprintf(w, "\t%s %s max %d from %q\n", c.Name, c.SQLType, c.MaxLength, c.From)
		}
		if r := s.Responses; r != nil {
			fmt.Fprintf(w, "\tresponses %q.%s, function %s, %d seconds ahead\n", r.Schema, r.Table, r.Rotate, s.AheadSeconds())
		}
		fmt.Fprintf(w, "\tqueries %s\n", strings.Join(strings.Fields(strings.Trim(fmt.Sprint(s.Queries), "{}")), " "))
	}
	for _, o := range contract.Operations {
		fmt.Fprintf(w, "operation %s %s: id %s, name %s, scope %s\n", o.Method, o.Path, o.ID, o.Name, o.Scope.Name)
		fmt.Fprintf(w, "\tkey %s required %t length %d..%d pattern %q format %q\n", o.Key.Name, o.Key.Required, o.Key.MinLength, o.Key.MaxLength, o.Key.Pattern, o.Key.Format)
		fmt.Fprintf(w, "\tfinal %v, window %s, headers %v\n", o.Final, o.Window, o.Headers)
		fmt.Fprintf(w, "\twait %s, retry after %s, statuses %d %d %d, max body %d\n", o.Wait, o.RetryAfter, o.Mismatch, o.InFlight, o.Expired, o.MaxBody)
		fmt.Fprintf(w, "\tfingerprint version %d, ignored %v\n", o.Fingerprint.Version, o.Fingerprint.Ignored)
		for _, root := range o.Fingerprint.Roots {
			dumpNode(w, root, "\t\t")
		}
	}
	for _, o := range contract.Others {
		fmt.Fprintf(w, "other %s %s: id %s\n", o.Method, o.Path, o.ID)
	}
}

func dumpNode(w io.Writer, n *model.Node, indent string) {
	fmt.Fprintf(w, "%s%q %s", indent, n.Name, n.Kind)
	if n.Format != "" {
		fmt.Fprintf(w, " (%s)", n.Format)
	}
	fmt.Fprintf(w, " path %q full %q", n.Path, n.Full)
	if n.Default != nil {
		fmt.Fprintf(w, " default %s", *n.Default)
	}
	if n.Unordered {
		fmt.Fprint(w, " unordered")
	}
	if len(n.Normalize) > 0 {
		fmt.Fprintf(w, " normalize %v", n.Normalize)
	}
	if n.Nullable {
		fmt.Fprint(w, " nullable")
	}
	fmt.Fprintln(w)
	for _, m := range n.Members {
		dumpNode(w, m, indent+"\t")
	}
	if n.Elem != nil {
		dumpNode(w, n.Elem, indent+"\t")
	}
}
