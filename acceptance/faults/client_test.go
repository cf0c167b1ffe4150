package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/idemgen/idemgen/acceptance/faults/history"
)

// reply is what a client gets for one call.
type reply struct {
	status   int
	header   http.Header
	body     []byte
	replayed bool
}

// payment is the body of a final answer.
type payment struct {
	Execution, Amount int64
	Reference, Call   string
}

// crowd are the clients that wait for an answer.
type crowd struct {
	mu      sync.Mutex
	waiting map[*context.CancelCauseFunc]struct{}
}

// leave makes clients go away.
func (c *crowd) leave(chosen func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for cancel := range c.waiting {
		if chosen() {
			(*cancel)(errClientGone)
		}
	}
}

// enter returns a context that ends when the client goes away.
func (c *crowd) enter(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[&cancel] = struct{}{}
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, &cancel)
		cancel(nil)
	}
}

var (
	errClientGone = errors.New("the client has gone away")
	errNotSent    = errors.New("nobody is listening")
)

// call sends a request once, and writes down what comes of it.
func (d *driver) call(ctx context.Context, r request) history.Operation {
	o := history.Operation{
		Key:     r.key.String(),
		Call:    fmt.Sprintf("c%d", d.calls.Add(1)),
		Payload: r.payload,
		Final:   d.kind.finals[r.behaviour],
		Start:   d.clock.Add(1),
	}
	got, err := d.send(ctx, r, o.Call)
	o.End = d.clock.Add(1)
	if errors.Is(err, errNotSent) {
		d.counts.add(callsAnswered, "not sent: no process there")
		o.Kind = ""
		return o
	}
	if err != nil {
		o.Kind, o.Note = history.Unknown, r.behaviour+", "+d.whyNoAnswer(ctx, err)
		return d.keep(o)
	}
	d.judge(&o, r, got)
	return d.keep(o)
}

// whyNoAnswer names an error for people and counts it.
func (d *driver) whyNoAnswer(ctx context.Context, err error) string {
	why := "connection lost"
	switch {
	case errors.Is(err, errClientGone):
		why = "client gone"
	case errors.Is(err, context.DeadlineExceeded):
		why = "not answered"
		d.fail(fmt.Errorf("a call was not answered in %s", patience))
	case ctx.Err() != nil:
		why = "run over"
	}
	d.counts.add(callsAnswered, "no answer: "+why)
	return why
}

// send sends a request and reads the whole answer.
func (d *driver) send(ctx context.Context, r request, call string) (reply, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	ctx, leave := d.crowd.enter(ctx)
	defer leave()
	base := d.instances[r.instance].base()
	body := fmt.Sprintf(`{"amount":%d,"reference":%q,"call":%q,"behaviour":%q}`, r.payload, r.key.name, call, r.behaviour)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+d.kind.path, bytes.NewReader([]byte(body)))
	if err != nil {
		return reply{}, err
	}
	// net/http would send a request with an Idempotency-Key again by itself.
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Account", strconv.Itoa(r.key.account))
	request.Header.Set("Idempotency-Key", r.key.name)
	response, err := d.client.Do(request)
	if err != nil {
		return reply{}, cause(ctx, err)
	}
	content, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return reply{}, cause(ctx, err)
	}
	return reply{
		status:   response.StatusCode,
		header:   response.Header,
		body:     content,
		replayed: response.Header.Get("Idempotent-Replayed") == "true",
	}, nil
}

// cause says why there is no answer.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return errNotSent
	}
	return err
}

// meanings are the answers of the contract, and of the business function, besides
// the final ones.
var meanings = map[string]history.Kind{
	"422 idempotency_key_reused":      history.Mismatch,
	"409 idempotency_in_flight":       history.Nothing,
	"503 idempotency_unavailable":     history.Nothing,
	"503 idempotency_outcome_unknown": history.Unknown,
	"400 refused":                     history.Failed,
	"402":                             history.Failed,
	"500 failed":                      history.Failed,
	"500 panicked":                    history.Failed,
}

// judge says what an answer tells.
func (d *driver) judge(o *history.Operation, r request, got reply) {
	if d.kind.final(got.status) {
		d.judgeFinal(o, r, got)
		return
	}
	var problem struct{ Code string }
	_ = json.Unmarshal(got.body, &problem) // not every answer has a code
	what := strings.TrimSpace(fmt.Sprintf("%d %s", got.status, problem.Code))
	d.counts.add(callsAnswered, what)
	o.Note = r.behaviour + ", " + what
	kind, known := meanings[what]
	switch {
	case !known:
		d.fail(fmt.Errorf("key %s, call %s: an answer outside of the contract: %d %s", o.Key, o.Call, got.status, got.body))
		kind = history.Unknown
	case got.replayed:
		d.fail(fmt.Errorf("key %s, call %s: %s is said to be a replay", o.Key, o.Call, what))
	case d.protocol == generated && (got.status == 409 || got.status == 503) && got.header.Get("Retry-After") == "":
		d.fail(fmt.Errorf("key %s, call %s: %s without Retry-After", o.Key, o.Call, what))
	}
	o.Kind = kind
}

// judgeFinal takes in a final answer. Everything in it but the date must be the
// same for everybody.
func (d *driver) judgeFinal(o *history.Operation, r request, got reply) {
	var p payment
	if err := json.Unmarshal(got.body, &p); err != nil || p.Reference != r.key.name {
		d.fail(fmt.Errorf("key %s, call %s: not the answer to this request: %d %s", o.Key, o.Call, got.status, got.body))
	}
	what := strconv.Itoa(got.status)
	if got.replayed {
		what += " replayed"
	}
	if got.replayed && p.Call == o.Call {
		what += ", to the call that was executed"
	}
	d.counts.add(callsAnswered, what)
	if !got.replayed && p.Call != o.Call {
		d.fail(fmt.Errorf("key %s, call %s: the answer of call %s is not said to be a replay", o.Key, o.Call, p.Call))
	}
	o.Kind = history.Final
	o.Note = r.behaviour + ", " + what
	o.Answer = history.Answer{
		Status:  got.status,
		Payload: p.Amount,
		Call:    p.Call,
		Text:    answerText(got.status, got.header, got.body),
	}
}

// answerText is what must be the same in all answers, and in the record.
func answerText(status int, header http.Header, body []byte) string {
	return fmt.Sprintf("%d, Content-Type %q, Location %q, %s", status, header.Values("Content-Type"), header.Values("Location"), body)
}

// keep writes an operation down.
func (d *driver) keep(o history.Operation) history.Operation {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.history = append(d.history, o)
	return o
}

func readPayment(body []byte) (p payment, err error) {
	if err := json.Unmarshal(body, &p); err != nil {
		return p, fmt.Errorf("not a payment: %s: %w", body, err)
	}
	return p, nil
}
