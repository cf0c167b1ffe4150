package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
	"github.com/idemgen/idemgen/internal/spec"
)

var scopeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// sqlTypes are the column types of the annotation and their names in PostgreSQL.
var sqlTypes = map[string]string{
	"uuid":   "uuid",
	"int16":  "smallint",
	"int32":  "integer",
	"int64":  "bigint",
	"string": "text",
}

// reservedColumns are names that a scope's column cannot have: the table's own
// columns, the parameters of its queries, and PostgreSQL's system columns.
var reservedColumns = []string{
	"operation", "idempotency_key", "fingerprint", "fingerprint_version",
	"created_at", "replay_until", "status", "headers", "body",
	"replay_seconds", "retention_seconds", "swept_until", "batch_size",
	"response_id", // if the scope's responses are partitioned
	"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
}

// declaredScopes plans every scope of the document, by name.
func (p *planner) declaredScopes() []*model.Scope {
	if p.doc.Root == nil {
		return nil
	}
	var scopes []*model.Scope
	for _, declared := range p.doc.Root.Scopes {
		scope := p.scope(declared)
		p.scopes[declared.Name] = scope
		p.columns[declared.Name] = declared.Columns.V
		if scope != nil {
			scopes = append(scopes, scope)
		}
	}
	p.checkScopesApart(scopes)
	slices.SortFunc(scopes, func(a, b *model.Scope) int { return strings.Compare(a.Name, b.Name) })
	return scopes
}

// scope plans one scope. It is nil if too little of it is valid to continue.
func (p *planner) scope(declared spec.Scope) *model.Scope {
	if !scopeName.MatchString(declared.Name) || len(declared.Name) > naming.MaxSQLName {
		p.list.Errorf(declared.Pos, "use ASCII letters, digits, - and _, beginning with a letter, and at most 63 characters",
			"scope %q cannot be used in Go and SQL names", declared.Name)
		return nil
	}
	scope := &model.Scope{
		Name: declared.Name, GoName: naming.Exported(declared.Name),
		Pos: declared.Pos, ColumnsPos: declared.Columns.Key, ResponsesPos: declared.Pos,
	}
	if declared.Responses.Present() {
		scope.ResponsesPos = declared.Responses.Key
	}
	scope.Table = naming.FitSQL(naming.Snake(declared.Name), "_idempotency_keys")
	if declared.Table.OK {
		if schema, table, ok := p.table("key table", declared.Table); ok {
			scope.Schema, scope.Table = schema, table
		}
	}
	scope.Index = naming.FitSQL(scope.Table, "_replay_until_idx")
	scope.Queries = queryNames(scope.GoName)
	p.responseTable(scope, declared)
	scope.Columns = p.scopeColumns(declared.Columns.V, fmt.Sprintf("scope %q", declared.Name))
	if declared.Malformed || len(scope.Columns) < len(declared.Columns.V) {
		return nil
	}
	if len(scope.Columns) == 0 {
		p.list.Errorf(declared.Pos, "add columns: [{name: tenant_id, type: uuid}]", "scope %q has no columns", declared.Name)
		return nil
	}
	if !p.previous(scope, declared.Previous.V) {
		return nil
	}
	return scope
}

func queryNames(goName string) model.Queries {
	return model.Queries{
		Claim:     "Claim" + goName + "Key",
		Load:      "Load" + goName + "Key",
		Finish:    "Finish" + goName + "Key",
		Tombstone: "Tombstone" + goName + "Key",
		Sweep:     "Sweep" + goName + "Keys",
		Purge:     "Purge" + goName + "Keys",
		Status:    goName + "KeyStatus",
	}
}

// scopeColumns plans the columns of a table; owner names it in messages. Invalid
// columns are left out.
func (p *planner) scopeColumns(declared []spec.Column, owner string) []model.Column {
	var columns []model.Column
	taken := naming.NewTaken("")
	for _, column := range declared {
		planned, ok := p.column(column)
		if !ok {
			continue
		}
		field := naming.Exported(planned.Name)
		if other, free := taken.Take(field, planned.Name); !free {
			what := fmt.Sprintf("columns %q and %q would both have the Go field %s", other, planned.Name, field)
			if other == planned.Name {
				what = fmt.Sprintf("%s has two columns %q", owner, other)
			}
			p.list.Errorf(planned.Pos, "rename one of them", "%s", what)
			continue
		}
		columns = append(columns, planned)
	}
	return columns
}

func (p *planner) column(declared spec.Column) (model.Column, bool) {
	column := model.Column{Name: declared.Name.V, Pos: declared.Pos}
	before := len(p.list)
	p.columnName(declared)
	p.columnType(declared, &column)
	if declared.From.OK {
		p.source(declared.From)
		column.From = canonical(declared.From.V).String()
	}
	broken := !declared.Name.OK || !declared.Type.OK ||
		declared.From.Present() && !declared.From.OK || declared.MaxLength.Present() && !declared.MaxLength.OK
	return column, !broken && len(p.list) == before
}

func (p *planner) columnName(declared spec.Column) {
	name := declared.Name
	switch {
	case !name.Present():
		p.list.Errorf(declared.Pos, "add name: tenant_id", "the column has no name")
	case !name.OK:
	case !naming.SimpleSQLName(name.V) || strings.HasPrefix(name.V, "_") || len(name.V) > naming.MaxSQLName:
		p.list.Errorf(name.Pos, "use lower-case letters, digits and _, beginning with a letter, and at most 63 characters",
			"%q is not a valid column name", name.V)
	case slices.Contains(reservedColumns, name.V):
		p.list.Errorf(name.Pos, fmt.Sprintf("name it scope_%s, for example", name.V),
			"column name %q is reserved: the key table or one of its queries uses it", name.V)
	}
}

func (p *planner) columnType(declared spec.Column, column *model.Column) {
	typ, length := declared.Type, declared.MaxLength
	const types = "use one of: uuid, int16, int32, int64, string"
	switch {
	case !typ.Present():
		p.list.Errorf(declared.Pos, types, "column %q has no type", declared.Name.V)
	case !typ.OK:
	case sqlTypes[typ.V] == "":
		p.list.Errorf(typ.Pos, types, "unknown column type %q", typ.V)
	case typ.V == "string":
		p.columnLength(typ.Pos, length)
		column.Type, column.SQLType, column.MaxLength = typ.V, sqlTypes[typ.V], int(min(length.V, maxKeyBytes))
	case length.Present():
		p.list.Errorf(length.Key, "remove it", "maxLength is for columns of type string, and this one is %s", typ.V)
	default:
		column.Type, column.SQLType = typ.V, sqlTypes[typ.V]
	}
}

// columnLength checks the maxLength of a column of type string.
func (p *planner) columnLength(typePos diag.Position, length spec.Value[int64]) {
	switch {
	case !length.Present():
		p.list.Errorf(typePos, "add maxLength: 64, for example", "a column of type string needs a maxLength")
	case !length.OK:
	case length.V < 1:
		p.list.Errorf(length.Pos, "write 64, for example", "maxLength must be at least 1")
	case length.V > maxKeyBytes:
		p.list.Errorf(length.Pos, "lower it", "maxLength must be at most %d: the column is part of an index", maxKeyBytes)
	}
}

// source checks the part of a from that does not depend on an operation.
func (p *planner) source(from spec.Value[spec.FieldPath]) {
	const remedy = "use path.name, or a required header.Name or query.name"
	switch {
	case from.V.In == spec.InBody || from.V.In == spec.InCookie:
		p.list.Errorf(from.Pos, remedy, "a scope cannot be filled from %s", from.V)
	case len(from.V.Steps) > 1:
		p.list.Errorf(from.Pos, remedy, "a scope is filled from a whole parameter, not from a part of it such as %s", from.V)
	}
}

// checkScopesApart reports scopes that would have the same Go name or table.
func (p *planner) checkScopesApart(scopes []*model.Scope) {
	types, relations := naming.NewTaken(""), naming.NewTaken("")
	for _, scope := range scopes {
		if other, free := types.Take(scope.GoName, scope.Name); !free {
			p.list.Errorf(scope.Pos, "rename one of them", "scopes %q and %q would both have the Go type %sScope", other, scope.Name, scope.GoName)
		}
		for _, relation := range relationsOf(scope) {
			if other, free := relations.Take(relation.full(), scope.Name); !free {
				p.list.Errorf(scope.Pos, relation.remedy(other == scope.Name), "%s would share the %s %s",
					sharers(other, scope.Name), relation.what, naming.QuoteTable(relation.schema, relation.name))
				break
			}
		}
	}
	p.checkPartitionsApart(scopes)
}

// partitionName matches the names that rotation derives from the name of a responses
// table.
var partitionName = regexp.MustCompile(`^_([0-9]{8}|default)$`)

// checkPartitionsApart reports tables and indexes whose name is that of a partition.
func (p *planner) checkPartitionsApart(scopes []*model.Scope) {
	for _, scope := range scopes {
		if scope.Responses == nil {
			continue
		}
		for _, other := range scopes {
			for _, relation := range relationsOf(other) {
				suffix, ok := strings.CutPrefix(relation.name, scope.Responses.Table)
				if ok && partitionName.MatchString(suffix) && usualSchema(relation.schema) == usualSchema(scope.Responses.Schema) {
					p.list.Errorf(other.Pos, "give it another name with table:", "the %s %s of scope %q has the name of a partition of the responses of scope %q",
						relation.what, naming.QuoteTable(relation.schema, relation.name), other.Name, scope.Name)
				}
			}
		}
	}
}

// relation is a table or an index of a scope. Both share one namespace.
type relation struct{ what, schema, name string }

// full is the name that identifies a relation.
func (r relation) full() string { return naming.QuoteTable(usualSchema(r.schema), r.name) }

func (r relation) remedy(own bool) string {
	if own {
		return "give one of them another name, with table: under responses: or previous:"
	}
	return "give one of them a table of its own with table:"
}

func relationsOf(scope *model.Scope) []relation {
	relations := []relation{{"table", scope.Schema, scope.Table}, {"index", scope.Schema, scope.Index}}
	if responses := scope.Responses; responses != nil {
		relations = append(relations, relation{"table", responses.Schema, responses.Table})
	}
	for _, previous := range scope.Previous {
		relations = append(relations, relation{"table", previous.Schema, previous.Table}, relation{"index", previous.Schema, previous.Index})
		if previous.LookupIndex != "" {
			relations = append(relations, relation{"index", previous.Schema, previous.LookupIndex})
		}
	}
	return relations
}

// sharers names the scopes that would share a relation.
func sharers(a, b string) string {
	if a == b {
		return fmt.Sprintf("two tables of scope %q", a)
	}
	return fmt.Sprintf("scopes %q and %q", a, b)
}

// usualSchema is the schema in which an unqualified name is most likely found.
func usualSchema(schema string) string {
	if schema == "" {
		return "public"
	}
	return schema
}

// Index rows of PostgreSQL hold at most a third of a page.
const (
	maxKeyBytes   = 1020
	maxIndexBytes = 2600
)

// checkIndexRow reports a primary key that is too large for the index.
func (p *planner) checkIndexRow(operation *model.Operation) {
	size := len(operation.Name) + keySize(operation.Key) + 8
	for _, column := range operation.Scope.Columns {
		switch column.SQLType {
		case "text":
			size += 4*column.MaxLength + 4
		case "uuid":
			size += 16
		default:
			size += 8
		}
	}
	if size > maxIndexBytes {
		p.list.Errorf(operation.Pos, "lower maxLength of the scope's columns or of the key",
			"scope, operation and key of %s can take %d bytes, and PostgreSQL can index %d", operation.Name, size, maxIndexBytes)
	}
}

// keySize returns the maximum number of bytes of a key.
func keySize(key model.Key) int {
	if key.InBody() {
		return min(utf8.UTFMax*key.MaxLength, maxKeyBytes)
	}
	return key.MaxLength
}

// checkSource checks that an operation that uses the scope has the source of a column,
// that it is required, and that it has the column's type.
func (p *planner) checkSource(op *spec.Operation, column spec.Column, parameters []parameter) {
	from := column.From
	if !from.OK || !column.Type.OK || len(from.V.Steps) != 1 {
		return
	}
	i := slices.IndexFunc(parameters, func(candidate parameter) bool { return candidate.is(from.V) })
	if i < 0 {
		p.list.Errorf(from.Pos, "declare the parameter there, or use another scope for the operation",
			"%s %s uses the scope but has no parameter %s", op.Method, op.Path, from.V)
		return
	}
	source := parameters[i]
	pos := p.doc.PositionOf(source.at)
	if !source.Required {
		p.list.Errorf(from.Pos, "make it required: a scope cannot be empty",
			"parameter %s of %s %s (%s) is not required", from.V, op.Method, op.Path, pos)
		return
	}
	if problem := sourceProblem(column.Type.V, source); problem != "" {
		p.list.Errorf(from.Pos, "use a column type that holds every value of the parameter",
			"a column of type %s cannot be filled from %s of %s %s (%s): the parameter %s",
			column.Type.V, from.V, op.Method, op.Path, pos, problem)
	}
}

// sourceFormats are the integer formats that fit into a column; "" is an integer
// without a format. Types that are missing here have no formats.
var sourceFormats = map[string][]string{
	"int64": {"", "int64", "int32", "int16", "int8", "uint32", "uint16", "uint8"},
	"int32": {"int32", "int16", "int8", "uint16", "uint8"},
	"int16": {"int16", "int8", "uint8"},
}

// sourceProblem says why a parameter cannot fill a column of that type, or "".
func sourceProblem(columnType string, source parameter) string {
	if !source.schema().exists() {
		return "has no schema"
	}
	s := shapeOf(source.schema())
	kind, trouble := s.kind()
	if trouble != nil {
		return trouble.what
	}
	fits := kind == model.Integer && slices.Contains(sourceFormats[columnType], s.format)
	switch columnType {
	case "uuid":
		fits = kind == model.UUID
	case "string":
		fits = kind == model.String
	}
	if fits {
		return ""
	}
	return "is of type " + model.TypeText(kind, s.format)
}

// unknownScope reports a scope that is not declared.
func (p *planner) unknownScope(scope spec.Value[string]) {
	names := sortedKeys(p.scopes)
	remedy := diag.DidYouMean(scope.V, names)
	if len(names) == 0 {
		remedy = "declare it under scopes in the x-idempotent at the document's root"
	}
	p.list.Errorf(scope.Pos, remedy, "unknown scope %q", scope.V)
}
