package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/idemgen/idemgen/internal/gen"
)

// printMigration prints what has become of the tables, if anything has.
func (p *program) printMigration(to io.Writer) error {
	if p.migration == nil {
		return nil
	}
	if _, err := io.WriteString(to, describeMigration(p.migration)); err != nil {
		return &outcome{trouble, err}
	}
	return nil
}

func describeMigration(m *gen.Migration) string {
	var out strings.Builder
	out.WriteString("The tables change:\n")
	for _, change := range m.Changes {
		fmt.Fprintf(&out, "  %s\n", change)
	}
	if m.Schema == "" {
		fmt.Fprintf(&out, "The migration is %s.\nNext: %s\n", strings.Join(m.Files, ", "), m.Next)
		return out.String()
	}
	fmt.Fprintf(&out, "%s is what they are to be, not a migration: applying it does not change tables\n"+
		"that exist. A database with the tables of the last run needs this instead:\n\n%s", m.Schema, m.SQL)
	return out.String()
}
