package model

import (
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
)

// Previous is a table that held a scope's keys before its columns changed. Nothing
// is inserted into it any more; its keys stay used.
type Previous struct {
	*Scope               // the table, its index and its columns as they were; Queries has Purge, and Sweep or Rotate
	Now         []string // for each column, the scope's column that has its values; "" for one that is gone
	LookupIndex string   // by which keys are found where columns are gone; "" where the primary key serves
	Alias       string   // of the table in queries: "p1"
	Pos         diag.Position
}

// KeptColumn is a column of a previous table whose values the scope still has.
type KeptColumn struct {
	Name string // in the previous table
	Now  string // in the scope
}

// Kept returns the columns by which a key is looked up, in the table's order.
func (p *Previous) Kept() []KeptColumn {
	var kept []KeptColumn
	for i, column := range p.Columns {
		if now := p.Now[i]; now != "" {
			kept = append(kept, KeptColumn{column.Name, now})
		}
	}
	return kept
}

// Attributable reports whether a record of the table can be told to be a request's
// own: all columns of its key are still there.
func (p *Previous) Attributable() bool { return !slices.Contains(p.Now, "") }
