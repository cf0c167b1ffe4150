package idemrt

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// caller is the typed side of one call.
type caller interface {
	// fingerprints returns those of the request, under each version that the code knows.
	fingerprints() (newest fingerprint.Fingerprint, older []fingerprint.Fingerprint)
	// run runs the business function. The response is nil if it returned none.
	run(ctx context.Context, tx pgx.Tx) (response any, err error)
	// writeTo renders the response of run.
	writeTo(w http.ResponseWriter) error
}

// execute runs one call and answers it. See [Run].
func (g *Engine) execute(ctx context.Context, op *rules, keys Keys, key *string, call caller) (*Answer, error) {
	e := &execution{engine: g, operation: op, keys: keys, call: call}
	answer, err := e.run(ctx, key)
	if r := refused(err); r != nil {
		return g.refuse(ctx, op, e.key, r), nil
	}
	return answer, err
}

// execution is the life of one call.
type execution struct {
	engine    *Engine
	operation *rules
	keys      Keys
	key       string // decoded; "" without one
	newest    fingerprint.Fingerprint
	older     []fingerprint.Fingerprint
	deadline  time.Time // of gate, pool and claim; then of findOut
	call      caller
}

// run reads the key and waits for the call's turn at the gate. One deadline
// bounds everything up to the claim: waiting carries it.
func (e *execution) run(ctx context.Context, key *string) (answer *Answer, err error) {
	if e.key, err = e.operation.keyOf(key); err != nil {
		return nil, err
	}
	if e.newest, e.older = e.call.fingerprints(); e.newest.Err() != nil {
		return nil, refuse(requestMalformed, stepRead, e.newest.Err())
	}
	e.deadline = time.Now().Add(e.operation.wait)
	waiting, stop := context.WithDeadline(ctx, e.deadline)
	defer stop()
	if e.key == "" {
		return e.runUnprotected(ctx, waiting)
	}
	for {
		turn, err := e.engine.gate.enter(waiting, e.place())
		if err != nil {
			return nil, refuse(inFlight, stepGate, err)
		}
		if turn == turnLead {
			return e.lead(ctx, waiting)
		}
		record, err := e.read(waiting)
		if !errors.Is(err, pgx.ErrNoRows) { // else it was purged since
			return e.answerFrom(ctx, record, err)
		}
	}
}

// runUnprotected executes a call that brings no key and need not. Nobody can
// ask again what became of it, so an unknown outcome is an error.
func (e *execution) runUnprotected(ctx, waiting context.Context) (*Answer, error) {
	s, _, err := e.claim(waiting)
	if err != nil {
		return nil, err
	}
	answer, _, err := e.execute(ctx, s)
	if lost := unknown(err); lost != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnknownOutcome, lost.cause)
	}
	return answer, err
}

func (e *execution) place() place {
	return place{keys: e.keys, operation: e.operation.name, key: e.key}
}

// lead claims the key and executes, or finds the record of who did. While
// another instance holds the key it asks again.
func (e *execution) lead(ctx, waiting context.Context) (answer *Answer, err error) {
	recorded := false
	defer func() { e.engine.gate.leave(e.place(), recorded) }()

	for pause, seenInFlight := (pauses{}), false; ; seenInFlight = true {
		s, record, err := e.claim(waiting)
		switch {
		case err != nil && seenInFlight && waiting.Err() != nil:
			return nil, refuse(inFlight, stepClaim, err)
		case err != nil:
			return nil, err
		case s != nil:
			answer, recorded, err = e.execute(ctx, s)
			if lost := unknown(err); lost != nil {
				answer, recorded, err = e.findOut(ctx, lost)
			}
			return answer, err
		case record != nil:
			recorded = true
			return e.answerFrom(ctx, *record, nil)
		}
		if !pause.wait(waiting) {
			return nil, refuse(inFlight, stepClaim, context.Cause(waiting))
		}
	}
}

// execute runs the business function in the transaction that claimed the key
// and finishes it. Whatever way it is left, nothing stays open.
func (e *execution) execute(ctx context.Context, s *session) (answer *Answer, recorded bool, err error) {
	defer s.abandon(ctx)

	response, misuse, err := e.callBusiness(ctx, s)
	if misuse != nil {
		e.logMisuse(ctx, misuse)
	}
	if err != nil {
		return nil, false, err
	}
	rendered, err := e.render(response)
	if err != nil {
		return nil, false, err
	}
	if !e.operation.final.has(rendered.status) {
		return rendered.unrecorded().of(response), false, nil
	}
	if misuse != nil {
		return nil, false, refuse(internalError, stepBusiness, misuse)
	}
	if answer, err = e.finish(ctx, s, rendered); err != nil {
		return nil, false, err
	}
	return answer.of(response), true, nil
}

// callBusiness runs the business function. misuse is what it left behind. The
// transaction is dead afterwards, also when the function panicked.
func (e *execution) callBusiness(ctx context.Context, s *session) (response any, misuse, err error) {
	tx := newGuardedTx(s)
	defer func() { misuse = tx.end(ctx) }()
	response, err = e.call.run(ctx, tx)
	return response, nil, err
}

// render renders the response, once.
func (e *execution) render(response any) (*recorder, error) {
	if response == nil {
		return nil, refuse(internalError, stepRecord, errNoResponse)
	}
	rendered := newRecorder(e.engine.settings.MaxResponse)
	renderErr := e.call.writeTo(rendered)
	if err := rendered.finished(); err != nil {
		return nil, refuse(internalError, stepRecord, err)
	}
	return rendered, renderErr
}

// answerFrom answers a duplicate from the record.
func (e *execution) answerFrom(ctx context.Context, record Record, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	if err := e.compare(record); err != nil {
		return nil, err
	}
	if err := e.engine.settings.Authorize(ctx, e.operation.name); err != nil {
		return nil, err
	}
	answer, err := recordedAnswer(Recorded{Status: record.Status, Headers: record.Headers, Body: record.Body})
	if err != nil {
		return nil, refuse(internalError, stepLoad, err)
	}
	answer.replayed = true
	return answer, nil
}

// compare refuses a record that is another request's, or has no answer any
// more. A record is compared under the version that it was written with.
func (e *execution) compare(record Record) error {
	own, known := e.fingerprint(record.FingerprintVersion)
	switch {
	case !known && record.FingerprintVersion > e.newest.Version:
		return refuse(unavailable, stepCompare, errNewerRecord)
	case !known:
		return refuse(expired, stepCompare, nil)
	case own.Err() != nil, subtle.ConstantTimeCompare(record.Fingerprint, own.Sum[:]) != 1:
		return refuse(keyReused, stepCompare, nil)
	case record.Expired || record.Status == 0:
		return refuse(expired, stepCompare, nil)
	}
	return nil
}

func (e *execution) fingerprint(version int16) (fingerprint.Fingerprint, bool) {
	if e.newest.Version == version {
		return e.newest, true
	}
	for _, f := range e.older {
		if f.Version == version {
			return f, true
		}
	}
	return fingerprint.Fingerprint{}, false
}

// logMisuse reports what a business function did wrong, also where that changes
// nothing for the caller.
func (e *execution) logMisuse(ctx context.Context, misuse error) {
	e.engine.settings.Logger.LogAttrs(ctx, slog.LevelError, "business function misused its transaction",
		slog.String("operation", e.operation.name),
		e.engine.keyAttr(e.operation.name, e.key),
		Cause(misuse))
}
