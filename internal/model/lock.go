package model

// LockTable is what the lock remembers of one key table.
type LockTable struct {
	Table     string // SQL spelling, as in the schema: `account_idempotency_keys`, `"Billing"."Keys"`
	Scope     string
	Responses string // table of partitioned responses, "" for inline
	Partition string // "day" with Responses
	Columns   []LockColumn
	Previous  []LockPrevious
}

// LockColumn is one column of a scope.
type LockColumn struct {
	Name      string
	Type      string // as in the annotation: "uuid", "int64", "string"
	MaxLength int    // of a string, in characters
	From      string // the request field that fills it, "" for the resolver's
	Now       string // of a previous table: the column's name in the current table, where that is another
}

// LockPrevious is a table that had the scope's keys before its columns changed.
type LockPrevious struct {
	Table   string
	Columns []LockColumn
}
