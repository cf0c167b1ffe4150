package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
)

// armory holds the faults that are armed, and the connections that are held.
type armory struct {
	mu      sync.Mutex
	armed   []fault
	held    []heldConn
	running sync.WaitGroup // strikes
}

// heldConn is a connection that is released after some more claims.
type heldConn struct {
	conn   *pgproxy.Conn
	claims int
}

func (a *armory) arm(faults []fault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.armed = append(a.armed, faults...)
}

// disarm returns the faults that were never struck, once all that were have
// done what they do.
func (a *armory) disarm() []fault {
	a.mu.Lock()
	left := a.armed
	a.armed, a.held = nil, nil
	a.mu.Unlock()
	a.running.Wait()
	return left
}

// take returns a fault that is due at a point.
func (a *armory) take(p pgproxy.Point) (fault, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.armed {
		f := &a.armed[i]
		if f.point != p {
			continue
		}
		if f.skip--; f.skip < 0 {
			due := *f
			a.armed = append(a.armed[:i], a.armed[i+1:]...)
			a.running.Add(1)
			return due, true
		}
	}
	return fault{}, false
}

func (a *armory) hold(c *pgproxy.Conn, claims int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = append(a.held, heldConn{c, claims})
}

// claimed counts a claim, and releases those whose time has come.
func (a *armory) claimed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.held[:0]
	for _, h := range a.held {
		if h.claims--; h.claims != 0 {
			left = append(left, h)
		} else {
			h.conn.Release()
		}
	}
	a.held = left
}

// pass is called whenever a connection of an instance passes a point.
func (d *driver) pass(instance int, p pgproxy.Point, c *pgproxy.Conn) func() pgproxy.Verdict {
	switch p {
	case pgproxy.Point{Step: pgproxy.Claim, Moment: pgproxy.Answered}:
		d.armory.claimed()
	case pgproxy.Point{Step: pgproxy.Business, Moment: pgproxy.Sent}:
		d.counts.add(others, "executions begun")
	}
	f, due := d.armory.take(p)
	if !due {
		return nil
	}
	return func() pgproxy.Verdict {
		defer d.armory.running.Done()
		verdict, err := d.strike(f, instance, c)
		if err != nil {
			d.fail(fmt.Errorf("%s: %w", f, err))
		}
		d.counts.add(faultsFired, string(f.action))
		d.counts.add(d.kind.String(), f.point.String())
		return verdict
	}
}

// strike does what a fault does, while the connection stands still. An error is
// the driver's own.
func (d *driver) strike(f fault, instance int, c *pgproxy.Conn) (pgproxy.Verdict, error) {
	random := rand.New(rand.NewPCG(f.chance, 0))
	switch f.action {
	case cut:
		return pgproxy.Cut, nil
	case hold:
		d.armory.hold(c, f.claims)
		return pgproxy.Hold, nil
	case stall:
		return pgproxy.Stall, nil
	case terminate:
		return pgproxy.Pass, d.terminate("pid = $1", c.PID())
	case terminateAll:
		return pgproxy.Pass, d.terminate("application_name = $1", applicationName)
	case goneAll:
		d.crowd.leave(func() bool { return true })
	case goneSome:
		d.crowd.leave(func() bool { return random.IntN(2) == 0 })
	case kill:
		return pgproxy.Pass, d.instances[instance].replace([]int{2, 8}[random.IntN(2)])
	case restart:
		return pgproxy.Pass, d.restartDatabase(d.server.Restart)
	case crash:
		return pgproxy.Pass, d.restartDatabase(func(ctx context.Context) error { return d.crash(ctx, c.PID()) })
	}
	return pgproxy.Pass, nil
}

// patience bounds what cannot fail to happen. Where it does, the run fails.
const patience = time.Minute

// terminate ends backends and waits until they have ended.
func (d *driver) terminate(which string, argument any) error {
	return d.ask(func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND "+which, argument)
		return err
	})
}

// restartDatabase has one database go down at a time, and returns once it answers
// again.
func (d *driver) restartDatabase(down func(context.Context) error) error {
	d.restarting.Lock()
	defer d.restarting.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return errors.Join(down(ctx), d.ask(func(ctx context.Context, conn *pgxpool.Conn) error { return conn.Ping(ctx) }))
}

// crash kills a backend, so that the server ends all of them and recovers from
// its log. A backend that is gone already is left alone.
func (d *driver) crash(ctx context.Context, pid int) error {
	conn, err := pgx.Connect(ctx, d.databaseURL)
	if err != nil {
		return nil // the server is down as it is; the caller waits for it
	}
	defer func() { _ = conn.Close(ctx) }()
	var alive bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND application_name = $2)", pid, applicationName).Scan(&alive)
	if err != nil || !alive {
		return nil // likewise
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	for err == nil { // until the server has ended this connection, too
		_, err = conn.Exec(ctx, "SELECT 1")
	}
	return nil
}

// ask asks the database a question, around the proxies, and again if the server is
// going down or coming up.
func (d *driver) ask(question func(context.Context, *pgxpool.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for {
		err := d.admin.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return question(ctx, conn) })
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the database does not answer: %w", err)
		case <-poll.C:
		}
	}
}
