package idemrt

import (
	"context"
	"fmt"
	"net/http"
	"net/textproto"
	"regexp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// What applies where a [Definition] says nothing. The generator omits these values.
const (
	defaultWait           = 3 * time.Second
	defaultRetryAfter     = 2 * time.Second
	defaultMaxBody        = 1 << 20
	defaultMinKeyLength   = 1
	defaultMaxKeyLength   = 255
	defaultMismatchStatus = http.StatusUnprocessableEntity
	defaultInFlightStatus = http.StatusConflict
	defaultExpiredStatus  = http.StatusGone
)

// Definition is what the annotation of one operation says, together with how
// generated code reads its requests and renders its responses. [Definition.Operation]
// makes an [Operation] of it.
type Definition[Scope, Request, Response any] struct {
	Name          string                 // as stored with each key
	Key           KeyRule                // what a key must look like
	KeyOf         func(Request) *string  // the key as the client spelt it, nil without one
	Fingerprints  Versions[Request]      // at least one; records are compared under the version they have
	Final         []string               // statuses that are recorded and replayed: "201", "2XX"
	Window        time.Duration          // how long a record is replayed
	ReplayHeaders []string               // response headers recorded besides Content-Type
	Wait          time.Duration          // one deadline for gate, pool and claim; 0 is 3 s
	RetryAfter    time.Duration          // what 409 and 503 advise; 0 is 2 s
	Statuses      Statuses               // of the problems whose status an operation may choose
	MaxBody       int64                  // of a request, in bytes; 0 is 1 MiB
	Render        Renderer[Response]     // writes a response of the business function
	Answer        func(*Answer) Response // wraps an answer as a response of the strict server
}

// Versions are the fingerprint functions of an operation, by version. The highest
// version is the one under which new keys are recorded.
type Versions[Request any] map[int16]func(Request) fingerprint.Fingerprint

// Renderer writes a response. It is called once for each execution, with a writer
// that only keeps what is written.
type Renderer[Response any] func(Response, http.ResponseWriter) error

// Statuses are the statuses of the problems that an operation may choose.
// Zero is the default.
type Statuses struct {
	Mismatch int // the key belongs to another request; 0 is 422
	InFlight int // the first request still runs; 0 is 409
	Expired  int // the response is no longer kept; 0 is 410
}

// Operation is everything that is the same for each call of one operation. It is
// made by [Definition.Operation], never changes and is safe for concurrent use.
type Operation[Scope, Request, Response any] struct {
	rules    *rules
	versions []version[Request] // the newest first
	keyOf    func(Request) *string
	render   Renderer[Response]
	answer   func(*Answer) Response
}

type version[Request any] struct {
	number int16
	of     func(Request) fingerprint.Fingerprint
}

// Operation returns the operation that d defines. It panics if d is malformed: a
// status in Final that is neither like "201" nor like "2XX", a pattern of the key that
// is not a regular expression, no fingerprint function, no window.
func (d Definition[Scope, Request, Response]) Operation() *Operation[Scope, Request, Response] {
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("idemrt: operation %q: ", d.Name) + fmt.Sprintf(format, args...))
	}
	o := &Operation[Scope, Request, Response]{keyOf: d.KeyOf, render: d.Render, answer: d.Answer}
	for number, of := range d.Fingerprints {
		o.versions = append(o.versions, version[Request]{number, of})
	}
	slices.SortFunc(o.versions, func(a, b version[Request]) int { return int(b.number) - int(a.number) })
	final, err := newStatusSet(d.Final)
	if err != nil {
		fail("%v", err)
	}
	pattern, err := regexp.Compile(d.Key.Pattern)
	switch {
	case err != nil:
		fail("the pattern of the key: %v", err)
	case len(o.versions) == 0:
		fail("no fingerprint function")
	case d.Window <= 0:
		fail("no window")
	}
	d.Key.setDefaults()
	o.rules = &rules{
		name: d.Name, key: d.Key, final: final, replayHeaders: recordedHeaders(d.ReplayHeaders),
		windowSeconds: wholeSeconds(d.Window),
		wait:          orDefault(d.Wait, defaultWait),
		retryAfter:    orDefault(d.RetryAfter, defaultRetryAfter),
		maxBody:       orDefault(d.MaxBody, defaultMaxBody),
		statuses: Statuses{
			Mismatch: orDefault(d.Statuses.Mismatch, defaultMismatchStatus),
			InFlight: orDefault(d.Statuses.InFlight, defaultInFlightStatus),
			Expired:  orDefault(d.Statuses.Expired, defaultExpiredStatus),
		},
	}
	if d.Key.Pattern != "" {
		o.rules.keyPattern = pattern
	}
	return o
}

// RenderedBy returns o with another renderer, for frameworks whose responses are
// rendered by something that is made when the service starts.
func (o *Operation[Scope, Request, Response]) RenderedBy(render Renderer[Response]) *Operation[Scope, Request, Response] {
	other := *o
	other.render = render
	return &other
}

// Run runs business once per key of one scope and answers every duplicate from the
// record. keys is the scope's part of its key table; equal values are the same scope.
//
// business runs inside tx, the transaction that also records its response. tx
// refuses Commit and Rollback and is dead once business has returned. What
// business returns decides:
//
//   - A response whose status is final is recorded and committed with what was
//     written through tx, or, from status 400 on, without it. The caller gets
//     the recorded response, as every duplicate will.
//   - A response that is not final, an error, a panic and [runtime.Goexit] roll
//     back and leave no trace; the key is free. The response is passed on as it
//     is; so is the error.
//
// Everything else is answered with a problem: a missing or malformed key, one
// that means something else, is in flight or expired; a request that has no
// fingerprint; a database that cannot be asked; and mistakes of business that make
// the transaction unsafe to commit. So the error is one that business, its renderer,
// one of its deferred constraints, or the replay authorizer returned. The only other
// one is [ErrUnknownOutcome], of a call without a key.
//
// Cancelling ctx ends the waiting and reaches business through its own context.
// It stops neither a claim nor a commit that is under way.
//
// If COMMIT is not acknowledged, Run finds out what happened: it answers from the
// record, as for any duplicate and marked as a replay, even if the record is this
// call's own; or it says that nothing was done; or, if neither can be known in time,
// that the outcome is unknown.
func Run[Scope, Request, Response any, K interface {
	comparable
	Keys
}](
	ctx context.Context, engine *Engine, o *Operation[Scope, Request, Response], keys K, scope Scope, request Request,
	business func(ctx context.Context, tx pgx.Tx, scope Scope, request Request) (Response, error),
) (Response, error) {
	c := &call[Scope, Request, Response]{operation: o, scope: scope, request: request, business: business}
	answer, err := engine.execute(ctx, o.rules, keys, o.keyOf(request), c)
	if err != nil {
		var none Response
		return none, err
	}
	return o.answer(answer), nil
}

// call is one call's typed side: what the protocol asks of it.
type call[Scope, Request, Response any] struct {
	operation *Operation[Scope, Request, Response]
	scope     Scope
	request   Request
	business  func(ctx context.Context, tx pgx.Tx, scope Scope, request Request) (Response, error)
	response  Response
}

// fingerprints implements [caller].
func (c *call[Scope, Request, Response]) fingerprints() (newest fingerprint.Fingerprint, older []fingerprint.Fingerprint) {
	versions := c.operation.versions
	for _, v := range versions[1:] {
		older = append(older, v.of(c.request))
	}
	return versions[0].of(c.request), older
}

// run implements [caller].
func (c *call[Scope, Request, Response]) run(ctx context.Context, tx pgx.Tx) (response any, err error) {
	c.response, err = c.business(ctx, tx, c.scope, c.request)
	return c.response, err
}

// writeTo implements [caller].
func (c *call[Scope, Request, Response]) writeTo(w http.ResponseWriter) error {
	return c.operation.render(c.response, w)
}

// rules are an operation's without its types.
type rules struct {
	name          string
	key           KeyRule
	keyPattern    *regexp.Regexp // nil for any
	final         statusSet
	windowSeconds int64
	replayHeaders []string // canonical
	wait          time.Duration
	retryAfter    time.Duration
	statuses      Statuses
	maxBody       int64
}

// Checked is an [Operation], of whatever types.
type Checked interface{ checked() *rules }

func (o *Operation[Scope, Request, Response]) checked() *rules { return o.rules }

// undoes reports whether a final response may roll back what the business function
// wrote: if statuses from 400 on can be final.
func (r *rules) undoes() bool { return r.final.reaches(http.StatusBadRequest) }

func orDefault[T int | int64 | time.Duration](value, otherwise T) T {
	if value <= 0 {
		return otherwise
	}
	return value
}

// recordedHeaders are the headers of a response that are recorded.
func recordedHeaders(names []string) []string {
	recorded := []string{"Content-Type"}
	for _, name := range names {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if !neverRecorded[name] {
			recorded = append(recorded, name)
		}
	}
	return recorded
}
