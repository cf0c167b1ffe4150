package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/faults/history"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// generated is the protocol that is on trial. The others are written by hand.
const generated = "generated"

// driver is one run of faults against one protocol.
type driver struct {
	program     string
	protocol    string
	server      *pgserver.Server
	databaseURL string
	admin       *pgxpool.Pool // around the proxies
	instances   []*instance
	client      *http.Client

	armory     *armory
	crowd      *crowd
	counts     *counts
	restarting sync.Mutex   // of the database
	calls      atomic.Int64 // names calls
	clock      atomic.Int64 // orders questions and answers

	kind kind // of the round

	mu       sync.Mutex
	history  []history.Operation // of the round
	failures []error             // of the round
}

// newDriver returns a driver with an empty database and two instances, which are
// stopped when the test is over. It adds to counts.
func newDriver(t *testing.T, server *pgserver.Server, protocol string, counts *counts) *driver {
	t.Helper()
	service := buildService(t)
	d := &driver{
		program:     service.program,
		protocol:    protocol,
		server:      server,
		databaseURL: pgtest.Database(t, server),
		client:      &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}},
		armory:      &armory{},
		crowd:       &crowd{waiting: map[*context.CancelCauseFunc]struct{}{}},
		counts:      counts,
	}
	var err error
	if d.admin, err = pgxpool.New(t.Context(), d.databaseURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.admin.Close)
	for _, schema := range service.schemas {
		err := d.ask(func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := conn.Exec(ctx, schema)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		d.client.CloseIdleConnections()
		for _, i := range d.instances {
			if err := i.stop(); err != nil {
				t.Error(err)
			}
		}
	})
	for number, pool := range [instances]int{2, 8} {
		i, err := d.startInstance(t.Context(), number, pool)
		if err != nil {
			t.Fatal(err)
		}
		d.instances = append(d.instances, i)
	}
	return d
}

// campaign is what a run is about: drivers that have the same counts, and kinds.
type campaign struct {
	drivers []*driver
	kinds   []kind
	counts  *counts
	logf    func(format string, args ...any)
}

// run has rounds until so many faults have struck, or something is wrong. Each
// kind has its turn with one driver, then with the next.
func (c campaign) run(ctx context.Context, seed uint64, faults int) error {
	const milestone = 1000
	for round, next := *firstFlag, milestone; ; round++ {
		fired := c.counts.sum(faultsFired)
		left := faults - fired
		if left <= 0 {
			return nil
		}
		if fired >= next {
			c.logf("%d faults in %d rounds", fired, round-*firstFlag)
			next += milestone
		}
		if round-*firstFlag > 10*faults {
			return fmt.Errorf("seed %d: %d faults have not come together in %d rounds", seed, faults, round)
		}
		plan := newPlan(c.kinds[round%len(c.kinds)], seed, round, left)
		d := c.drivers[round/len(c.kinds)%len(c.drivers)]
		if err := d.round(ctx, plan); err != nil {
			return fmt.Errorf("seed %d, round %d, on %s, after %d faults: %w\n%s", seed, round, d.server, c.counts.sum(faultsFired), err, plan)
		}
		c.counts.add(others, fmt.Sprintf("rounds of %s on PostgreSQL %s", plan.kind.operation, d.server.Version()))
	}
}

// fail writes down that something is wrong.
func (d *driver) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failures = append(d.failures, err)
}

// verdict is all that is wrong with the round so far.
func (d *driver) verdict() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.failures
	for _, v := range history.Check(d.history) {
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil
	}
	for number, i := range d.instances {
		all = append(all, fmt.Errorf("log of instance %d:\n%s", number, i.log()))
	}
	return errors.Join(all...)
}
