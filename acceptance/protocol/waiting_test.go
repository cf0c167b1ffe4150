package protocol_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
)

// atGate waits until so many calls of this process wait at a gate. It counts
// goroutines, so that a test that uses it must not run beside others.
func atGate(n int) {
	for {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if bytes.Count(stacks, []byte("idemrt.(*gate).enter(")) == n {
			return
		}
		runtime.Gosched()
	}
}

// Duplicates wait without a connection: 32 of them leave the pool to others.
func TestWaitersHoldNoConnection(t *testing.T) {
	s := newService(t, func(c *pgxpool.Config) { c.MaxConns = 2 })
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	const n = 32
	waiters := make([]<-chan reply, n)
	for i := range waiters {
		waiters[i] = background(func() reply { return s.create("k") })
	}
	atGate(n)
	if got := s.pool.Stat().AcquiredConns(); got != 1 {
		t.Errorf("%d connections are in use, want the winner's", got)
	}
	for range 10 {
		s.wantReply(s.call(t.Context(), "other", "a", creates("other")), 201, "")
	}
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	for _, w := range waiters {
		if got := <-w; !got.Replayed {
			t.Errorf("got %+v, want a replay", got)
		}
	}
	s.wantState(2, 2)
}

// Above the cap a duplicate is answered at once; those below it go on waiting.
func TestWaitersAreCapped(t *testing.T) {
	s := newService(t)
	s.guard = s.newGuard(s.pool, idem.WithMaxWaiters(2))
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	waiters := []<-chan reply{
		background(func() reply { return s.create("k") }),
		background(func() reply { return s.create("k") }),
	}
	atGate(2)
	s.wantReply(s.create("k"), 409, "idempotency_in_flight")
	s.wantLogged("too many duplicates wait")
	h.letGo <- nil
	s.wantReply(<-winner, 201, "")
	for _, w := range waiters {
		if got := <-w; !got.Replayed {
			t.Errorf("got %+v, want a replay", got)
		}
	}
}

// What was spent at the gate is not there for the claim: it is one deadline.
func TestOneDeadline(t *testing.T) {
	s := newService(t)
	asked := &deadlineKeys{Keys: s.keys}
	s.keys = asked
	h := newHeld()
	winner := background(func() reply { return s.call(t.Context(), "k", "a", h.creates("order")) })
	<-h.started
	waiter := background(func() reply { return s.create("k") })
	atGate(1)
	seen := time.Now()
	h.letGo <- errBusiness
	<-winner
	s.wantReply(<-waiter, 201, "")
	if limit := seen.Add(operation.Wait); asked.last.After(limit) {
		t.Errorf("the claim's deadline is %v later than a deadline from the start", asked.last.Sub(limit))
	}
}

// deadlineKeys keep the deadline of the last claim.
type deadlineKeys struct {
	idemrt.Keys
	last time.Time
}

func (k *deadlineKeys) Claim(ctx context.Context, db idemrt.DBTX, claim idemrt.Claim) error {
	k.last, _ = ctx.Deadline()
	return k.Keys.Claim(ctx, db, claim)
}
