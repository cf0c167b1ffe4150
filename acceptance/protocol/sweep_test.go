package protocol_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/idem"
)

const expireAll = "UPDATE provider_idempotency_keys SET replay_until = date_trunc('minute', now()) - interval '1 minute' * (1 + length(idempotency_key))"

// An expired key is emptied and stays closed; only the retention frees it.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for i := range 25 {
		s.wantReply(s.call(t.Context(), fmt.Sprint("k", i), "a", creates(strconv.Itoa(i))), 201, "")
	}
	mustExec(t, s.pool, expireAll)
	s.wantReply(s.call(t.Context(), "live", "a", creates("live")), 201, "")

	sweeper := s.sweeper(idem.WithBatch(10))
	swept, err := sweeper.Sweep(t.Context())
	if want := (idem.Swept{Emptied: 25}); err != nil || swept != want {
		t.Fatalf("got %+v, %v; want %+v", swept, err, want)
	}
	swept, err = sweeper.Sweep(t.Context())
	if err != nil || swept != (idem.Swept{}) {
		t.Errorf("second pass: got %+v, %v; want nothing", swept, err)
	}
	s.wantReply(s.call(t.Context(), "k1", "a", creates("x")), 410, "idempotency_expired")
	s.wantReply(s.call(t.Context(), "k1", "b", creates("x")), 422, "idempotency_key_reused")
	if r := s.call(t.Context(), "live", "a", creates("live")); !r.Replayed {
		t.Errorf("live: got %+v, want a replay", r)
	}
	s.wantState(26, 26)

	mustExec(t, s.pool, "UPDATE provider_idempotency_keys SET replay_until = now() - interval '2 hours' WHERE idempotency_key = 'k1'")
	swept, err = s.sweeper(idem.WithRetention(time.Hour)).Sweep(t.Context())
	if want := (idem.Swept{Purged: 1}); err != nil || swept != want {
		t.Errorf("purge: got %+v, %v; want %+v", swept, err, want)
	}
	s.wantFirst("k1", "again")
}

func (s *service) sweeper(options ...idem.SweeperOption) *idem.Sweeper {
	s.t.Helper()
	sweeper, err := idem.NewSweeper(s.pool, []idem.Table{readQueries(s.t).table()}, options...)
	if err != nil {
		s.t.Fatal(err)
	}
	return sweeper
}

// A replay that a sweeper races gets the whole answer or "expired".
func TestSweepRacesReplay(t *testing.T) {
	t.Parallel()
	s := newService(t)
	const n = 40
	for i := range n {
		s.wantReply(s.call(t.Context(), strconv.Itoa(i), "a", creates(strconv.Itoa(i))), 201, "")
	}
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			for {
				r := s.call(t.Context(), strconv.Itoa(i), "a", creates("never"))
				if r.Code == "idempotency_expired" {
					return
				}
				if want := fmt.Sprintf("{\"note\":\"%d\"}\n", i); !r.Replayed || r.Body != want {
					t.Errorf("got %+v, want %q", r, want)
					return
				}
			}
		})
	}
	mustExec(t, s.admin(), expireAll)
	if _, err := s.sweeper(idem.WithBatch(3)).Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	group.Wait()
	s.wantState(n, n)
}
