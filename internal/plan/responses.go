package plan

import (
	"regexp"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/spec"
)

// partitionSuffix is what the name of a day's partition ends with, by its shape.
const partitionSuffix = "_YYYYMMDD"

// responseTable plans the table of the scope's responses, if they are to have one.
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
				"the names of the partitions of %q would not fit into PostgreSQL's 63 bytes", table)
			return
		}
		responses.Schema, responses.Table = schema, table
	}
	responses.Rotate = model.RotatePrefix + responses.Table
	scope.Responses = responses
	scope.Queries.Sweep = ""
	scope.Queries.Rotate = "Rotate" + scope.GoName + "Responses"
}

// partition checks how the responses are to be partitioned.
func (p *planner) partition(declared spec.Scope) bool {
	const remedy = "write partition: day"
	partition := declared.Responses.V.Partition
	switch {
	case !partition.Present():
		if !declared.Malformed { // else it may be what is misspelt
			p.list.Errorf(declared.Responses.Pos, "add partition: day", "responses of scope %q does not say how they are partitioned", declared.Name)
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

// maxPartitionedWindow bounds how many partitions there are: whatever reads a
// response locks all of them, in a table of locks that the whole server shares.
const maxPartitionedWindow = 31 * 24 * time.Hour

// checkPartitionedWindows reports windows that would take too many partitions.
func (p *planner) checkPartitionedWindows(operations []*model.Operation) {
	for _, operation := range operations {
		if operation.Scope.Responses != nil && operation.Window > maxPartitionedWindow {
			p.list.Errorf(operation.Pos, "shorten it, or leave responses out of the scope",
				"%s replays for %v, and each day would be a partition of the responses of scope %q: at most 744h can be",
				operation.Name, operation.Window, operation.Scope.Name)
		}
	}
}

// usualResponses is the name of a responses table that the annotation does not name.
func usualResponses(scope *model.Scope, declared spec.Scope) string {
	base, suffix := naming.Snake(declared.Name), "_idempotency_responses"
	if declared.Table.OK {
		base, suffix = scope.Table, "_responses"
	}
	return strings.TrimSuffix(naming.FitSQL(base, suffix+partitionSuffix), partitionSuffix)
}

// partitionName matches what a rotation makes of the name of a responses table.
var partitionName = regexp.MustCompile(`^_([0-9]{8}|default)$`)

// checkPartitionsApart reports tables and indexes that are called like a partition.
func (p *planner) checkPartitionsApart(scopes []*model.Scope) {
	for _, scope := range scopes {
		if scope.Responses == nil {
			continue
		}
		for _, other := range scopes {
			for _, relation := range relationsOf(other) {
				suffix, ok := strings.CutPrefix(relation.name, scope.Responses.Table)
				if ok && partitionName.MatchString(suffix) && usualSchema(relation.schema) == usualSchema(scope.Responses.Schema) {
					p.list.Errorf(other.Pos, "give it another name with table:", "the %s %s of scope %q is called like a partition of the responses of scope %q",
						relation.what, naming.QuoteTable(relation.schema, relation.name), other.Name, scope.Name)
				}
			}
		}
	}
}
