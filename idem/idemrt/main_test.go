package idemrt

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The types of operations under test.
type (
	testScope    struct{}
	testRequest  struct{ key *string }
	testResponse interface {
		writeTo(w http.ResponseWriter) error
	}
	testAnswer struct{ *Answer }
)

func (a testAnswer) writeTo(w http.ResponseWriter) error { return a.Send(w) }

type testDefinition = Definition[testScope, testRequest, testResponse]

// definition returns a complete definition, changed by change.
func definition(change func(*testDefinition)) testDefinition {
	d := testDefinition{
		Name:  "createOrder",
		Key:   KeyRule{Name: "Idempotency-Key", Required: true},
		KeyOf: func(r testRequest) *string { return r.key },
		Fingerprints: Versions[testRequest]{1: func(testRequest) fingerprint.Fingerprint {
			h := fingerprint.NewHasher("createOrder", 1)
			return h.Sum()
		}},
		Final:  []string{"2XX"},
		Window: time.Hour,
		Render: testResponse.writeTo,
		Answer: func(a *Answer) testResponse { return testAnswer{a} },
	}
	if change != nil {
		change(&d)
	}
	return d
}

// operation returns the operation of a complete definition, changed by change.
func operation(change func(*testDefinition)) *Operation[testScope, testRequest, testResponse] {
	return definition(change).Operation()
}

// newTestEngine returns an engine without a database, that logs to w.
func newTestEngine(w io.Writer, logKey string) *Engine {
	return NewEngine(nil, Settings{
		Logger: slog.New(slog.NewJSONHandler(w, nil)), LogKey: []byte(logKey), MaxWaiters: 1, MaxResponse: 1 << 20,
		FinishTimeout: time.Second, RecoveryTimeout: time.Second,
		Authorize: func(context.Context, string) error { return nil },
	})
}

// never is a business function that must not run.
func never(t *testing.T) func(context.Context, pgx.Tx, testScope, testRequest) (testResponse, error) {
	return func(context.Context, pgx.Tx, testScope, testRequest) (testResponse, error) {
		t.Error("executed")
		return nil, nil
	}
}
