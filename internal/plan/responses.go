package plan

import (
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/spec"
)

// partitionSuffix is the suffix of a partition's name, with the digits of its day.
const partitionSuffix = "_YYYYMMDD"

// responseTable plans the table of the scope's responses, if it has one.
func (p *planner) responseTable(scope *model.Scope, declared spec.Scope) {
	if !declared.Responses.OK || !p.partition(declared) {
		return
	}
	responses := &model.Responses{Schema: scope.Schema, Table: usualResponses(scope, declared)}
	if name := declared.Responses.V.Table; name.OK {
		schema, table, ok := p.table("response table", name)
		if !ok {
			return
		}
		if len(table)+len(partitionSuffix) > naming.MaxSQLName {
			p.list.Errorf(name.Pos, "use at most 54 bytes",
				"the names of the partitions of %q would be longer than PostgreSQL's 63 bytes", table)
			return
		}
		responses.Schema, responses.Table = schema, table
	}
	responses.Rotate = model.RotatePrefix + responses.Table
	scope.Responses = responses
	scope.Queries.Sweep = ""
	scope.Queries.Rotate = "Rotate" + scope.GoName + "Responses"
}

// partition checks how the responses are partitioned.
func (p *planner) partition(declared spec.Scope) bool {
	const remedy = "write partition: day"
	partition := declared.Responses.V.Partition
	switch {
	case !partition.Present():
		if !declared.Malformed { // otherwise it may be misspelt
			p.list.Errorf(declared.Responses.Pos, "add partition: day", "responses of scope %q has no partition", declared.Name)
		}
		return false
	case !partition.OK:
		return false
	case partition.V != "day":
		p.list.Errorf(partition.Pos, remedy, "responses cannot be partitioned by %q, only by day", partition.V)
		return false
	}
	return true
}

// maxPartitionedWindow limits the number of partitions: every statement that reads a
// response locks all of them, in a lock table shared by the whole server.
const maxPartitionedWindow = 31 * 24 * time.Hour

// checkPartitionedWindows reports windows that would need too many partitions.
func (p *planner) checkPartitionedWindows(operations []*model.Operation) {
	for _, operation := range operations {
		if operation.Scope.Responses != nil && operation.Window > maxPartitionedWindow {
			p.list.Errorf(operation.Pos, "shorten replay.window, or remove responses from the scope",
				"%s replays for %v, but the responses of scope %q have one partition per day: at most 744h is possible",
				operation.Name, operation.Window, operation.Scope.Name)
		}
	}
}

// usualResponses is the default name of a responses table.
func usualResponses(scope *model.Scope, declared spec.Scope) string {
	base, suffix := naming.Snake(declared.Name), "_idempotency_responses"
	if declared.Table.OK {
		base, suffix = scope.Table, "_responses"
	}
	return strings.TrimSuffix(naming.FitSQL(base, suffix+partitionSuffix), partitionSuffix)
}

// table parses a table's name.
func (p *planner) table(what string, declared spec.Value[string]) (schema, table string, ok bool) {
	parts, problem := naming.ParseTable(declared.V)
	if problem != "" {
		p.list.Errorf(declared.Pos, `write table or schema.table as in SQL, with double quotes around names with capitals or other characters: '"Billing"."Keys"'`,
			"%q is not a valid name of a %s: %s", declared.V, what, problem)
		return "", "", false
	}
	if len(parts) == 2 {
		schema = parts[0]
	}
	return schema, parts[len(parts)-1], true
}
