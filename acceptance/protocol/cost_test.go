package protocol_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// counter counts the batches that a pool sent, and waits for them.
type counter struct {
	mu      sync.Mutex
	batches int
	changed chan struct{}
}

func (c *counter) trace(config *pgxpool.Config) { config.ConnConfig.Tracer = c }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (c *counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.batches++
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

func (c *counter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.batches
}

func (c *counter) waitFor(n int) {
	for {
		c.mu.Lock()
		if c.batches >= n {
			c.mu.Unlock()
			return
		}
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		<-changed
	}
}

// trips counts round trips on the wire: each time a connection that has read
// writes again.
type trips struct{ n atomic.Int64 }

func (tr *trips) dial(c *pgxpool.Config) {
	c.MaxConns = 1
	c.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // the pool's own round trip
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &countingConn{Conn: conn, trips: tr}, err
	}
}

func (tr *trips) of(f func()) int64 {
	before := tr.n.Load()
	f()
	return tr.n.Load() - before
}

type countingConn struct {
	net.Conn
	trips *trips
	wrote atomic.Bool
}

func (c *countingConn) Write(p []byte) (int, error) {
	if !c.wrote.Swap(true) {
		c.trips.n.Add(1)
	}
	return c.Conn.Write(p)
}

func (c *countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.wrote.Store(false)
	return n, err
}

// The protocol adds no round trip to a transaction of BEGIN, business, COMMIT.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for name, mode := range execModes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := &trips{}
			s := newService(t, tr.dial, func(c *pgxpool.Config) {
				c.ConnConfig.DefaultQueryExecMode = mode
			})
			// Once for the statement caches.
			s.create("warm")
			s.create("warm")
			s.call(t.Context(), "warm-402", "a", declines)
			each := int64(1)
			if mode == pgx.QueryExecModeDescribeExec {
				each = 2
			}
			bare := func(status int) business {
				return func(context.Context, pgx.Tx) (outcome, error) { return responds(status, ""), nil }
			}
			for i, test := range []struct {
				name string
				want int64
				call func() reply
			}{
				{"first", 2 * each, func() reply { return s.call(t.Context(), "k", "a", bare(201)) }},
				{"replay", 2 * each, func() reply { return s.call(t.Context(), "k", "a", bare(201)) }},
				{"final failure", 3 * each, func() reply { return s.call(t.Context(), "f", "a", bare(402)) }},
				{"not final", 2 * each, func() reply { return s.call(t.Context(), "n", "a", bare(400)) }},
				{"mismatch", 2 * each, func() reply { return s.call(t.Context(), "k", "b", bare(201)) }},
				{"malformed", 0, func() reply { return s.call(t.Context(), "a b", "b", bare(201)) }},
			} {
				if got := tr.of(func() { test.call() }); got > test.want {
					t.Errorf("%d %s: got %d round trips, want at most %d", i, test.name, got, test.want)
				}
			}
		})
	}
}

// Those who waited for a winner in this process read its record in one round trip.
func TestRoundTripsOfWaiters(t *testing.T) {
	t.Parallel()
	tr := &trips{}
	s := newService(t, tr.dial)
	s.create("warm")
	s.create("warm")
	counted := &countingKeys{Keys: s.keys}
	s.keys = counted
	before := tr.n.Load()
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("k")) })
	<-h.started
	const n = 5
	waiters := make([]<-chan reply, n)
	for i := range waiters {
		waiters[i] = background(func() reply { return s.call(t.Context(), "k", "a", creates("k")) })
	}
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	for _, w := range waiters {
		if r := <-w; !r.Replayed {
			t.Errorf("got %+v, want a replay", r)
		}
	}
	// The winner's claim, insert and finish; who came too late to wait claimed in
	// vain and read; the others only read.
	want := 2 + counted.claims.Load() + n
	if got := tr.n.Load() - before; got != want || counted.loads.Load() != n {
		t.Errorf("got %d round trips and %d reads, want %d and %d", got, counted.loads.Load(), want, n)
	}
}

type countingKeys struct {
	idemrt.Keys
	claims, loads atomic.Int64
}

func (c *countingKeys) Claim(ctx context.Context, db idemrt.DBTX, claim idemrt.Claim) error {
	c.claims.Add(1)
	return c.Keys.Claim(ctx, db, claim)
}

func (c *countingKeys) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (idemrt.Record, error) {
	c.loads.Add(1)
	return c.Keys.Load(ctx, db, operation, key)
}

// A replay takes no transaction id, locks no row and writes no WAL. The WAL is
// the whole server's, so that this test does not run beside the others.
func TestReplayWritesNothing(t *testing.T) {
	s := newService(t)
	s.wantReply(s.create("k"), 201, "")
	asking := s.keys.(keys)
	with := *asking.queries
	// The load also says whether the transaction it runs in has an id.
	with.load.sql = fmt.Sprintf(`SELECT l.*, pg_current_xact_id_if_assigned()::text FROM (%s) AS l`, with.load.sql)
	asking.queries = &with
	ids := &xactKeys{keys: asking}
	s.keys = ids
	if r := s.create("k"); !r.Replayed {
		t.Fatalf("got %+v, want a replay", r)
	}
	if ids.assigned != nil {
		t.Errorf("the replay took transaction id %s", *ids.assigned)
	}
	s.keys = keys{provider: asking.provider, queries: readQueries(t)}
	if !s.someReplayWithoutWAL(500) {
		t.Error("no replay of 500 left the WAL as it was")
	}
}

// someReplayWithoutWAL reports whether, of n replays, one moved the WAL not at
// all. Others use the server meanwhile, so that not all can.
func (s *service) someReplayWithoutWAL(n int) bool {
	s.t.Helper()
	const written = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"
	for range n {
		before := s.count(written)
		if r := s.create("k"); !r.Replayed {
			s.t.Fatalf("got %+v, want a replay", r)
		}
		if s.count(written) == before {
			return true
		}
	}
	return false
}

type xactKeys struct {
	keys
	assigned *string
}

func (k *xactKeys) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (r idemrt.Record, err error) {
	q := k.queries.load
	err = db.QueryRow(ctx, q.sql, q.args(map[string]any{
		"provider": k.provider, "operation": operation, "idempotency_key": key,
	})...).Scan(&r.Fingerprint, &r.FingerprintVersion, &r.Expired, &r.Status, &r.Headers, &r.Body, &k.assigned)
	return r, err
}
