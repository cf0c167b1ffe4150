package lock

import (
	"cmp"
	"slices"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/naming"
)

// New returns what the lock file remembers of a contract that [Compare] has
// completed. before is the lock of the last run, accepted what Compare returned.
// Files are slash-separated and relative to the lock file.
func New(contract *model.Contract, before model.Lock, accepted, files []string) model.Lock {
	lock := model.Lock{
		Tables:   Tables(contract),
		Accepted: slices.Sorted(slices.Values(accepted)),
		Files:    slices.Sorted(slices.Values(files)),
	}
	for _, operation := range contract.Operations {
		lock.Operations = append(lock.Operations, lockOperation(operation, lockedOperation(before, operation.Name)))
	}
	slices.SortFunc(lock.Operations, func(a, b model.LockOperation) int { return cmp.Compare(a.Name, b.Name) })
	return lock
}

// Tables returns the key tables of a contract as the lock has them, by name.
func Tables(contract *model.Contract) []model.LockTable {
	var tables []model.LockTable
	for _, scope := range contract.Scopes {
		tables = append(tables, lockTable(scope))
	}
	slices.SortFunc(tables, func(a, b model.LockTable) int { return cmp.Compare(a.Table, b.Table) })
	return tables
}

func lockTable(scope *model.Scope) model.LockTable {
	table := model.LockTable{Table: tableName(scope), Scope: scope.Name, Columns: lockColumns(scope.Columns)}
	if responses := scope.Responses; responses != nil {
		table.Responses, table.Partition = naming.QuoteTable(responses.Schema, responses.Table), "day"
	}
	for _, previous := range scope.Previous {
		table.Previous = append(table.Previous, lockPrevious(previous))
	}
	return table
}

// lockPrevious notes where a column's values are now only if that is not the column
// of the same name.
func lockPrevious(previous *model.Previous) model.LockPrevious {
	columns := lockColumns(previous.Columns)
	for i, now := range previous.Now {
		if now != columns[i].Name {
			columns[i].Now = now
		}
	}
	return model.LockPrevious{Table: tableName(previous.Scope), Columns: columns}
}

// tableName is a table's name as SQL spells it, by which tables are told apart.
func tableName(scope *model.Scope) string { return naming.QuoteTable(scope.Schema, scope.Table) }

func lockColumns(columns []model.Column) []model.LockColumn {
	locked := make([]model.LockColumn, len(columns))
	for i, c := range columns {
		locked[i] = model.LockColumn{Name: c.Name, Type: c.Type, MaxLength: c.MaxLength, From: c.From}
	}
	return locked
}

// lockedOperation returns what lock remembers of an operation; nothing if it is
// new.
func lockedOperation(lock model.Lock, name string) model.LockOperation {
	for _, operation := range lock.Operations {
		if operation.Name == name {
			return operation
		}
	}
	return model.LockOperation{}
}

func lockOperation(operation *model.Operation, before model.LockOperation) model.LockOperation {
	return model.LockOperation{
		Name:       operation.Name,
		Request:    operation.Method + " " + operation.Path,
		Mode:       operation.Mode,
		Scope:      operation.Scope.Name,
		Key:        lockKey(operation.Key),
		Final:      operation.Final,
		NotFinal:   operation.NotFinal,
		Window:     operation.Window,
		Wait:       operation.Wait,
		RetryAfter: operation.RetryAfter,
		Statuses:   model.LockStatuses{Mismatch: operation.Mismatch, InFlight: operation.InFlight, Expired: operation.Expired},
		Headers:    operation.Headers,
		MaxBody:    operation.MaxBody,
		Versions:   lockVersions(operation, before),
	}
}

func lockKey(key model.Key) model.LockKey {
	return model.LockKey{
		In: cmp.Or(key.In, model.InHeader), Name: key.Name, Required: key.Required,
		MinLength: key.MinLength, MaxLength: key.MaxLength, Pattern: key.Pattern, Format: key.Format,
	}
}

func lockVersions(operation *model.Operation, before model.LockOperation) []model.LockVersion {
	current := lockVersion(operation.Fingerprint)
	// Records that were written before the window became shorter keep theirs.
	current.Window = max(operation.Window, windowOf(before, current.Version))
	versions := []model.LockVersion{current}
	for _, older := range operation.Older {
		version := lockVersion(older.Fingerprint)
		version.Window = windowOf(before, version.Version)
		versions = append(versions, version)
	}
	for _, retired := range operation.Retired {
		versions = append(versions, model.LockVersion{Version: retired, Retired: true})
	}
	slices.SortFunc(versions, func(a, b model.LockVersion) int { return cmp.Compare(b.Version, a.Version) })
	return versions
}

func lockVersion(fingerprint model.Fingerprint) model.LockVersion {
	fields := Fields(fingerprint.Roots)
	return model.LockVersion{Version: fingerprint.Version, Digest: digestOf(fields), Fields: fields}
}

// windowOf returns the longest window that records of a version may have, by what
// the lock says; 0 if it does not know the version.
func windowOf(before model.LockOperation, version int) time.Duration {
	for _, known := range before.Versions {
		if known.Version == version {
			return known.Window
		}
	}
	return 0
}
