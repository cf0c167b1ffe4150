package idemrt

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	savepointSQL  = "savepoint idempotent_business"
	releaseSQL    = "release savepoint idempotent_business"
	rollbackToSQL = "rollback to savepoint idempotent_business"
	commitSQL     = "commit"
	rollbackSQL   = "rollback"
)

const (
	errOneStatement  fault = "a method of Keys must run one statement, with Exec, Query or QueryRow"
	errNothingQueued fault = "a method of Keys ran no statement"
)

// pipeline is the [DBTX] of one query function. It sends the function's only
// statement together with those before and after it, in one round trip, so that
// queries stay as sqlc typed them and cost nothing extra.
type pipeline struct {
	conn   *pgx.Conn
	begin  bool     // start with BEGIN, READ COMMITTED whatever the pool's default is
	before []string // then these
	after  []string // and, behind the function's statement, these

	results pgx.BatchResults
}

// claimPipeline begins the transaction and claims. With a savepoint, what the
// business function writes can be undone without the claim.
func claimPipeline(conn *pgx.Conn, savepoint bool) *pipeline {
	p := &pipeline{conn: conn, begin: true}
	if savepoint {
		p.after = []string{savepointSQL}
	}
	return p
}

// loadPipeline reads and ends the transaction. Nothing was written in it, so
// that ROLLBACK costs the server no flush.
func loadPipeline(conn *pgx.Conn) *pipeline {
	return &pipeline{conn: conn, after: []string{rollbackSQL}}
}

// finishPipeline records and commits. If the business function ended the
// transaction behind our back, the record fails: its claim is not of this
// transaction. RELEASE fails too, where there is nothing to record.
func finishPipeline(conn *pgx.Conn, savepoint bool) *pipeline {
	p := &pipeline{conn: conn, after: []string{commitSQL}}
	if savepoint {
		p.before = []string{releaseSQL}
	}
	return p
}

// Exec implements [DBTX].
func (p *pipeline) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return p.sendOnce(ctx, sql, args).Exec()
}

// Query implements [DBTX].
func (p *pipeline) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.sendOnce(ctx, sql, args).Query()
}

// QueryRow implements [DBTX].
func (p *pipeline) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return p.sendOnce(ctx, sql, args).QueryRow()
}

// SendBatch implements [DBTX] and fails: a batch is not one statement.
func (p *pipeline) SendBatch(_ context.Context, b *pgx.Batch) pgx.BatchResults {
	return pgx.FailedBatchResults(b, errOneStatement)
}

// CopyFrom implements [DBTX] and fails: a copy cannot be batched.
func (p *pipeline) CopyFrom(context.Context, pgx.Identifier, []string, pgx.CopyFromSource) (int64, error) {
	return 0, errOneStatement
}

// sendOnce sends the batch with the function's statement in it. The next result
// of what it returns is that statement's, or the error of one before it.
func (p *pipeline) sendOnce(ctx context.Context, sql string, args []any) pgx.BatchResults {
	if p.results != nil {
		return pgx.FailedBatchResults(&pgx.Batch{}, errOneStatement)
	}
	if err := p.send(ctx, func(b *pgx.Batch) { b.Queue(sql, args...) }); err != nil {
		return pgx.FailedBatchResults(&pgx.Batch{}, err)
	}
	return p.results
}

// send sends the batch and reads the answers up to the function's statement.
func (p *pipeline) send(ctx context.Context, queue func(*pgx.Batch)) error {
	batch := &pgx.Batch{}
	if p.begin {
		batch.BeginTx(pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	}
	for _, sql := range p.before {
		batch.Queue(sql)
	}
	first := batch.Len()
	queue(batch)
	for _, sql := range p.after {
		batch.Queue(sql)
	}
	p.results = p.conn.SendBatch(ctx, batch)
	for range first {
		if _, err := p.results.Exec(); err != nil {
			return err
		}
	}
	return nil
}

// sendBare sends the batch without a statement of a query function.
func (p *pipeline) sendBare(ctx context.Context) error {
	return p.send(ctx, func(*pgx.Batch) {})
}

// close reads the answers to the statements behind the function's own and
// returns the tag of the last. It must be called once the function has returned.
func (p *pipeline) close() (pgconn.CommandTag, error) {
	if p.results == nil {
		return pgconn.CommandTag{}, errNothingQueued
	}
	var last pgconn.CommandTag
	var err error
	for range p.after {
		if last, err = p.results.Exec(); err != nil {
			break
		}
	}
	if closeErr := p.results.Close(); err == nil {
		err = closeErr
	}
	return last, err
}

// tx returns the transaction that the batch began, once it is closed.
func (p *pipeline) tx() pgx.Tx {
	return p.results.Tx()
}
