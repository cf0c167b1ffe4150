package idemrt

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProblems(t *testing.T) {
	op := operation(func(d *testDefinition) { d.RetryAfter = 1500 * time.Millisecond }).rules
	for _, test := range []struct {
		problem problem
		status  int
		again   bool
		level   string
	}{
		{keyMissing.with("Idempotency-Key"), 400, false, "INFO"},
		{keyInvalid.with("Idempotency-Key"), 400, false, "INFO"},
		{keyReused, 422, false, "INFO"},
		{inFlight, 409, true, "INFO"},
		{expired, 410, false, "INFO"},
		{unavailable, 503, true, "WARN"},
		{outcomeUnknown, 503, true, "WARN"},
		{requestMalformed, 400, false, "INFO"},
		{internalError, 500, false, "ERROR"},
	} {
		t.Run(test.problem.code, func(t *testing.T) {
			log := &bytes.Buffer{}
			g := newTestEngine(log, "secret")
			w := httptest.NewRecorder()
			if err := g.refuse(t.Context(), op, "the-key", refuse(test.problem, stepClaim, nil)).Send(w); err != nil {
				t.Fatal(err)
			}
			var body, line map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(log.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			instance, _ := body["instance"].(string)
			if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(instance) {
				t.Errorf("instance is %q", instance)
			}
			want := map[string]any{
				"type": "urn:idemgen:problem:" + test.problem.code, "code": test.problem.code, "status": float64(test.status),
				"title": test.problem.title, "detail": test.problem.detail, "instance": instance,
			}
			if diff := cmp.Diff(want, body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if w.Code != test.status || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("got %d, %v", w.Code, w.Header())
			}
			if got := w.Header().Get("Retry-After"); (got == "2") != test.again {
				t.Errorf("Retry-After is %q", got)
			}
			if line["instance"] != instance || line["level"] != test.level || line["key_digest"] != g.keyDigest("createOrder", "the-key") {
				t.Errorf("log line: %s", log)
			}
			if strings.Contains(w.Body.String()+log.String(), "the-key") {
				t.Error("the key leaked")
			}
		})
	}
}

func TestChosenStatuses(t *testing.T) {
	chosen := Statuses{Mismatch: 409, InFlight: 425, Expired: 404}
	for _, test := range []struct {
		problem problem
		want    int
	}{{keyReused, 409}, {inFlight, 425}, {expired, 404}, {unavailable, 503}, {keyMissing, 400}} {
		if got := test.problem.under(chosen).status; got != test.want {
			t.Errorf("%s: got %d, want %d", test.problem.code, got, test.want)
		}
	}
}

func TestKeyDigest(t *testing.T) {
	a, b := newTestEngine(io.Discard, "a"), newTestEngine(io.Discard, "b")
	if a.keyDigest("op", "k") != newTestEngine(io.Discard, "a").keyDigest("op", "k") {
		t.Error("one secret, two digests")
	}
	if a.keyDigest("op", "k") == b.keyDigest("op", "k") || a.keyDigest("op", "k") == a.keyDigest("o", "pk") {
		t.Error("two names, one digest")
	}
}
