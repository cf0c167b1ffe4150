package idemrt

import (
	"context"
	"slices"
	"sync"
)

// errGateFull says that enough duplicates wait already.
const errGateFull fault = "too many duplicates wait for this key"

// place is what duplicates of one another have in common.
type place struct {
	keys      Keys
	operation string
	key       string
}

// turn is what a call may do once the gate lets it through.
type turn int

const (
	// turnLead: ask the database for the key, then leave the gate.
	turnLead turn = iota
	// turnRead: the call that led found or made a record; read it.
	turnRead
)

// gate makes duplicates in this process wait before they take a connection.
// At each place one call leads. When it leaves with a record, all who wait may
// read; otherwise exactly one of them, the first, leads next.
type gate struct {
	maxWaiters int

	mu     sync.Mutex
	queues map[place][]*waiter // a place is present while a call leads there
}

type waiter struct {
	turn chan turn // buffered: whoever gives a turn does not wait for its taker
}

func newGate(maxWaiters int) *gate {
	return &gate{maxWaiters: maxWaiters, queues: map[place][]*waiter{}}
}

// enter returns the caller's turn. Whoever gets turnLead must call leave. The
// error is errGateFull or ctx's; the caller then has no turn.
func (g *gate) enter(ctx context.Context, p place) (turn, error) {
	w, err := g.join(p)
	if err != nil {
		return 0, err
	}
	if w == nil {
		return turnLead, nil
	}
	select {
	case t := <-w.turn:
		return t, nil
	case <-ctx.Done():
		g.giveUp(p, w)
		return 0, context.Cause(ctx)
	}
}

// join makes the caller lead (nil), or queues it.
func (g *gate) join(p place) (*waiter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	queue, taken := g.queues[p]
	if !taken {
		g.queues[p] = nil
		return nil, nil
	}
	if len(queue) >= g.maxWaiters {
		return nil, errGateFull
	}
	w := &waiter{turn: make(chan turn, 1)}
	g.queues[p] = append(queue, w)
	return w, nil
}

// giveUp takes w out of the queue. If w was given the lead meanwhile, it goes
// to the next.
func (g *gate) giveUp(p place, w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.queues[p], w); i >= 0 {
		g.queues[p] = slices.Delete(g.queues[p], i, i+1)
		return
	}
	if <-w.turn == turnLead {
		g.passOn(p)
	}
}

// leave ends the caller's lead.
func (g *gate) leave(p place, recorded bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !recorded {
		g.passOn(p)
		return
	}
	for _, w := range g.queues[p] {
		w.turn <- turnRead
	}
	delete(g.queues, p)
}

// passOn gives the lead to the first who waits. g.mu is held.
func (g *gate) passOn(p place) {
	queue := g.queues[p]
	if len(queue) == 0 {
		delete(g.queues, p)
		return
	}
	queue[0].turn <- turnLead
	g.queues[p] = queue[1:]
}
