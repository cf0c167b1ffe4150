package faults

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/faults/history"
)

// round lets the clients of a plan ask while its faults strike. Then everything
// heals, and what the clients were told must be explicable.
func (d *driver) round(ctx context.Context, p plan) error {
	d.kind, d.history, d.failures = p.kind, nil, nil
	if err := d.turn(); err != nil {
		return err
	}
	d.armory.arm(p.faults)
	asked, stop := context.WithCancel(ctx)
	defer stop()
	var ageing sync.WaitGroup
	ageing.Go(func() { d.age(asked) })
	var asking sync.WaitGroup
	for _, requests := range p.clients {
		asking.Go(func() {
			for _, r := range requests {
				d.insist(ctx, r)
			}
		})
	}
	asking.Wait()
	stop()
	ageing.Wait()
	if err := d.heal(ctx); err != nil {
		return errors.Join(err, d.verdict())
	}
	for _, k := range p.keys {
		if err := d.probe(ctx, k); err != nil {
			return errors.Join(err, d.verdict())
		}
	}
	return d.verdict()
}

// insist sends a request until it is answered for good, but not more often than
// the plan says.
func (d *driver) insist(ctx context.Context, r request) {
	for range r.tries {
		switch o := d.call(ctx, r); o.Kind {
		case history.Final, history.Mismatch:
			return
		}
		r.instance = (r.instance + 1) % instances
	}
}

// heal ends all faults and waits until nothing is under way any more, and the
// sweepers have done what there was to do.
func (d *driver) heal(ctx context.Context) error {
	for _, f := range d.armory.disarm() {
		d.counts.add(faultsMissed, f.point.String())
	}
	for number, i := range d.instances {
		i.proxy.Release()
		if err := d.quiet(ctx, i.base()); err != nil {
			return fmt.Errorf("instance %d does not come to rest: %w", number, err)
		}
	}
	// A transaction that stays open holds a key for ever.
	err := d.awaitNone(ctx, "transactions of the service that stay open",
		"SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle'", applicationName)
	return errors.Join(err, d.awaitSwept(ctx))
}

// quiet returns once the process handles no request any more.
func (d *driver) quiet(ctx context.Context, base string) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/quiet", nil)
	if err != nil {
		return err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusNoContent {
		err = errors.New(response.Status)
	}
	return errors.Join(err, response.Body.Close())
}

// awaitNone returns once a question is answered by 0.
func (d *driver) awaitNone(ctx context.Context, what, question string, arguments ...any) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		var left int
		err := d.ask(func(ctx context.Context, conn *pgxpool.Conn) error {
			return conn.QueryRow(ctx, question, arguments...).Scan(&left)
		})
		if err != nil || left == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d %s", left, what)
		case <-poll.C:
		}
	}
}

// probe demands that a key is free, so that another call is executed, or
// recorded, so that it is replayed; that other payloads are refused then; and
// that the database says the same.
func (d *driver) probe(ctx context.Context, k key) error {
	before, err := d.look(k)
	if err != nil {
		return err
	}
	payload := int64(1)
	if before.Kind == history.Recorded {
		if payload = before.Answer.Payload; payload == 0 {
			return fmt.Errorf("key %s is %w: committed without an answer", k, errNeither)
		}
	}
	got, err := d.settle(ctx, request{key: k, payload: payload, behaviour: "pay"})
	switch {
	case err != nil:
		return err
	case got.Kind != history.Final:
		return fmt.Errorf("key %s is %s, and a call gets: %s", k, before.Kind, got)
	case (got.Answer.Call == got.Call) != (before.Kind == history.Free):
		return fmt.Errorf("key %s was %s, and a call gets: %s", k, before.Kind, got)
	}
	other, err := d.settle(ctx, request{key: k, payload: payload%payloads + 1, behaviour: "pay", instance: 1})
	switch {
	case err != nil:
		return err
	case other.Kind != history.Mismatch:
		return fmt.Errorf("key %s has payload %d, and another gets: %s", k, payload, other)
	}
	d.counts.add(others, "keys that were "+string(before.Kind)+" after the faults")
	_, err = d.look(k)
	return err
}

// maxProbes is more than the connections in the pools, any of which may have
// died without anybody noticing; each costs a call its answer.
const maxProbes = 40

// maxInFlight is how often a key may be in flight that nobody holds: never. One
// is allowed for a backend that ended but a moment ago.
const maxInFlight = 1

// errNeither says that a key can be used neither for an execution nor for a
// replay.
var errNeither = errors.New("neither free nor recorded")

// settle asks until it is answered for good.
func (d *driver) settle(ctx context.Context, r request) (history.Operation, error) {
	inFlight := 0
	for range maxProbes {
		o := d.call(ctx, r)
		switch {
		case o.Kind == history.Final || o.Kind == history.Mismatch:
			return o, nil
		case o.Note == r.behaviour+", 409 idempotency_in_flight":
			if inFlight++; inFlight > maxInFlight {
				return o, fmt.Errorf("key %s is %w: in flight, and nobody holds it", r.key, errNeither)
			}
		}
	}
	return history.Operation{}, fmt.Errorf("key %s is %w: %d calls are not answered", r.key, errNeither, maxProbes)
}

// look looks at the database and writes down what it holds.
func (d *driver) look(k key) (history.Operation, error) {
	o := history.Operation{Key: k.String(), Start: d.clock.Add(1)}
	err := d.ask(func(ctx context.Context, conn *pgxpool.Conn) (err error) {
		if o.Rows, err = readRows(ctx, conn, k); err != nil {
			return err
		}
		o.Kind, o.Answer, err = readRecord(ctx, conn, d.kind, k)
		return err
	})
	o.End = d.clock.Add(1)
	if err != nil {
		return o, err
	}
	return d.keep(o), nil
}

func readRows(ctx context.Context, conn *pgxpool.Conn, k key) ([]history.Row, error) {
	rows, err := conn.Query(ctx, `
		SELECT amount, call FROM payments
		WHERE account_id = $1 AND reference = $2 ORDER BY execution`, k.account, k.name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[history.Row])
}

// readRecord reads a record as the service replays it. One without a response is
// called recorded, with no answer: no history explains it.
func readRecord(ctx context.Context, conn *pgxpool.Conn, of kind, k key) (history.Kind, history.Answer, error) {
	var status int
	var headers, body []byte
	err := conn.QueryRow(ctx, `
		SELECT COALESCE(status, 0), COALESCE(headers, ''), COALESCE(body, '')
		FROM records
		WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3`,
		k.account, of.operation, k.name).Scan(&status, &headers, &body)
	if errors.Is(err, pgx.ErrNoRows) {
		return history.Free, history.Answer{}, nil
	}
	if err != nil || status == 0 {
		return history.Recorded, history.Answer{}, err
	}
	lines := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(headers, "\r\n"...))))
	header, err := lines.ReadMIMEHeader()
	if err != nil {
		return "", history.Answer{}, fmt.Errorf("key %s: headers %q: %w", k, headers, err)
	}
	p, err := readPayment(body)
	return history.Recorded, history.Answer{
		Status: status, Payload: p.Amount, Call: p.Call, Text: answerText(status, http.Header(header), body),
	}, err
}
