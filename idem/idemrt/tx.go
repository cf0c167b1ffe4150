package idemrt

import (
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrTxOwned is what Commit and Rollback of a business function's tx return.
// The transaction is ended by what the function returns.
var ErrTxOwned error = fault("the guard ends this transaction: return a response or an error instead")

const (
	errTxInUse    fault = "tx is in use by another goroutine"
	errTxLeftBusy fault = "the business function returned while a goroutine of its own was using tx"
	errRowsOpen   fault = "the business function returned with rows or batch results open"
	errNestedOpen fault = "the business function returned with a nested transaction open"
)

// turnstile lets one goroutine at a time use the connection, and none once it
// is shut. Nobody waits: a second user is told so, as pgx does.
type turnstile struct {
	mu     sync.Mutex
	inUse  bool
	isShut bool
	last   func() // run by the user who was in when it was shut
}

func (t *turnstile) take() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.isShut:
		return pgx.ErrTxClosed
	case t.inUse:
		return errTxInUse
	}
	t.inUse = true
	return nil
}

func (t *turnstile) give() {
	t.mu.Lock()
	t.inUse = false
	last := t.last
	t.last = nil
	t.mu.Unlock()
	if last != nil {
		last()
	}
}

// shut lets nobody in any more. If somebody is still in, it calls evict while
// they cannot leave, reports false, and they run last when they do.
func (t *turnstile) shut(evict, last func()) (empty bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isShut = true
	if t.inUse {
		evict()
		t.last = last
	}
	return !t.inUse
}

// guardedTx is the transaction that a business function gets. It refuses to be
// ended and is dead once the function has returned, for goroutines too.
type guardedTx struct {
	liveTx
	session *session
}

// newGuardedTx guards the transaction of s.
func newGuardedTx(s *session) *guardedTx {
	return &guardedTx{
		liveTx:  liveTx{raw: s.tx, door: &turnstile{}, nested: &nestedList{}},
		session: s,
	}
}

// Commit implements [pgx.Tx] and refuses.
func (tx *guardedTx) Commit(context.Context) error { return ErrTxOwned }

// Rollback implements [pgx.Tx] and refuses.
func (tx *guardedTx) Rollback(context.Context) error { return ErrTxOwned }

// end makes tx unusable and says what the business function left behind.
func (tx *guardedTx) end(ctx context.Context) error {
	if !tx.door.shut(tx.session.breakOff, tx.session.conn.Release) {
		return errTxLeftBusy
	}
	conn := tx.session.conn.Conn()
	if !conn.IsClosed() && conn.PgConn().IsBusy() {
		tx.session.destroy(ctx)
		return errRowsOpen
	}
	if tx.nested.anyOpen() {
		return errNestedOpen
	}
	return nil
}

// nestedList is every nested transaction that was begun, open or not.
type nestedList struct {
	mu  sync.Mutex
	all []*nestedTx
}

func (l *nestedList) add(tx *nestedTx) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(slices.DeleteFunc(l.all, (*nestedTx).isClosed), tx)
}

func (l *nestedList) anyOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.all, func(tx *nestedTx) bool { return !tx.isClosed() })
}

// liveTx is what a guarded and a nested transaction have in common: everything
// but their ends.
type liveTx struct {
	raw    pgx.Tx
	door   *turnstile
	nested *nestedList
	inside *nestedTx // nil in the transaction itself
}

func (tx *liveTx) take() error {
	if tx.inside != nil && tx.inside.isClosed() {
		return pgx.ErrTxClosed
	}
	return tx.door.take()
}

// Begin starts a nested transaction, a savepoint, that may be committed and
// rolled back. It must have been before the business function returns.
func (tx *liveTx) Begin(ctx context.Context) (pgx.Tx, error) {
	if err := tx.take(); err != nil {
		return nil, err
	}
	defer tx.door.give()
	raw, err := tx.raw.Begin(ctx)
	if err != nil {
		return nil, err
	}
	nested := &nestedTx{
		liveTx: liveTx{raw: raw, door: tx.door, nested: tx.nested},
		parent: tx.inside,
	}
	nested.inside = nested
	tx.nested.add(nested)
	return nested, nil
}

// CopyFrom implements [pgx.Tx].
func (tx *liveTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := tx.take(); err != nil {
		return 0, err
	}
	defer tx.door.give()
	return tx.raw.CopyFrom(ctx, table, columns, rows)
}

// SendBatch implements [pgx.Tx].
func (tx *liveTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if err := tx.take(); err != nil {
		return pgx.FailedBatchResults(b, err)
	}
	defer tx.door.give()
	return &liveBatch{BatchResults: tx.raw.SendBatch(ctx, b), door: tx.door}
}

// LargeObjects implements [pgx.Tx]. What it returns reaches the connection
// itself and must not be kept.
func (tx *liveTx) LargeObjects() pgx.LargeObjects { return tx.raw.LargeObjects() }

// Prepare implements [pgx.Tx].
func (tx *liveTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	if err := tx.take(); err != nil {
		return nil, err
	}
	defer tx.door.give()
	return tx.raw.Prepare(ctx, name, sql)
}

// Exec implements [pgx.Tx].
func (tx *liveTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := tx.take(); err != nil {
		return pgconn.CommandTag{}, err
	}
	defer tx.door.give()
	return tx.raw.Exec(ctx, sql, args...)
}

// Query implements [pgx.Tx].
func (tx *liveTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := tx.take(); err != nil {
		return failedRows(err), err
	}
	defer tx.door.give()
	rows, err := tx.raw.Query(ctx, sql, args...)
	return &liveRows{Rows: rows, door: tx.door}, err
}

// QueryRow implements [pgx.Tx].
func (tx *liveTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := tx.take(); err != nil {
		return failedRow{err}
	}
	defer tx.door.give()
	return &liveRow{row: tx.raw.QueryRow(ctx, sql, args...), door: tx.door}
}

// Conn returns the connection itself, for its type map. It must not be kept,
// and nothing may be run on it.
func (tx *liveTx) Conn() *pgx.Conn { return tx.raw.Conn() }

// nestedTx is a savepoint of the business function's own.
type nestedTx struct {
	liveTx
	parent *nestedTx

	mu     sync.Mutex
	closed bool
}

// isClosed reports whether tx or one around it was ended.
func (tx *nestedTx) isClosed() bool {
	for ; tx != nil; tx = tx.parent {
		tx.mu.Lock()
		closed := tx.closed
		tx.mu.Unlock()
		if closed {
			return true
		}
	}
	return false
}

// Commit implements [pgx.Tx].
func (tx *nestedTx) Commit(ctx context.Context) error { return tx.close(ctx, tx.raw.Commit) }

// Rollback implements [pgx.Tx].
func (tx *nestedTx) Rollback(ctx context.Context) error { return tx.close(ctx, tx.raw.Rollback) }

func (tx *nestedTx) close(ctx context.Context, end func(context.Context) error) error {
	if err := tx.take(); err != nil {
		return err
	}
	defer tx.door.give()
	tx.mu.Lock()
	tx.closed = true
	tx.mu.Unlock()
	return end(ctx)
}
