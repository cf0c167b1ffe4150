package idemrt

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// DBTX is what a query function runs on: a pool, a connection, a transaction,
// or the runtime's own adapter that sends the query in a batch with others.
type DBTX interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// Keys is the part of a key table that belongs to one scope. Equal values are the
// same scope.
//
// Each method runs exactly one statement on the DBTX it is given, with Exec,
// Query or QueryRow, and reads its result before it returns.
type Keys interface {
	// Claim inserts the key. It returns [pgx.ErrNoRows] when the key exists or
	// another transaction is deciding it.
	Claim(ctx context.Context, db DBTX, claim Claim) error
	// Load reads the record. It returns [pgx.ErrNoRows] when there is none.
	Load(ctx context.Context, db DBTX, operation, key string) (Record, error)
	// Finish stores the response in the row that this very transaction claimed. It
	// fails when there is none.
	Finish(ctx context.Context, db DBTX, operation, key string, response Recorded) error
}

// ErrorOf returns the error of a query whose result does not matter.
func ErrorOf[Result any](_ Result, err error) error { return err }

// Claim is a key to be inserted.
type Claim struct {
	Operation     string
	Key           string
	Fingerprint   fingerprint.Fingerprint
	WindowSeconds int64
}

// Record is a committed key, field by field as the Load query returns it. An expired
// one has no response.
type Record struct {
	Fingerprint        []byte
	FingerprintVersion int16
	Expired            bool
	Status             int16  // 0 without a response
	Headers            []byte // as in Recorded
	Body               []byte
}

// Recorded is a response to be stored.
type Recorded struct {
	Status  int16
	Headers []byte // an HTTP header block: "Name: value\r\n" each
	Body    []byte
}

// Sweeping are the queries by which the responses of expired keys are deleted, where
// they are in the key table.
type Sweeping interface {
	// Sweep deletes the responses of a batch of expired keys, the oldest first.
	Sweep(ctx context.Context, db DBTX, batch SweepBatch) (SweptBatch, error)
	Purging
}

// SweepBatch are the parameters of a Sweep query.
type SweepBatch struct {
	SweptUntil int64 // where to start, in Unix seconds
	BatchSize  int64 // rows
}

// SweptBatch is the row that a Sweep query returns.
type SweptBatch struct {
	Swept      int64 // rows
	SweptUntil int64 // where the next batch starts, in Unix seconds
}

// Rotating are the queries by which the responses of expired keys are deleted, where
// they are in a partitioned table of their own.
type Rotating interface {
	// Rotate drops the partitions of responses whose windows are over, and makes
	// those of the days to come. It returns how many it dropped. The role must own
	// the table.
	Rotate(ctx context.Context, db DBTX) (dropped int64, err error)
	Purging
}

// Purging is the query by which keys are deleted.
type Purging interface {
	// Purge deletes a batch of keys whose window ended longer than the retention ago,
	// and returns how many.
	Purge(ctx context.Context, db DBTX, batch PurgeBatch) (int64, error)
}

// PurgeBatch are the parameters of a Purge query.
type PurgeBatch struct {
	RetentionSeconds int64
	BatchSize        int64 // rows
}
