package spec

import (
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

// Root is the annotation at the root of the document: its scopes and defaults.
type Root struct {
	// Pos is the position of the key x-idempotent.
	Pos diag.Position
	// Malformed is set if part of it was reported and left out; what is missing is
	// then not reported again.
	Malformed bool
	// Scopes are in the document's order.
	Scopes []Scope
	// Accept lists changes of the contract that are intended, in the words of the
	// diagnostics that report them.
	Accept Value[[]Value[string]]
	// Defaults are the settings used where an operation has none; the zero value if
	// there are none.
	Defaults Settings
}

// Scope is a declared scope.
type Scope struct {
	Name string
	// Pos is the position of the name.
	Pos diag.Position
	// Malformed is set if part of it was reported and left out.
	Malformed bool
	// Columns are in the document's order, which is the key's order.
	Columns Value[[]Column]
	// Table is the name of the key table, possibly schema-qualified.
	Table Value[string]
	// Responses is the separate table of recorded responses, if the scope has one.
	Responses Value[Responses]
	// Previous are the tables that held the scope's keys before its columns changed.
	Previous Value[[]Previous]
}

// Previous is a table that held a scope's keys before its columns changed.
type Previous struct {
	Pos diag.Position
	// Table is its name, possibly schema-qualified.
	Table Value[string]
	// Columns are the columns of that table, in the order of its primary key.
	Columns Value[[]Column]
}

// Responses is a scope's table of recorded responses.
type Responses struct {
	Partition Value[string]
	// Table is its name, possibly schema-qualified.
	Table Value[string]
}

// Column is a column of a scope.
type Column struct {
	Pos       diag.Position
	Name      Value[string]
	Type      Value[string]
	MaxLength Value[int64]
	// From is the request field that fills the column.
	From Value[FieldPath]
	// Now is the scope's column that holds the values of this column of a previous
	// table.
	Now Value[string]
}

// Annotation is the annotation of an operation.
type Annotation struct {
	// Pos is the position of the key x-idempotent.
	Pos diag.Position
	// Malformed is set if part of it was reported and left out; what is missing is
	// then not reported again.
	Malformed bool
	Scope     Value[string]
	// Name is the stored name.
	Name        Value[string]
	Fingerprint Value[Fingerprint]
	Settings
}

// Settings are what an operation and the defaults have in common.
type Settings struct {
	Key      Value[Key]
	Final    Value[[]Value[string]] // statuses and classes, such as 402 and 2XX
	Replay   Value[Replay]
	InFlight Value[InFlight]
	Status   Value[Status]
	MaxBody  Value[int64] // bytes
	Mode     Value[string]
	Strict   Value[bool]
}

// Fingerprint says which fields decide what a request means.
type Fingerprint struct {
	// Version is absent in the short form, which is a plain list.
	Version Value[int64]
	// Since is the day (00:00 UTC) after which no process writes older versions.
	Since Value[time.Time]
	// Retired lists older versions whose records have expired.
	Retired Value[[]Value[int64]]
	Fields  Value[[]Field]
	Ignore  Value[[]Value[FieldPath]]
}

// Field is a field that takes part in the fingerprint.
type Field struct {
	// Pos is the position of the list item.
	Pos       diag.Position
	Path      Value[FieldPath]
	Order     Value[string]
	Normalize Value[[]Value[string]]
}

// Key describes where the idempotency key is and what it looks like.
type Key struct {
	In        Value[string]
	Name      Value[string]
	Required  Value[bool]
	MinLength Value[int64]
	MaxLength Value[int64]
	Pattern   Value[string]
	Format    Value[string]
}

// Replay says for how long and with which headers a response is replayed.
type Replay struct {
	Window  Value[time.Duration]
	Headers Value[[]Value[string]]
}

// InFlight describes how a duplicate is answered while the first call runs.
type InFlight struct {
	Wait       Value[time.Duration]
	RetryAfter Value[time.Duration]
}

// Status sets the statuses of the responses that idemgen itself gives.
type Status struct {
	Mismatch Value[int64]
	InFlight Value[int64]
	Expired  Value[int64]
}

// Keys lists the keys of each mapping of the annotation language.
func Keys() map[string][]string {
	settings := []string{"key", "final", "replay", "inFlight", "status", "maxBody", "mode", "strict"}
	return map[string][]string{
		"root":        {"scopes", "defaults", "accept"},
		"scope":       {"columns", "table", "responses", "previous"},
		"responses":   {"partition", "table"},
		"previous":    {"table", "columns"},
		"oldColumn":   {"name", "type", "maxLength", "now"},
		"column":      {"name", "type", "maxLength", "from"},
		"defaults":    settings,
		"operation":   append([]string{"scope", "name", "fingerprint"}, settings...),
		"key":         {"in", "name", "required", "minLength", "maxLength", "pattern", "format"},
		"fingerprint": {"version", "since", "retired", "fields", "ignore"},
		"field":       {"field", "order", "normalize"},
		"replay":      {"window", "headers"},
		"inFlight":    {"wait", "retryAfter"},
		"status":      {"mismatch", "inFlight", "expired"},
	}
}
