package idemtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
)

// SingleConnection returns a pool of one connection, for a service under test,
// that reports business functions which take a second one. While a business
// function runs, its transaction has the connection; whatever else it does
// through the pool would wait for it for ever, and in production whenever as many
// calls do it at once as there are connections. Here it fails at once: the test
// is marked as failed, with the place, and the business function gets an error.
//
// A second connection that a goroutine of the business function's asks for cannot
// be told from another request's. It fails after patience, 10 s.
//
// config is of a pool on the test's database, as [pgxpool.Pool.Config] returns
// it, and is not changed. The pool is closed when the test is over.
func SingleConnection(t testing.TB, config *pgxpool.Config) *pgxpool.Pool {
	t.Helper()
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = 1, 0, 0
	tracer := &multitracer.Tracer{}
	if theirs := config.ConnConfig.Tracer; theirs != nil {
		tracer = multitracer.New(theirs)
	}
	tracer.PoolAcquireTracers = append(tracer.PoolAcquireTracers, &acquireGuard{t: t, patience: patience})
	config.ConnConfig.Tracer = tracer
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// patience is how long anybody may wait for the one connection.
const patience = 10 * time.Second

// acquireGuard looks at each call that wants a connection.
type acquireGuard struct {
	t        testing.TB
	patience time.Duration
}

var (
	errSecondConnection = errors.New("idemtest: a business function takes a second connection from the pool; it must do all database work through its tx")
	errImpatient        = errors.New("idemtest: nobody gave the only connection back; does a goroutine of a business function use the pool?")
)

// attempt ends the context of an attempt to get a connection.
type attempt struct{}

// TraceAcquireStart implements [pgxpool.AcquireTracer].
func (g *acquireGuard) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	ctx, stop := context.WithTimeoutCause(ctx, g.patience, errImpatient)
	ctx = context.WithValue(ctx, attempt{}, stop)
	if place, inside := insideBusiness(); inside {
		g.t.Errorf("%s: %v", place, errSecondConnection)
		stop()
	}
	return ctx
}

// TraceAcquireEnd implements [pgxpool.AcquireTracer].
func (g *acquireGuard) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if context.Cause(ctx) == errImpatient { //nolint:errorlint // the very value
		g.t.Error(errImpatient)
	}
	if stop, ok := ctx.Value(attempt{}).(context.CancelFunc); ok {
		stop()
	}
}

// callsBusiness is the function of the runtime that calls business functions.
const callsBusiness = "github.com/idemgen/idemgen/idem/idemrt.(*execution).callBusiness"

// insideBusiness reports whether this goroutine is in a business function, and
// where that left it for the pool.
func insideBusiness() (place string, inside bool) {
	callers := make([]uintptr, 256)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == callsBusiness:
			return place, true
		case place == "" && !isPlumbing(frame.Function):
			place = fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if !more {
			return "", false
		}
	}
}

func isPlumbing(function string) bool {
	return strings.HasPrefix(function, "github.com/jackc/pgx/v5") ||
		strings.HasPrefix(function, "github.com/idemgen/idemgen/idem/idemtest.(*acquireGuard)")
}
