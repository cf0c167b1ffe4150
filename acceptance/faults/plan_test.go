package faults

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
)

// plan is one round: what clients do and what befalls them. It follows from the
// seed and the round's number.
type plan struct {
	kind    kind
	keys    []key
	clients [][]request
	faults  []fault
}

// key is an idempotency key of an account. Equal names in two accounts are two
// keys.
type key struct {
	account int
	name    string
}

func (k key) String() string { return fmt.Sprintf("%d/%s", k.account, k.name) }

// request is what a client sends once, and again until it knows better or has
// asked often enough.
type request struct {
	key       key
	payload   int64
	behaviour string
	instance  int
	tries     int
}

const payloads = 3

// newPlan plans a round with up to faults faults.
func newPlan(k kind, seed uint64, round, faults int) plan {
	random := rand.New(rand.NewPCG(seed, uint64(round)))
	p := plan{kind: k}
	for i := range 1 + random.IntN(2) {
		name := fmt.Sprintf("key-%d-%d", round, i)
		p.keys = append(p.keys, key{1, name})
		if random.IntN(4) == 0 {
			p.keys = append(p.keys, key{2, name})
		}
	}
	for range 3 + random.IntN(6) {
		var requests []request
		for range 1 + random.IntN(2) {
			requests = append(requests, newRequest(random, p.keys))
		}
		p.clients = append(p.clients, requests)
	}
	for range min(faults, 2+random.IntN(4)) {
		p.faults = append(p.faults, newFault(random, k.steps))
	}
	return p
}

func newRequest(random *rand.Rand, keys []key) request {
	r := request{
		key:       keys[random.IntN(len(keys))],
		payload:   1,
		behaviour: choose(random, behaviours),
		instance:  random.IntN(instances),
		tries:     1 + random.IntN(3),
	}
	if random.IntN(3) == 0 {
		r.payload += random.Int64N(payloads)
	}
	return r
}

// weighted is something that is chosen as often as its weight says.
type weighted[T any] struct {
	weight int
	value  T
}

func choose[T any](random *rand.Rand, from []weighted[T]) T {
	sum := 0
	for _, w := range from {
		sum += w.weight
	}
	n := random.IntN(sum)
	for _, w := range from {
		if n -= w.weight; n < 0 {
			return w.value
		}
	}
	panic("unreachable")
}

var behaviours = []weighted[string]{{12, "pay"}, {5, "decline"}, {2, "refuse"}, {3, "fail"}, {2, "panic"}}

// action is what a fault does.
type action string

const (
	cut          action = "connection cut"
	hold         action = "server's side held, message late"
	stall        action = "connection stalled"
	terminate    action = "backend terminated"
	terminateAll action = "all backends terminated"
	goneAll      action = "all clients gone"
	goneSome     action = "some clients gone"
	kill         action = "service killed"
	restart      action = "database restarted"
	crash        action = "database crashed"
)

var actions = []weighted[action]{
	{300, cut},
	{100, hold},
	{10, stall},
	{200, terminate},
	{40, terminateAll},
	{100, goneAll},
	{100, goneSome},
	{50, kill},
	{12, restart},
	{6, crash},
}

var moments = []weighted[pgproxy.Moment]{
	{1, pgproxy.Unsent},
	{1, pgproxy.Sent},
	{1, pgproxy.Answered},
	{1, pgproxy.Delivered},
}

// fault is an action at a point.
type fault struct {
	point  pgproxy.Point
	action action
	skip   int // how often the point is passed before
	claims int // of a held connection: how many claims are answered before its release; 0 for all of the round's
	chance uint64
}

func newFault(random *rand.Rand, steps []weighted[pgproxy.Step]) fault {
	f := fault{
		point:  pgproxy.Point{Step: choose(random, steps), Moment: choose(random, moments)},
		action: choose(random, actions),
		claims: 1 + random.IntN(8),
		chance: random.Uint64(),
	}
	if f.point.Step == pgproxy.Connect && (f.action == terminate || f.action == crash) {
		f.action = cut // there may be no backend yet
	}
	if random.IntN(10) == 0 {
		f.claims = 0
	}
	if random.IntN(2) == 0 {
		f.skip = random.IntN(4)
	}
	return f
}

func (f fault) String() string {
	return fmt.Sprintf("%s at %s, time %d", f.action, f.point, f.skip+1)
}

func (p plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s\n", p.kind)
	for _, f := range p.faults {
		fmt.Fprintf(&b, "\tarmed: %s\n", f)
	}
	return b.String()
}
