package idemrt

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
)

// maxRestarts is how often a claim starts over after a serialization failure or
// a deadlock.
const maxRestarts = 3

const errNewerRecord fault = "the record's fingerprint version is newer than this code"

// uncancelled returns a context that ends at the call's deadline, whatever the
// caller does. To cancel a query is to lose its connection.
func (e *execution) uncancelled(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.WithoutCancel(ctx), e.deadline)
}

// claim asks for the key once. The result is a session whose transaction holds
// the claim, or the record of who had it before, or neither: it is in flight.
func (e *execution) claim(waiting context.Context) (*session, *Record, error) {
	for restarts := 0; ; restarts++ {
		s, record, err := e.tryClaim(waiting)
		r := refused(err)
		if r == nil || !startsOver(r.cause) || restarts == maxRestarts {
			return s, record, err
		}
	}
}

// tryClaim claims in one round trip and, if the key is taken, reads the record
// in another. The second is a new statement, with a new snapshot: the one that
// lost cannot see what it lost to.
func (e *execution) tryClaim(waiting context.Context) (claimed *session, record *Record, err error) {
	s, err := e.engine.acquire(waiting)
	if err != nil {
		return nil, nil, refuse(unavailable, stepAcquire, err)
	}
	defer func() {
		if claimed == nil {
			s.abandon(waiting)
		}
	}()
	ctx, stop := e.uncancelled(waiting)
	defer stop()

	won, err := e.sendClaim(ctx, s)
	if err != nil {
		return nil, nil, judgeClaim(stepClaim, err, s.lost())
	}
	if won {
		return s, nil, nil
	}
	record, err = e.sendLoad(ctx, s)
	if err != nil {
		return nil, nil, judgeClaim(stepLoad, err, s.lost())
	}
	return nil, record, nil
}

// savepoint reports whether the transaction needs one: to undo the business
// function's writes and keep the claim, or, where nothing is claimed, to know at
// the end that the transaction is still the same.
func (e *execution) savepoint() bool { return e.key == "" || e.operation.undoes() }

// sendClaim begins the transaction and claims.
func (e *execution) sendClaim(ctx context.Context, s *session) (won bool, err error) {
	batch := claimPipeline(s.conn.Conn(), e.savepoint())
	if e.key == "" {
		err = batch.sendBare(ctx)
	} else {
		err = e.keys.Claim(ctx, batch, Claim{
			Operation:     e.operation.name,
			Key:           e.key,
			Fingerprint:   e.newest,
			WindowSeconds: e.operation.windowSeconds,
		})
	}
	lost := errors.Is(err, pgx.ErrNoRows)
	if err != nil && !lost {
		_, _ = batch.close() // err came first
		return false, err
	}
	if _, err = batch.close(); err != nil {
		return false, err
	}
	s.tx = batch.tx()
	return !lost, nil
}

// sendLoad reads the record, nil if there is none, and ends the transaction.
func (e *execution) sendLoad(ctx context.Context, s *session) (*Record, error) {
	batch := loadPipeline(s.conn.Conn())
	record, err := e.keys.Load(ctx, batch, e.operation.name, e.key)
	missing := errors.Is(err, pgx.ErrNoRows)
	if err != nil && !missing {
		_, _ = batch.close() // err came first
		return nil, err
	}
	if _, err = batch.close(); err != nil || missing {
		return nil, err
	}
	return &record, nil
}

// read reads the record without a transaction, in one round trip, when it is
// known to be there. The error is [pgx.ErrNoRows] if it is not after all.
func (e *execution) read(waiting context.Context) (Record, error) {
	s, err := e.engine.acquire(waiting)
	if err != nil {
		return Record{}, refuse(unavailable, stepAcquire, err)
	}
	defer s.abandon(waiting)
	ctx, stop := e.uncancelled(waiting)
	defer stop()

	record, err := e.keys.Load(ctx, s.conn, e.operation.name, e.key)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return Record{}, judgeClaim(stepLoad, err, s.lost())
	}
	return record, err
}

// finish records the response and commits, in one round trip that the request's
// end does not stop. From status 400 on, the business function's writes are
// undone first. The answer is the recorded one.
func (e *execution) finish(ctx context.Context, s *session, rendered *recorder) (*Answer, error) {
	response, err := rendered.recorded(e.operation.replayHeaders)
	if err != nil {
		return nil, refuse(internalError, stepRecord, err)
	}
	answer, err := recordedAnswer(response)
	if err != nil {
		return nil, refuse(internalError, stepRecord, err)
	}
	if e.key == "" {
		answer = rendered.unrecorded()
	}
	ctx, stop := e.engine.detached(ctx)
	defer stop()
	if rendered.status >= http.StatusBadRequest {
		// A statement of its own: in a batch it fails if the transaction is aborted.
		if _, err := s.conn.Exec(ctx, rollbackToSQL); err != nil {
			return nil, e.finishFailed(ctx, s, judgeUndo(err))
		}
	} else if s.aborted() {
		return nil, refuse(internalError, stepFinish, errSwallowed)
	}
	if err := e.sendFinish(ctx, s, response); err != nil {
		return nil, e.finishFailed(ctx, s, err)
	}
	return answer, nil
}

// sendFinish records and commits. It succeeds only if COMMIT said so.
func (e *execution) sendFinish(ctx context.Context, s *session, response Recorded) error {
	if s.lost() {
		return refuse(unavailable, stepFinish, errConnectionLost)
	}
	batch := finishPipeline(s.conn.Conn(), e.savepoint())
	var err error
	if e.key == "" {
		err = batch.sendBare(ctx)
	} else {
		err = e.keys.Finish(ctx, batch, e.operation.name, e.key, response)
	}
	tag, closeErr := batch.close()
	switch {
	case err != nil:
		return judgeFinish(stepFinish, err)
	case closeErr != nil:
		return judgeFinish(stepCommit, closeErr)
	case tag.String() != "COMMIT":
		return refuse(internalError, stepCommit, errCommitRollback)
	}
	return nil
}

// finishFailed closes the connection after an error that leaves its state in
// doubt: the transaction was ended by the business function, or COMMIT was not answered.
func (e *execution) finishFailed(ctx context.Context, s *session, err error) error {
	if r := refused(err); r != nil && !r.problem.is(unavailable) {
		s.destroy(ctx)
	}
	return err
}
