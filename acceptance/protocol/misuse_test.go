package protocol_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/idemgen/idemgen/idem"
)

var errBusiness = errors.New("out of stock")

func fails(err error) business {
	return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		return nil, errors.Join(insert(ctx, tx, "gone"), err)
	}
}

func declines(ctx context.Context, tx pgx.Tx) (outcome, error) {
	return responds(402, "declined"), insert(ctx, tx, "gone")
}

func declinesAfterError(ctx context.Context, tx pgx.Tx) (outcome, error) {
	_ = insert(ctx, tx, "twice")
	if insert(ctx, tx, "twice") == nil {
		return nil, errors.New("the second insert succeeded")
	}
	return responds(402, "declined"), nil
}

// swallows ignores an error of the database, which aborted the transaction.
func swallows(ctx context.Context, tx pgx.Tx) (outcome, error) {
	_ = insert(ctx, tx, "order")
	_ = insert(ctx, tx, "order")
	return responds(201, "fine"), nil
}

func leavesRowsOpen(ctx context.Context, tx pgx.Tx) (outcome, error) {
	_, err := tx.Query(ctx, "SELECT generate_series(1, 1000)")
	return responds(201, "fine"), err
}

func runs(statements ...string) business {
	return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		for _, sql := range statements {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return nil, err
			}
		}
		return responds(201, "fine"), nil
	}
}

// Whatever makes the transaction unsafe to commit is answered 500; nothing is
// reported as done that is not.
func TestMisuse(t *testing.T) {
	t.Parallel()
	s := newService(t)
	respond := func(status int) business {
		return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			return responds(status, "x"), insert(ctx, tx, "gone")
		}
	}
	for name, fn := range map[string]business{
		"rows left open": leavesRowsOpen,
		"row not scanned": func(ctx context.Context, tx pgx.Tx) (outcome, error) {
			tx.QueryRow(ctx, "SELECT 1")
			return responds(201, ""), nil
		},
		"batch left open":       leavesBatchOpen,
		"nested left open":      leavesNestedOpen,
		"error swallowed":       swallows,
		"rolled back":           runs("INSERT INTO orders VALUES ('gone')", "ROLLBACK"),
		"rolled back and begun": runs("INSERT INTO orders VALUES ('gone')", "ROLLBACK", "BEGIN"),
		"rolled back, chained":  runs("INSERT INTO orders VALUES ('gone')", "ROLLBACK AND CHAIN"),
		"all in one string":     runs("INSERT INTO orders VALUES ('gone'); ROLLBACK; BEGIN"),
		"nothing returned":      func(context.Context, pgx.Tx) (outcome, error) { return nil, nil },
		"status unset":          respond(0),
		"status 99":             respond(99),
		"status 101":            respond(101),
		"status 600":            respond(600),
		"response too large": func(context.Context, pgx.Tx) (outcome, error) {
			return responds(201, strings.Repeat("x", 1<<20)), nil
		},
		"header malformed":       badHeader,
		"tx used by a goroutine": leavesGoroutine,
	} {
		for finals, op := range map[string]*definition{"with a savepoint": &operation, "without": successOnly()} {
			t.Run(name+"/"+finals, func(t *testing.T) {
				s := *s
				s.t, s.op = t, op
				s.wantReply(s.call(t.Context(), "k", "a", fn), 500, "idempotency_internal_error")
				s.wantState(0, 0)
				if !strings.Contains(s.log.String(), `"level":"ERROR"`) {
					t.Error("nothing was logged")
				}
				s.wantFirst("k", "order")
				mustExec(t, s.pool, "DELETE FROM provider_idempotency_keys")
				mustExec(t, s.pool, "DELETE FROM orders")
			})
		}
	}
	stray.release()
	s.wantIdle()
}

// COMMIT behind our back closes the key: what it did is not known to us.
func TestMisuseCommit(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for name, fn := range map[string]business{
		"committed":           runs("COMMIT"),
		"committed-and-begun": runs("COMMIT", "BEGIN"),
		"chained":             runs("COMMIT AND CHAIN"),
		"all-in-one-string":   runs("COMMIT; BEGIN"),
	} {
		for finals, op := range map[string]*definition{"-savepoint": &operation, "-none": successOnly()} {
			s.op = op
			s.wantReply(s.call(t.Context(), name+finals, "a", fn), 500, "idempotency_internal_error")
			s.wantReply(s.call(t.Context(), name+finals, "a", fn), 410, "idempotency_expired")
		}
	}
	s.wantIdle()
}

func leavesBatchOpen(ctx context.Context, tx pgx.Tx) (outcome, error) {
	b := &pgx.Batch{}
	b.Queue("SELECT 1")
	tx.SendBatch(ctx, b)
	return responds(201, ""), nil
}

func leavesNestedOpen(ctx context.Context, tx pgx.Tx) (outcome, error) {
	nested, err := tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return responds(201, ""), insert(ctx, nested, "gone")
}

func badHeader(context.Context, pgx.Tx) (outcome, error) {
	return rendered(func(w http.ResponseWriter) error {
		w.Header().Set("Location", "/\x00")
		w.WriteHeader(201)
		return nil
	}), nil
}

// leavesGoroutine returns while a goroutine of its own is inside tx.
func leavesGoroutine(ctx context.Context, tx pgx.Tx) (outcome, error) {
	source := stray.enter()
	go func() {
		_, _ = tx.CopyFrom(context.WithoutCancel(ctx), pgx.Identifier{"orders"}, []string{"note"}, source)
		close(source.done)
	}()
	<-source.inside
	return responds(201, ""), nil
}

// stray keeps what leavesGoroutine left behind.
var stray strays

type strays []*blockingSource

func (s *strays) enter() *blockingSource {
	source := &blockingSource{inside: make(chan struct{}), leave: make(chan struct{}), done: make(chan struct{})}
	*s = append(*s, source)
	return source
}

func (s *strays) release() {
	for _, source := range *s {
		close(source.leave)
		<-source.done
	}
}

// blockingSource is a copy that stands still.
type blockingSource struct{ inside, leave, done chan struct{} }

func (b *blockingSource) Next() bool             { close(b.inside); <-b.leave; return false }
func (b *blockingSource) Values() ([]any, error) { return nil, nil }
func (b *blockingSource) Err() error             { return nil }

func TestTxRefusesToBeEnded(t *testing.T) {
	t.Parallel()
	s := newService(t)
	got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		for _, err := range []error{tx.Commit(ctx), tx.Rollback(ctx)} {
			if !errors.Is(err, idem.ErrTxOwned) {
				t.Errorf("got %v, want ErrTxOwned", err)
			}
		}
		return creates("order")(ctx, tx)
	})
	s.wantReply(got, 201, "")
	s.wantState(1, 1)
}

func TestTxIsDeadAfterReturn(t *testing.T) {
	t.Parallel()
	s := newService(t)
	var kept, nested pgx.Tx
	got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		kept = tx
		var err error
		if nested, err = tx.Begin(ctx); err != nil {
			return nil, err
		}
		if err := nested.Rollback(ctx); err != nil {
			return nil, err
		}
		return creates("order")(ctx, tx)
	})
	s.wantReply(got, 201, "")
	ctx := t.Context()
	for _, tx := range []pgx.Tx{kept, nested} {
		_, exec := tx.Exec(ctx, "SELECT 1")
		_, query := tx.Query(ctx, "SELECT 1")
		_, begin := tx.Begin(ctx)
		_, prepare := tx.Prepare(ctx, "p", "SELECT 1")
		_, copied := tx.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"note"}, pgx.CopyFromRows(nil))
		for i, err := range []error{exec, query, begin, prepare, copied, tx.QueryRow(ctx, "SELECT 1").Scan(new(int)), tx.SendBatch(ctx, &pgx.Batch{}).Close()} {
			if !errors.Is(err, pgx.ErrTxClosed) {
				t.Errorf("method %d: got %v, want ErrTxClosed", i, err)
			}
		}
	}
	s.wantState(1, 1)
}

// tx.Begin is a real nested transaction.
func TestNestedTransactions(t *testing.T) {
	t.Parallel()
	s := newService(t)
	got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		if err := insert(ctx, tx, "kept"); err != nil {
			return nil, err
		}
		hitsKey := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return insert(ctx, tx, "kept") })
		if sqlState(hitsKey) != "23505" {
			t.Errorf("got %v, want a unique violation", hitsKey)
		}
		err := pgx.BeginFunc(ctx, tx, func(outer pgx.Tx) error {
			inner, err := outer.Begin(ctx)
			if err != nil {
				return err
			}
			if err := errors.Join(insert(ctx, inner, "undone"), inner.Rollback(ctx)); err != nil {
				return err
			}
			return insert(ctx, outer, "nested")
		})
		return responds(201, ""), err
	})
	s.wantReply(got, 201, "")
	s.wantState(2, 1)
}

// pgx's helpers work on what tx returns.
func TestTxReads(t *testing.T) {
	t.Parallel()
	s := newService(t)
	got := s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		rows, _ := tx.Query(ctx, "SELECT n FROM generate_series(1, $1::int) AS n", 3)
		numbers, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if err != nil || len(numbers) != 3 {
			t.Errorf("rows: got %v, %v", numbers, err)
		}
		rows, _ = tx.Query(ctx, "SELECT 1 AS a, 'x' AS b")
		type pair struct {
			A int
			B string
		}
		if p, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[pair]); err != nil || p != (pair{1, "x"}) {
			t.Errorf("struct: got %v, %v", p, err)
		}
		if _, err := tx.Query(ctx, "SELECT nothing"); sqlState(err) != "" && sqlState(err) != "42703" {
			t.Errorf("bad query: got %v", err)
		}
		return nil, errBusiness
	})
	if !errors.Is(got.Err, errBusiness) {
		t.Errorf("got %+v", got)
	}
	got = s.call(t.Context(), "k", "a", func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		n, err := tx.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"note"}, pgx.CopyFromRows([][]any{{"c"}, {"d"}}))
		if err != nil || n != 2 {
			t.Errorf("copy: got %d, %v", n, err)
		}
		b := &pgx.Batch{}
		b.Queue("INSERT INTO orders VALUES ('e')")
		b.Queue("SELECT 7").QueryRow(func(row pgx.Row) error { return row.Scan(new(int)) })
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			t.Errorf("batch: %v", err)
		}
		readBatch(ctx, t, tx)
		if _, err := tx.Prepare(ctx, "count_orders", "SELECT count(*) FROM orders"); err != nil {
			t.Errorf("prepare: %v", err)
		}
		var orders int
		if err := tx.QueryRow(ctx, "count_orders").Scan(&orders); err != nil || orders != 3 {
			t.Errorf("prepared: got %d, %v", orders, err)
		}
		if tx.Conn() == nil {
			t.Error("no connection")
		}
		return responds(201, ""), nil
	})
	s.wantReply(got, 201, "")
	s.wantState(3, 1)
}

// readBatch reads the results of a batch one by one.
func readBatch(ctx context.Context, t *testing.T, tx pgx.Tx) {
	b := &pgx.Batch{}
	for range 3 {
		b.Queue("SELECT 7")
	}
	results := tx.SendBatch(ctx, b)
	tag, err := results.Exec()
	if err != nil || tag.RowsAffected() != 1 {
		t.Errorf("exec: got %v, %v", tag, err)
	}
	var n int
	if err := results.QueryRow().Scan(&n); err != nil || n != 7 {
		t.Errorf("row: got %d, %v", n, err)
	}
	rows, err := results.Query()
	if err != nil || !rows.Next() {
		t.Errorf("rows: %v", err)
	}
	if values, err := rows.Values(); err != nil || len(values) != 1 {
		t.Errorf("values: got %v, %v", values, err)
	}
	rows.Close()
	if err := errors.Join(rows.Err(), results.Close()); err != nil {
		t.Error(err)
	}
}

func sqlState(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}
