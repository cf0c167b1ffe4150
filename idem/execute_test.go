package idem

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// unreadable is the fingerprint of a request with a member that is there twice.
func unreadable(version int16) Fingerprint {
	h := NewHasher("createOrder", version)
	h.Field("body.meta")
	h.JSON([]byte(`{"secret":1,"secret":2}`))
	return h.Sum()
}

// A request that has no fingerprint is refused before the database is asked, with
// a key and without; a missing key is told first.
func TestExecuteRefusesWhatHasNoFingerprint(t *testing.T) {
	key := "k"
	for name, test := range map[string]struct {
		key  *string
		rule KeyRule
		want string
	}{
		"with a key":    {&key, KeyRule{Name: "Idempotency-Key", Required: true}, "request_malformed"},
		"without a key": {nil, KeyRule{Name: "Idempotency-Key"}, "request_malformed"},
		"key missing":   {nil, KeyRule{Name: "Idempotency-Key", Required: true}, "idempotency_key_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			log := &strings.Builder{}
			g := New(nil, WithLogger(slog.New(slog.NewTextHandler(log, nil))))
			op := &Operation{Name: "createOrder", Key: test.rule}
			call := Call{Key: test.key, Fingerprints: []Fingerprint{unreadable(1)}}
			answer, err := g.Execute(t.Context(), op, nil, call, func(context.Context, pgx.Tx) (Outcome, error) {
				t.Error("executed")
				return Outcome{}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			if err := answer.Send(w); err != nil {
				t.Fatal(err)
			}
			if w.Code != 400 || !strings.Contains(w.Body.String(), `"code":"`+test.want+`"`) {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
			if strings.Contains(w.Body.String()+log.String(), "secret") {
				t.Errorf("the request leaked: %s %s", w.Body, log)
			}
		})
	}
}

// A request that needs a body and has none has no fingerprint, and keeps the first
// reason where there is another.
func TestHasherNoBody(t *testing.T) {
	h := NewHasher("createOrder", 1)
	h.NoBody()
	h.JSON([]byte(`{`))
	if f := h.Sum(); f.err != errNoBody { //nolint:errorlint // a constant
		t.Errorf("got %v", f.err)
	}
}

// Under an older version such a request is no retry of anything: none like it was
// ever recorded.
func TestCompareWithoutFingerprint(t *testing.T) {
	old := unreadable(1)
	current := NewHasher("createOrder", 2)
	e := &execution{fingerprints: []Fingerprint{current.Sum(), old}}
	r := refused(e.compare(Record{FingerprintVersion: 1, Fingerprint: old.Sum[:], Status: 201}))
	if r == nil || !r.problem.is(keyReused) {
		t.Errorf("got %v", r)
	}
}
