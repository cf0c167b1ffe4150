package idem

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

// Execute runs business once per key and answers every duplicate from the
// record.
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
// fingerprint; a database that cannot be asked; and mistakes of business that make the transaction unsafe to commit.
// So the error is always one that business, its Render function, one of its
// deferred constraints, or the replay authorizer returned.
//
// Cancelling ctx ends the waiting and reaches business through its own context.
// It stops neither a claim nor a commit that is under way.
//
// If COMMIT is not answered, Execute finds out what became of it: it answers
// from the record, as for any duplicate and marked as a replay, even if the
// record is this call's own; or it says that nothing was done; or, if neither
// can be known in time, that the outcome is unknown.
func (g *Guard) Execute(ctx context.Context, op *Operation, keys Keys, call Call, business func(context.Context, pgx.Tx) (Outcome, error)) (*Answer, error) {
	e := &execution{guard: g, operation: op, keys: keys, fingerprints: call.Fingerprints, business: business}
	answer, err := e.run(ctx, call.Key)
	if r := refused(err); r != nil {
		return g.refuse(ctx, op, e.key, r), nil
	}
	return answer, err
}

// execution is the life of one call.
type execution struct {
	guard        *Guard
	operation    *Operation
	keys         Keys
	key          string // decoded; "" without one
	fingerprints []Fingerprint
	deadline     time.Time // of gate, pool and claim; then of findOut
	business     func(context.Context, pgx.Tx) (Outcome, error)
}

// run reads the key and waits for the call's turn at the gate. One deadline
// bounds everything up to the claim: waiting carries it.
func (e *execution) run(ctx context.Context, key *string) (answer *Answer, err error) {
	if e.key, err = e.guard.keyOf(e.operation.Key, key); err != nil {
		return nil, err
	}
	if err := e.readable(); err != nil {
		return nil, err
	}
	e.deadline = time.Now().Add(e.operation.wait())
	waiting, stop := context.WithDeadline(ctx, e.deadline)
	defer stop()
	if e.key == "" {
		return e.runUnprotected(ctx, waiting)
	}
	if len(e.fingerprints) == 0 {
		return nil, refuse(internalError, stepKey, errNoFingerprint)
	}
	for {
		turn, err := e.guard.gate.enter(waiting, e.place())
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
		return nil, fmt.Errorf("idem: COMMIT was not answered: %w", lost.cause)
	}
	return answer, err
}

// readable refuses a request that has no fingerprint.
func (e *execution) readable() error {
	if len(e.fingerprints) > 0 && e.fingerprints[0].err != nil {
		return refuse(requestMalformed, stepRead, e.fingerprints[0].err)
	}
	return nil
}

func (e *execution) place() place {
	return place{keys: e.keys, operation: e.operation.Name, key: e.key}
}

// lead claims the key and executes, or finds the record of who did. While
// another instance holds the key it asks again.
func (e *execution) lead(ctx, waiting context.Context) (answer *Answer, err error) {
	recorded := false
	defer func() { e.guard.gate.leave(e.place(), recorded) }()

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

	outcome, misuse, err := e.callBusiness(ctx, s)
	if misuse != nil {
		e.logMisuse(ctx, misuse)
	}
	if err != nil {
		return nil, false, err
	}
	rendered, err := e.render(outcome)
	if err != nil {
		return nil, false, err
	}
	if !e.operation.final(rendered.status) {
		return rendered.unrecorded().of(outcome), false, nil
	}
	if misuse != nil {
		return nil, false, refuse(internalError, stepBusiness, misuse)
	}
	if answer, err = e.finish(ctx, s, rendered); err != nil {
		return nil, false, err
	}
	return answer.of(outcome), true, nil
}

// callBusiness runs the business function. misuse is what it left behind. The
// transaction is dead afterwards, also when the function panicked.
func (e *execution) callBusiness(ctx context.Context, s *session) (outcome Outcome, misuse, err error) {
	tx := newGuardedTx(s)
	defer func() { misuse = tx.end(ctx) }()
	outcome, err = e.business(ctx, tx)
	return outcome, nil, err
}

// render renders the response, once.
func (e *execution) render(outcome Outcome) (*recorder, error) {
	if outcome.Render == nil {
		return nil, refuse(internalError, stepRecord, errNoResponse)
	}
	rendered := newRecorder(e.guard.maxResponse)
	renderErr := outcome.Render(rendered)
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
	if err := e.guard.authorize(ctx, e.operation.Name); err != nil {
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
	fingerprint, known := e.fingerprint(record.FingerprintVersion)
	switch {
	case !known && record.FingerprintVersion > e.fingerprints[0].Version:
		return refuse(unavailable, stepCompare, errNewerRecord)
	case !known:
		return refuse(expired, stepCompare, nil)
	case fingerprint.err != nil, subtle.ConstantTimeCompare(record.Fingerprint, fingerprint.Sum[:]) != 1:
		return refuse(keyReused, stepCompare, nil)
	case record.Expired || record.Status == 0:
		return refuse(expired, stepCompare, nil)
	}
	return nil
}

func (e *execution) fingerprint(version int16) (Fingerprint, bool) {
	for _, f := range e.fingerprints {
		if f.Version == version {
			return f, true
		}
	}
	return Fingerprint{}, false
}

// logMisuse reports what a business function did wrong, also where that changes
// nothing for the caller.
func (e *execution) logMisuse(ctx context.Context, misuse error) {
	e.guard.logger.LogAttrs(ctx, slog.LevelError, "business function misused its transaction",
		slog.String("operation", e.operation.Name),
		e.guard.keyAttr(e.operation.Name, e.key),
		causeAttr(misuse))
}
