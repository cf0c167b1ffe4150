package idemrt

import (
	"context"
	"log/slog"
	"time"
)

// unknown returns the refusal of a COMMIT that was not answered, or nil.
func unknown(err error) *refusal {
	if r := refused(err); r != nil && r.problem.is(outcomeUnknown) {
		return r
	}
	return nil
}

// findOut asks what became of a COMMIT that was not answered, by claiming the
// key once more, on new connections and with a time of its own. The gate stays
// closed meanwhile.
//
//   - There is a record: the caller is a duplicate like any other. Who wrote it,
//     this call or a later one with the same key, cannot be told, so that the
//     answer is a replay.
//   - The key can be claimed: nothing was committed. The claim is given back.
//   - Neither: the old transaction may still live, or the database cannot be
//     asked. Ask again; once the time is over it stays unknown.
func (e *execution) findOut(ctx context.Context, lost *refusal) (answer *Answer, recorded bool, err error) {
	e.logUnknown(ctx, lost)
	e.deadline = time.Now().Add(e.engine.settings.RecoveryTimeout)
	asking, stop := e.uncancelled(ctx)
	defer stop()

	for pause := (pauses{}); ; {
		s, record, _ := e.claim(asking) // whatever the error: it is not known yet
		switch {
		case s != nil:
			s.abandon(ctx)
			return nil, false, refuse(unavailable, stepRecover, lost.cause)
		case record != nil:
			answer, err = e.answerFrom(ctx, *record, nil)
			return answer, true, err
		}
		if !pause.wait(asking) {
			return nil, false, lost
		}
	}
}

// logUnknown reports a COMMIT that was not answered, however it turns out.
func (e *execution) logUnknown(ctx context.Context, lost *refusal) {
	e.engine.settings.Logger.LogAttrs(ctx, slog.LevelWarn, "COMMIT was not answered; asking what became of it",
		slog.String("operation", e.operation.name),
		slog.String("step", string(lost.step)),
		Cause(lost.cause),
		e.engine.keyAttr(e.operation.name, e.key))
}
