package idemrt

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// liveRows are the rows of a transaction that may be shut before they are read.
type liveRows struct {
	pgx.Rows
	door *turnstile
	err  error // why Next stopped, if not for the rows' own reason
}

// Close implements [pgx.Rows].
func (r *liveRows) Close() {
	if r.door.take() == nil {
		defer r.door.give()
		r.Rows.Close()
	}
}

// Next implements [pgx.Rows].
func (r *liveRows) Next() bool {
	if r.err = r.door.take(); r.err != nil {
		return false
	}
	defer r.door.give()
	return r.Rows.Next()
}

// Scan implements [pgx.Rows]. It may close the rows.
func (r *liveRows) Scan(dest ...any) error {
	if err := r.door.take(); err != nil {
		return err
	}
	defer r.door.give()
	return r.Rows.Scan(dest...)
}

// Values implements [pgx.Rows]. It may close the rows.
func (r *liveRows) Values() ([]any, error) {
	if err := r.door.take(); err != nil {
		return nil, err
	}
	defer r.door.give()
	return r.Rows.Values()
}

// Err implements [pgx.Rows].
func (r *liveRows) Err() error {
	if r.err != nil {
		return r.err
	}
	return r.Rows.Err()
}

// liveRow is a row of a transaction that may be shut before it is read.
type liveRow struct {
	row  pgx.Row
	door *turnstile
}

// Scan implements [pgx.Row].
func (r *liveRow) Scan(dest ...any) error {
	if err := r.door.take(); err != nil {
		return err
	}
	defer r.door.give()
	return r.row.Scan(dest...)
}

// liveBatch are the results of a batch in a transaction that may be shut before
// they are read.
type liveBatch struct {
	pgx.BatchResults
	door *turnstile
}

// Exec implements [pgx.BatchResults].
func (b *liveBatch) Exec() (pgconn.CommandTag, error) {
	if err := b.door.take(); err != nil {
		return pgconn.CommandTag{}, err
	}
	defer b.door.give()
	return b.BatchResults.Exec()
}

// Query implements [pgx.BatchResults].
func (b *liveBatch) Query() (pgx.Rows, error) {
	if err := b.door.take(); err != nil {
		return failedRows(err), err
	}
	defer b.door.give()
	rows, err := b.BatchResults.Query()
	return &liveRows{Rows: rows, door: b.door}, err
}

// QueryRow implements [pgx.BatchResults].
func (b *liveBatch) QueryRow() pgx.Row {
	if err := b.door.take(); err != nil {
		return failedRow{err}
	}
	defer b.door.give()
	return &liveRow{row: b.BatchResults.QueryRow(), door: b.door}
}

// Close implements [pgx.BatchResults].
func (b *liveBatch) Close() error {
	if err := b.door.take(); err != nil {
		return err
	}
	defer b.door.give()
	return b.BatchResults.Close()
}

// failedRow reports an error instead of a row.
type failedRow struct{ err error }

// Scan implements [pgx.Row].
func (r failedRow) Scan(...any) error { return r.err }

// failedRows returns closed rows that report err.
func failedRows(err error) pgx.Rows {
	rows, _ := pgx.FailedBatchResults(&pgx.Batch{}, err).Query()
	return rows
}
