package lock

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/model"
)

func (p *parser) tables(list *yaml.Node) []model.LockTable {
	var tables []model.LockTable
	p.sequence(list, func(item *yaml.Node) {
		table := p.table(item)
		if slices.ContainsFunc(tables, func(other model.LockTable) bool { return other.Table == table.Table }) {
			p.list.Errorf(p.pos(item), restoreFile, "table %s is listed twice", table.Table)
		}
		tables = append(tables, table)
	})
	return tables
}

func (p *parser) table(node *yaml.Node) model.LockTable {
	var table model.LockTable
	p.mapping(node, "a table", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			table.Table = p.text(value)
		case "scope":
			table.Scope = p.text(value)
		case "responses":
			table.Responses, table.Partition = p.responses(value)
		case "columns":
			table.Columns = p.columns(value)
		case "previous":
			p.sequence(value, func(item *yaml.Node) { table.Previous = append(table.Previous, p.previous(item)) })
		default:
			return false
		}
		return true
	})
	return table
}

// responses reads where a scope's responses are: the word inline, or a table.
func (p *parser) responses(node *yaml.Node) (table, partition string) {
	if node.Kind != yaml.MappingNode {
		p.word(node, "inline")
		return "", ""
	}
	p.mapping(node, "responses", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			table = p.text(value)
		case "partition":
			p.word(value, "day")
			partition = value.Value
		default:
			return false
		}
		return true
	})
	return table, partition
}

func (p *parser) previous(node *yaml.Node) model.LockPrevious {
	var previous model.LockPrevious
	p.mapping(node, "a previous table", func(key string, value *yaml.Node) bool {
		switch key {
		case "table":
			previous.Table = p.text(value)
		case "columns":
			previous.Columns = p.columns(value)
		default:
			return false
		}
		return true
	})
	return previous
}

func (p *parser) columns(list *yaml.Node) []model.LockColumn {
	var columns []model.LockColumn
	p.sequence(list, func(item *yaml.Node) { columns = append(columns, p.column(item)) })
	return columns
}

func (p *parser) column(node *yaml.Node) model.LockColumn {
	var column model.LockColumn
	p.mapping(node, "a column", func(key string, value *yaml.Node) bool {
		switch key {
		case "name":
			column.Name = p.text(value)
		case "type":
			column.Type = p.text(value)
		case "maxLength":
			column.MaxLength = p.number(value)
		case "from":
			column.From = p.text(value)
		case "now":
			column.Now = p.text(value)
		default:
			return false
		}
		return true
	})
	return column
}

func (p *parser) key(node *yaml.Node) model.LockKey {
	var lockKey model.LockKey
	p.mapping(node, "a key", func(key string, value *yaml.Node) bool {
		switch key {
		case "in":
			lockKey.In = p.text(value)
		case "name":
			lockKey.Name = p.text(value)
		case "required":
			lockKey.Required = p.boolean(value)
		case "minLength":
			lockKey.MinLength = p.number(value)
		case "maxLength":
			lockKey.MaxLength = p.number(value)
		case "pattern":
			lockKey.Pattern = p.text(value)
		case "format":
			lockKey.Format = p.text(value)
		default:
			return false
		}
		return true
	})
	return lockKey
}

func (p *parser) statuses(node *yaml.Node) model.LockStatuses {
	var statuses model.LockStatuses
	p.mapping(node, "status", func(key string, value *yaml.Node) bool {
		switch key {
		case "mismatch":
			statuses.Mismatch = p.number(value)
		case "inFlight":
			statuses.InFlight = p.number(value)
		case "expired":
			statuses.Expired = p.number(value)
		default:
			return false
		}
		return true
	})
	return statuses
}
