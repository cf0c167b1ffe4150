package pgproxy_test

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

const schema = `CREATE TABLE payments (n int); CREATE TABLE account_idempotency_keys (n int)`

// insert is a claim, as far as the proxy can tell.
const insert = `-- name: Claim :one
-- It has comments.
INSERT INTO account_idempotency_keys VALUES ($1)`

// bench is a proxy in front of a database, and one connection through it.
type bench struct {
	t     *testing.T
	proxy *pgproxy.Proxy
	url   string
	admin *pgx.Conn

	mu     sync.Mutex
	points []pgproxy.Point
	strike map[pgproxy.Point]func(*pgproxy.Conn) pgproxy.Verdict
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, strike: map[pgproxy.Point]func(*pgproxy.Conn) pgproxy.Verdict{}}
	server := pgtest.Server(t)
	address, err := url.Parse(pgtest.Database(t, server))
	if err != nil {
		t.Fatal(err)
	}
	if b.admin, err = pgx.Connect(t.Context(), address.String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.admin.Close(context.Background()) })
	b.exec(b.admin, schema)
	if b.proxy, err = pgproxy.Start(t.Context(), address.Host, b.watch); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	address.Host = b.proxy.Address()
	b.url = address.String()
	return b
}

func (b *bench) watch(p pgproxy.Point, c *pgproxy.Conn) func() pgproxy.Verdict {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.points = append(b.points, p)
	strike := b.strike[p]
	if strike == nil {
		return nil
	}
	delete(b.strike, p)
	return func() pgproxy.Verdict { return strike(c) }
}

func (b *bench) at(step pgproxy.Step, moment pgproxy.Moment, strike func(*pgproxy.Conn) pgproxy.Verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.strike[pgproxy.Point{Step: step, Moment: moment}] = strike
}

// seen returns the steps that were delivered since the last call.
func (b *bench) seen() []pgproxy.Step {
	b.mu.Lock()
	defer b.mu.Unlock()
	var steps []pgproxy.Step
	for _, p := range b.points {
		if p.Moment == pgproxy.Delivered {
			steps = append(steps, p.Step)
		}
	}
	b.points = nil
	return steps
}

func (b *bench) connect() *pgx.Conn {
	b.t.Helper()
	conn, err := pgx.Connect(b.t.Context(), b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func (b *bench) exec(conn *pgx.Conn, sql string) {
	b.t.Helper()
	if _, err := conn.Exec(b.t.Context(), sql); err != nil {
		b.t.Fatal(err)
	}
}

// transaction claims, in one round trip with the savepoint, and commits.
func transaction(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "begin"); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(insert, 1)
	batch.Queue("savepoint idempotent_business")
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, "commit")
	return err
}

func (b *bench) claims() (n int) {
	b.t.Helper()
	if err := b.admin.QueryRow(b.t.Context(), "SELECT count(*) FROM account_idempotency_keys").Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func TestStepsAreSeenInOrder(t *testing.T) {
	b := newBench(t)
	conn := b.connect()
	for range 2 {
		if err := transaction(t.Context(), conn); err != nil {
			t.Fatal(err)
		}
	}
	b.exec(conn, "rollback")
	if _, err := conn.Exec(t.Context(), "INSERT INTO payments VALUES ($1 / 0)", 1); err == nil {
		t.Error("division by zero succeeded")
	}
	b.exec(conn, "begin")
	b.exec(conn, "SAVEPOINT x")
	b.exec(conn, "rollback to savepoint x")
	want := []pgproxy.Step{
		"connect",
		"begin", "prepare", "prepare", "claim", "savepoint", "commit",
		"begin", "claim", "savepoint", "commit",
		"rollback",
		"prepare", "business",
		"begin", "savepoint", "undo",
	}
	if diff := cmp.Diff(want, b.seen()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Where the connection is cut decides whether the transaction is committed.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		step      pgproxy.Step
		moment    pgproxy.Moment
		committed int
	}{
		{"claim", "unsent", 0},
		{"claim", "answered", 0},
		{"savepoint", "delivered", 0},
		{"commit", "unsent", 0},
		{"commit", "answered", 1},
		{"commit", "delivered", 1},
	} {
		t.Run(string(test.step)+" "+string(test.moment), func(t *testing.T) {
			b := newBench(t)
			conn := b.connect()
			backend := int(conn.PgConn().PID())
			b.at(test.step, test.moment, func(c *pgproxy.Conn) pgproxy.Verdict {
				if c.PID() != backend {
					t.Errorf("process %d, want %d", c.PID(), backend)
				}
				return pgproxy.Cut
			})
			if err := transaction(t.Context(), conn); err == nil {
				t.Error("the transaction succeeded on a cut connection")
			}
			b.awaitGone(backend)
			if n := b.claims(); n != test.committed {
				t.Errorf("%d committed, want %d", n, test.committed)
			}
		})
	}
}

// awaitGone returns once a backend has ended.
func (b *bench) awaitGone(backend int) {
	b.t.Helper()
	for there := true; there; {
		err := b.admin.QueryRow(b.t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)", backend).Scan(&there)
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// A COMMIT that is held reaches the server long after its sender gave up.
func TestHold(t *testing.T) {
	b := newBench(t)
	conn := b.connect()
	backend := int(conn.PgConn().PID())
	held := make(chan *pgproxy.Conn, 1)
	b.at("commit", "unsent", func(c *pgproxy.Conn) pgproxy.Verdict {
		held <- c
		return pgproxy.Hold
	})
	if err := transaction(t.Context(), conn); err == nil {
		t.Error("the transaction succeeded on a held connection")
	}
	if n := b.claims(); n != 0 {
		t.Errorf("%d committed before the release", n)
	}
	(<-held).Release()
	b.awaitGone(backend)
	if n := b.claims(); n != 1 {
		t.Errorf("%d committed, want 1", n)
	}
}

func TestStall(t *testing.T) {
	for _, moment := range []pgproxy.Moment{"unsent", "answered"} {
		t.Run(string(moment), func(t *testing.T) {
			b := newBench(t)
			conn := b.connect()
			ctx, cancel := context.WithCancel(t.Context())
			b.at("commit", moment, func(*pgproxy.Conn) pgproxy.Verdict {
				cancel() // nothing else ends the waiting
				return pgproxy.Stall
			})
			if err := transaction(ctx, conn); err == nil {
				t.Error("the transaction succeeded on a stalled connection")
			}
		})
	}
}

// A proxy without a server behind it refuses at once, and ends at once.
func TestNoServer(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	_ = listener.Close()
	proxy, err := pgproxy.Start(t.Context(), nobody, func(pgproxy.Point, *pgproxy.Conn) func() pgproxy.Verdict { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pgx.Connect(t.Context(), "postgres://"+proxy.Address()+"/x?sslmode=disable"); err == nil {
		t.Error("connected to nobody")
	}
	if err := proxy.Close(); err != nil {
		t.Error(err)
	}
}
