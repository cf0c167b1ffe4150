package idemrt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// someKeys are keys of one scope; the gate only compares them.
type someKeys struct {
	Keys
	scope string
}

var here = place{keys: someKeys{scope: "a"}, operation: "createOrder", key: "k"}

type entered struct {
	turn turn
	err  error
}

// queue makes n calls wait at here, in order, and returns where each reports.
func queue(ctx context.Context, g *gate, n int) []chan entered {
	calls := make([]chan entered, n)
	for i := range calls {
		calls[i] = make(chan entered, 1)
		go func() {
			turn, err := g.enter(ctx, here)
			calls[i] <- entered{turn, err}
		}()
		synctest.Wait() // it waits now
	}
	return calls
}

func mustLead(t *testing.T, g *gate, p place) {
	t.Helper()
	if turn, err := g.enter(t.Context(), p); turn != turnLead || err != nil {
		t.Fatalf("got turn %v, %v; want the lead", turn, err)
	}
}

func TestGateReleasesAllOnceRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(10)
		mustLead(t, g, here)
		calls := queue(t.Context(), g, 5)
		g.leave(here, true)
		for i, call := range calls {
			if got := <-call; got.turn != turnRead || got.err != nil {
				t.Errorf("call %d: got %+v, want to read", i, got)
			}
		}
		mustBeEmpty(t, g)
	})
}

func TestGatePassesTheLeadOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(10)
		mustLead(t, g, here)
		calls := queue(t.Context(), g, 3)
		for i, call := range calls {
			g.leave(here, false)
			synctest.Wait()
			if got := <-call; got.turn != turnLead || got.err != nil {
				t.Errorf("call %d: got %+v, want the lead", i, got)
			}
			for _, later := range calls[i+1:] {
				if len(later) != 0 {
					t.Fatal("two calls lead")
				}
			}
		}
		g.leave(here, false)
		mustBeEmpty(t, g)
	})
}

func TestGateDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(10)
		mustLead(t, g, here)
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		late := queue(short, g, 2)
		patient := queue(t.Context(), g, 1)
		time.Sleep(2 * time.Second) //nolint:forbidigo // the bubble's clock
		synctest.Wait()
		for _, call := range late {
			if got := <-call; !errors.Is(got.err, context.DeadlineExceeded) {
				t.Errorf("got %+v, want the deadline's error", got)
			}
		}
		g.leave(here, false)
		if got := <-patient[0]; got.turn != turnLead {
			t.Errorf("got %+v, want the lead", got)
		}
		g.leave(here, false)
		mustBeEmpty(t, g)
	})
}

// Who is given the lead just as it gives up hands it to the next.
func TestGateGivingUpWithTheLead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(10)
		mustLead(t, g, here)
		w, err := g.join(here)
		if err != nil {
			t.Fatal(err)
		}
		next := queue(t.Context(), g, 1)
		g.leave(here, false) // w leads, and does not know yet
		g.giveUp(here, w)
		if got := <-next[0]; got.turn != turnLead {
			t.Errorf("got %+v, want the lead", got)
		}
		g.leave(here, false)
		mustBeEmpty(t, g)
	})
}

func TestGateIsCapped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		mustLead(t, g, here)
		calls := queue(t.Context(), g, 3)
		if got := <-calls[2]; !errors.Is(got.err, errGateFull) {
			t.Errorf("got %+v, want errGateFull", got)
		}
		g.leave(here, true)
		<-calls[0]
		<-calls[1]
		mustBeEmpty(t, g)
	})
}

func TestGatePlacesAreIndependent(t *testing.T) {
	g := newGate(0)
	for _, p := range []place{
		here,
		{keys: someKeys{scope: "b"}, operation: here.operation, key: here.key},
		{keys: here.keys, operation: "cancelOrder", key: here.key},
		{keys: here.keys, operation: here.operation, key: "l"},
	} {
		mustLead(t, g, p)
	}
}

func mustBeEmpty(t *testing.T, g *gate) {
	t.Helper()
	if len(g.queues) != 0 {
		t.Errorf("the gate still has %d places", len(g.queues))
	}
}

func TestPauses(t *testing.T) {
	var p pauses
	nominal := shortestPause
	for range 10 {
		if got := p.pause(); got < nominal/2 || got > nominal*3/2 {
			t.Errorf("got %v, want %v, give or take half", got, nominal)
		}
		nominal = min(2*nominal, longestPause)
	}
}

func TestPausesEndWithTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		var p pauses
		tries := 0
		for p.wait(ctx) {
			tries++
		}
		if tries < 20 || tries > 100 {
			t.Errorf("%d tries in 3 s", tries)
		}
		if ctx.Err() != nil {
			t.Error("the last pause overran the deadline")
		}
	})
}
