package idemrt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func sqlError(code string) error {
	return fmt.Errorf("query: %w", &pgconn.PgError{Code: code, Severity: "FEHLER", SeverityUnlocalized: "ERROR", Message: "secret", Detail: "secret"})
}

func fatal(code string) error {
	return &pgconn.PgError{Code: code, SeverityUnlocalized: "FATAL", Message: "secret"}
}

func TestClaimErrors(t *testing.T) {
	for _, test := range []struct {
		err  error
		lost bool
		want problem
	}{
		{sqlError("55P03"), false, inFlight},
		{sqlError("57014"), false, inFlight},
		{context.DeadlineExceeded, true, inFlight},
		{fmt.Errorf("timeout: %w", context.DeadlineExceeded), true, inFlight},
		{sqlError("40001"), false, unavailable},
		{sqlError("40P01"), false, unavailable},
		{sqlError("08006"), false, unavailable},
		{sqlError("53300"), false, unavailable},
		{fatal("57P01"), true, unavailable},
		{sqlError("25006"), false, unavailable},
		{fatal("25P03"), true, unavailable},
		{fatal("25P04"), true, unavailable},
		{io.ErrUnexpectedEOF, true, unavailable},
		{sqlError("22001"), false, requestMalformed},
		{sqlError("22021"), false, requestMalformed},
		{sqlError("23514"), false, requestMalformed},
		{sqlError("42P01"), false, unavailable},
		{sqlError("42703"), false, unavailable},
		{sqlError("42P10"), false, unavailable},
		{sqlError("42804"), false, unavailable},
		{sqlError("42501"), false, internalError},
		{sqlError("22P02"), false, internalError},
		{errors.New("cannot scan NULL"), false, internalError},
	} {
		if got := judgeClaim(stepClaim, test.err, test.lost); !got.problem.is(test.want) {
			t.Errorf("%v: got %s, want %s", test.err, got.problem.code, test.want.code)
		}
	}
}

func TestFinishErrors(t *testing.T) {
	for _, test := range []struct {
		at   step
		err  error
		want string // a code; "" is the error itself
	}{
		{stepFinish, sqlError("25P02"), "idempotency_internal_error"},
		{stepFinish, sqlError("25P01"), "idempotency_internal_error"},
		{stepFinish, sqlError("3B001"), "idempotency_internal_error"},
		{stepFinish, sqlError("22012"), "idempotency_internal_error"},
		{stepFinish, sqlError("23505"), "idempotency_internal_error"},
		{stepFinish, sqlError("42P01"), "idempotency_unavailable"},
		{stepFinish, sqlError("40001"), "idempotency_unavailable"},
		{stepFinish, sqlError("53100"), "idempotency_unavailable"},
		{stepFinish, fatal("57P01"), "idempotency_outcome_unknown"},
		{stepFinish, io.ErrUnexpectedEOF, "idempotency_outcome_unknown"},
		{stepCommit, sqlError("40001"), "idempotency_unavailable"},
		{stepCommit, sqlError("40P01"), "idempotency_unavailable"},
		{stepCommit, sqlError("23505"), ""},
		{stepCommit, sqlError("P0001"), ""},
		{stepCommit, sqlError("08006"), "idempotency_outcome_unknown"},
		{stepCommit, sqlError("40003"), "idempotency_outcome_unknown"},
		{stepCommit, sqlError("57P02"), "idempotency_outcome_unknown"},
		{stepCommit, fatal("XX000"), "idempotency_outcome_unknown"},
		{stepCommit, context.DeadlineExceeded, "idempotency_outcome_unknown"},
		{stepCommit, errors.New("conn closed"), "idempotency_outcome_unknown"},
	} {
		got := judgeFinish(test.at, test.err)
		if codeOf(got) != test.want || test.want == "" && !errors.Is(got, test.err) {
			t.Errorf("%s, %v: got %v, want %q", test.at, test.err, got, test.want)
		}
	}
}

// An instance that has another table than its own refuses everything: that is an error,
// though other refusals of the kind are warnings.
func TestOtherTableIsLoud(t *testing.T) {
	if got := judgeClaim(stepClaim, sqlError("42P10"), false).level(); got != slog.LevelError {
		t.Errorf("got %s, want ERROR", got)
	}
	if got := judgeClaim(stepClaim, sqlError("53300"), false).level(); got != slog.LevelWarn {
		t.Errorf("got %s, want WARN", got)
	}
}

// Texts of database errors and of foreign errors may hold data.
func TestCauseAttr(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{sqlError("23505"), "sqlstate=23505"},
		{errors.New("secret"), "cause_type=*errors.errorString"},
		{fmt.Errorf("secret: %w", context.DeadlineExceeded), "cause=out of time"},
		{errSwallowed, "cause=" + errSwallowed.Error()},
		{otherTable(stepClaim, sqlError("42P10")).cause, "=[cause=" + errOtherTable.Error() + " sqlstate=42P10]"},
		{nil, ""},
	} {
		attr := Cause(test.err)
		if got := strings.TrimSuffix(attr.String(), "=<nil>"); got != test.want && (test.err != nil || !attr.Equal(slog.Attr{})) {
			t.Errorf("%v: got %s, want %s", test.err, got, test.want)
		}
	}
}
