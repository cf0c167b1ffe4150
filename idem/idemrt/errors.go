package idemrt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// refusal is why a call is answered with a problem. It never leaves the package.
type refusal struct {
	problem problem
	step    step
	cause   error // for the log; nil if the problem says it all
}

// Error implements error.
func (r *refusal) Error() string { return "idem: " + r.problem.code }

func refuse(p problem, at step, cause error) *refusal {
	return &refusal{problem: p, step: at, cause: cause}
}

// refused returns the refusal that err is, or nil.
func refused(err error) *refusal {
	var r *refusal
	errors.As(err, &r)
	return r
}

// fault is a mistake or a refusal of ours. Its text holds no data and is logged.
type fault string

// Error implements error.
func (f fault) Error() string { return "idem: " + string(f) }

// step is where in its life a call was refused.
type step string

const (
	stepRequest  step = "request"
	stepKey      step = "key"
	stepRead     step = "fingerprint"
	stepGate     step = "gate"
	stepAcquire  step = "acquire"
	stepClaim    step = "claim"
	stepLoad     step = "load"
	stepCompare  step = "compare"
	stepBusiness step = "business"
	stepRecord   step = "record"
	stepFinish   step = "finish"
	stepCommit   step = "commit"
	stepRecover  step = "recover"
)

// ErrUnknownOutcome is returned for a call without an idempotency key whose COMMIT was
// not acknowledged: whether the business function's writes were committed is not known,
// and there is no key by which it could be found out.
var ErrUnknownOutcome error = fault("COMMIT was not acknowledged, and there is no key by which to find out what happened")

const (
	errNoResponse     fault = "the business function returned neither a response nor an error"
	errSwallowed      fault = "the business function ignored a database error"
	errCommitRollback fault = "COMMIT rolled back"
	errConnectionLost fault = "the connection broke before COMMIT was sent"
	errOtherTable     fault = "the key table is not the one that this code was generated for"
)

// rule says what an SQLSTATE, or a class of them, means at a step.
type rule struct {
	codes   []string // each a prefix
	problem problem
}

// otherTableCodes are errors of our own statements when the table is from before or
// after a migration: no such table or column, no such key, another type. They pass when
// the migration has been applied, or the instance is replaced; see
// docs/changing-a-contract.md.
var otherTableCodes = []string{"42P01", "42703", "42P10", "42804"}

// No rule, no connection lost: schema and generated code do not match.
var claimRules = []rule{
	{[]string{"55P03", "57014"}, inFlight},
	{[]string{"40001", "40P01"}, unavailable},
	{[]string{"08", "53", "57P", "25006", "25P03", "25P04"}, unavailable},
	{[]string{"22001", "22021", "23514"}, requestMalformed}, // no text that a scope's column takes
}

// No rule: a mistake of ours or of the schema's.
var finishRules = []rule{
	{[]string{"25P02", "25P01", "3B001"}, internalError},
	{[]string{"40001", "40P01", "53", "25006"}, unavailable},
}

// No rule: the database refused what the business function wrote.
var commitRules = []rule{
	{[]string{"40001", "40P01"}, unavailable},
}

// unknownCodes are errors after which a COMMIT may have happened.
var unknownCodes = []string{"08", "57P", "40003"}

func lookUp(rules []rule, code string) (problem, bool) {
	for _, r := range rules {
		if hasPrefix(code, r.codes) {
			return r.problem, true
		}
	}
	return problem{}, false
}

func hasPrefix(code string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(code, prefix) {
			return true
		}
	}
	return false
}

// judgeClaim says how a failed claim or load is answered. Nothing was executed.
func judgeClaim(at step, err error, connectionLost bool) *refusal {
	if pgErr := pgError(err); pgErr != nil {
		if p, ok := lookUp(claimRules, pgErr.Code); ok {
			return refuse(p, at, err)
		}
		if hasPrefix(pgErr.Code, otherTableCodes) {
			return otherTable(at, err)
		}
		return refuse(internalError, at, err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return refuse(inFlight, at, err)
	case connectionLost:
		return refuse(unavailable, at, err)
	}
	return refuse(internalError, at, err)
}

// otherTable refuses a call whose key table is another one than its code was generated
// for. Nothing was executed, or it is rolled back.
func otherTable(at step, err error) *refusal {
	return refuse(unavailable, at, fmt.Errorf("%w: %w", errOtherTable, err))
}

// level is how loud a refusal is logged. Instances without their table refuse
// everything, so that somebody has to know.
func (r *refusal) level() slog.Level {
	if errors.Is(r.cause, errOtherTable) {
		return slog.LevelError
	}
	return r.problem.level()
}

// startsOver reports whether a claim that failed may simply be tried again.
func startsOver(err error) bool {
	pgErr := pgError(err)
	return pgErr != nil && hasPrefix(pgErr.Code, []string{"40001", "40P01"})
}

// judgeFinish says how a finish that failed once it was sent is answered. The
// transaction is rolled back, unless the problem is outcomeUnknown. Only an error
// that the server reported makes that known: [pgconn.SafeToRetry] also holds for
// the second error of a connection that broke after COMMIT. At COMMIT an error may be the
// business function's, from a deferred constraint: then it is returned as it is.
func judgeFinish(at step, err error) error {
	pgErr := pgError(err)
	switch {
	case pgErr == nil, pgErr.SeverityUnlocalized == "FATAL", pgErr.SeverityUnlocalized == "PANIC",
		hasPrefix(pgErr.Code, unknownCodes):
		return refuse(outcomeUnknown, at, err)
	case at == stepCommit:
		if p, ok := lookUp(commitRules, pgErr.Code); ok {
			return refuse(p, at, err)
		}
		return err
	}
	if p, ok := lookUp(finishRules, pgErr.Code); ok {
		return refuse(p, at, err)
	}
	if hasPrefix(pgErr.Code, otherTableCodes) {
		return otherTable(at, err)
	}
	return refuse(internalError, at, err)
}

// judgeUndo says how a failed ROLLBACK TO SAVEPOINT is answered. Nothing was
// committed.
func judgeUndo(err error) *refusal {
	if pgErr := pgError(err); pgErr != nil {
		if p, ok := lookUp(finishRules, pgErr.Code); ok {
			return refuse(p, stepFinish, err)
		}
	}
	return refuse(unavailable, stepFinish, err)
}

func pgError(err error) *pgconn.PgError {
	var pgErr *pgconn.PgError
	errors.As(err, &pgErr)
	return pgErr
}

// Cause describes err for the log without anything that may hold data: of a
// database error its SQLSTATE, of ours the text, of any other the type.
func Cause(err error) slog.Attr {
	var connect *pgconn.ConnectError
	switch pgErr := pgError(err); {
	case err == nil:
		return slog.Attr{}
	case pgErr != nil && errors.Is(err, errOtherTable):
		return slog.Group("", slog.String("cause", errOtherTable.Error()), slog.String("sqlstate", pgErr.Code))
	case pgErr != nil:
		return slog.String("sqlstate", pgErr.Code)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), pgconn.Timeout(err):
		return slog.String("cause", "out of time")
	case errors.As(err, &connect):
		return slog.String("cause", err.Error()) // host, user and database; no data
	case errors.As(err, new(fault)), errors.As(err, new(fingerprint.Error)):
		return slog.String("cause", err.Error())
	}
	return slog.String("cause_type", fmt.Sprintf("%T", err))
}
