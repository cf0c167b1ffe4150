package lock

import (
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

func (r reader) table(n *tree.Node) model.LockTable {
	r.Mapping(n, "a table", "table", "scope", "responses", "columns", "previous")
	table := model.LockTable{
		Table:    r.text(n, "table"),
		Scope:    r.text(n, "scope"),
		Columns:  list(r, n, "columns", reader.column),
		Previous: list(r, n, "previous", reader.previous),
	}
	if responses := n.Get("responses"); responses == nil || responses.Kind != tree.Mapping {
		r.word(n, "responses", "inline")
	} else {
		r.Mapping(responses, "responses", "table", "partition")
		table.Responses, table.Partition = r.text(responses, "table"), r.word(responses, "partition", "day")
	}
	return table
}

func (r reader) previous(n *tree.Node) model.LockPrevious {
	r.Mapping(n, "a previous table", "table", "columns")
	return model.LockPrevious{Table: r.text(n, "table"), Columns: list(r, n, "columns", reader.column)}
}

func (r reader) column(n *tree.Node) model.LockColumn {
	r.Mapping(n, "a column", "name", "type", "maxLength", "from", "now")
	return model.LockColumn{
		Name:      r.text(n, "name"),
		Type:      r.text(n, "type"),
		MaxLength: int(r.integer(n, "maxLength")),
		From:      r.text(n, "from"),
		Now:       r.text(n, "now"),
	}
}
