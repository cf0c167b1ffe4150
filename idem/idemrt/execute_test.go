package idemrt

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// unreadable is the fingerprint of a request with a member that is there twice.
func unreadable(testRequest) fingerprint.Fingerprint {
	h := fingerprint.NewHasher("createOrder", 1)
	h.Field("body.meta")
	h.JSON([]byte(`{"secret":1,"secret":2}`))
	return h.Sum()
}

// nobodysKeys are keys of which none is asked for.
type nobodysKeys struct{ Keys }

// A request that has no fingerprint is refused before the database is asked, with
// a key and without; a missing key is reported first.
func TestRunRefusesWhatHasNoFingerprint(t *testing.T) {
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
			op := operation(func(d *testDefinition) {
				d.Key = test.rule
				d.Fingerprints = Versions[testRequest]{1: unreadable}
			})
			response, err := Run(t.Context(), newTestEngine(log, ""), op, nobodysKeys{}, testScope{}, testRequest{test.key}, never(t))
			if err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			if err := response.writeTo(w); err != nil {
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

// Under an older version such a request is no retry of anything: none like it was
// ever recorded.
func TestCompareWithoutFingerprint(t *testing.T) {
	old := unreadable(testRequest{})
	current := fingerprint.NewHasher("createOrder", 2)
	e := &execution{newest: current.Sum(), older: []fingerprint.Fingerprint{old}}
	r := refused(e.compare(Record{FingerprintVersion: 1, Fingerprint: old.Sum[:], Status: 201}))
	if r == nil || !r.problem.is(keyReused) {
		t.Errorf("got %v", r)
	}
}

// Versions are tried from the newest, whatever order a map has.
func TestVersionsAreOrdered(t *testing.T) {
	of := func(version int16) func(testRequest) fingerprint.Fingerprint {
		return func(testRequest) fingerprint.Fingerprint {
			h := fingerprint.NewHasher("createOrder", version)
			return h.Sum()
		}
	}
	op := operation(func(d *testDefinition) { d.Fingerprints = Versions[testRequest]{2: of(2), 9: of(9), 4: of(4)} })
	newest, older := (&call[testScope, testRequest, testResponse]{operation: op}).fingerprints()
	if newest.Version != 9 || len(older) != 2 || older[0].Version != 4 || older[1].Version != 2 {
		t.Errorf("got %d and %v", newest.Version, older)
	}
}
