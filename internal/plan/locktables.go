package plan

import (
	"cmp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// lockTables is what the lock remembers of a contract's tables, by name.
func lockTables(contract *model.Contract) []model.LockTable {
	var tables []model.LockTable
	for _, scope := range contract.Scopes {
		table := model.LockTable{Table: naming.QuoteTable(scope.Schema, scope.Table), Scope: scope.Name}
		if scope.Responses != nil {
			table.Responses = naming.QuoteTable(scope.Responses.Schema, scope.Responses.Table)
			table.Partition = "day"
		}
		for _, column := range scope.Columns {
			table.Columns = append(table.Columns, model.LockColumn{
				Name: column.Name, Type: annotationType(column.SQLType), MaxLength: column.MaxLength, From: column.From,
			})
		}
		tables = append(tables, table)
	}
	slices.SortFunc(tables, func(a, b model.LockTable) int { return cmp.Compare(a.Table, b.Table) })
	return tables
}

// annotationType is what the annotation calls a column type of PostgreSQL's.
func annotationType(sqlType string) string {
	for name, typ := range sqlTypes {
		if typ == sqlType {
			return name
		}
	}
	return sqlType
}

func (p *lockParser) table(node *yaml.Node) model.LockTable {
	var table model.LockTable
	p.mapping(node, "a table", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			table.Table = p.text(value)
		case "scope":
			table.Scope = p.text(value)
		case "responses":
			p.responses(value, &table)
		case "columns":
			p.sequence(value, func(item *yaml.Node) { table.Columns = append(table.Columns, p.column(item)) })
		default:
			return false
		}
		return true
	})
	return table
}

func (p *lockParser) responses(node *yaml.Node, table *model.LockTable) {
	if node.Kind == yaml.ScalarNode {
		p.word(node, "inline")
		return
	}
	p.mapping(node, "responses", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			table.Responses = p.text(value)
		case "partition":
			table.Partition = p.text(value)
		default:
			return false
		}
		return true
	})
}

func (p *lockParser) column(node *yaml.Node) model.LockColumn {
	var column model.LockColumn
	p.mapping(node, "a column", func(key string, value *yaml.Node) bool {
		switch key {
		case "name":
			column.Name = p.text(value)
		case "type":
			column.Type = p.text(value)
		case "maxLength":
			n, err := strconv.Atoi(value.Value)
			if err != nil || n < 1 {
				p.list.Errorf(p.pos(value), lockRemedy, "this must be a number of characters")
			}
			column.MaxLength = n
		case "from":
			column.From = p.text(value)
		default:
			return false
		}
		return true
	})
	return column
}
