package variety

import (
	"net/http"
	"strings"
	"testing"
)

// TestVariety runs every part against one service: building it takes longest.
func TestVariety(t *testing.T) {
	s := start(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *service)
	}{
		{"key in the body", testBodyKey},
		{"optional key", testOptionalKey},
		{"key in an odd header", testOddHeader},
		{"several content types", testSeveralTypes},
		{"optional body", testOptionalBody},
		{"download", testDownload},
		{"responses", testResponses},
	} {
		t.Run(part.name, func(t *testing.T) {
			inner := *s
			inner.t = t
			part.test(t, &inner)
		})
	}
}

func testBodyKey(t *testing.T, s *service) {
	body := func(key, amount string) request {
		return request{path: "/body-key", body: `{"idempotency_key": ` + key + `, "amount": ` + amount + `}`}
	}
	for _, key := range []string{`"k"`, `"ключ 🔑"`, `"\"quoted\""`, `" k "`, `"` + strings.Repeat("é", 300) + `"`} {
		first := s.first(body(key, "1"), http.StatusCreated)
		s.retry(body(key, "1"), first)
		s.refused(body(key, "2"), http.StatusUnprocessableEntity, "idempotency_key_reused")
	}
	s.retry(body(`"\u006b"`, "1"), s.send(body(`"k"`, "1"))) // the same key
	if got := s.runs("body key"); got != 5 {
		t.Errorf("%d runs, want 5", got)
	}
	for _, missing := range []string{`""`, `null`} {
		s.refused(body(missing, "1"), http.StatusBadRequest, "idempotency_key_missing")
	}
	s.refused(request{path: "/body-key", body: `{"amount": 1}`}, http.StatusBadRequest, "idempotency_key_missing")
	for _, invalid := range []string{`"a\u0000b"`, `"\ud800"`, `"` + strings.Repeat("x", 301) + `"`, `"` + strings.Repeat("🔑", 256) + `"`} {
		s.refused(body(invalid, "1"), http.StatusBadRequest, "idempotency_key_invalid")
	}
	// A header of that name means nothing.
	r := body(`"k"`, "1")
	r.header = http.Header{"Idempotency-Key": {"a", "b"}}
	if a := s.send(r); !a.Replayed {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

func testOptionalKey(t *testing.T, s *service) {
	before := s.keys()
	r := request{path: "/optional-key", body: `{"amount": 1}`}
	one, two := s.first(r, http.StatusCreated), s.first(r, http.StatusCreated)
	if one.Body == two.Body || s.runs("optional key") != 2 || s.keys() != before {
		t.Errorf("without a key: %s and %s, %d runs, %d keys", one.Body, two.Body, s.runs("optional key"), s.keys()-before)
	}
	r.header = http.Header{"X-Idempotency-Key": {"k"}}
	s.retry(r, s.first(r, http.StatusCreated))
	if got := s.runs("optional key"); got != 3 || s.keys() != before+1 {
		t.Errorf("with a key: %d runs, %d keys", got, s.keys()-before)
	}
	r.header = http.Header{"X-Idempotency-Key": {"a", "b"}}
	s.refused(r, http.StatusBadRequest, "idempotency_key_invalid")
}

func testOddHeader(_ *testing.T, s *service) {
	r := request{path: "/odd-header", body: `{"amount": 1}`}
	s.refused(r, http.StatusBadRequest, "idempotency_key_missing")
	r.header = http.Header{"paypal-REQUEST-id": {"k"}}
	first := s.first(r, http.StatusCreated)
	r.header = http.Header{"PAYPAL-REQUEST-ID": {`"k"`}}
	s.retry(r, first)
	r.header = http.Header{"Paypal-Request-Id": {"a", "b"}}
	s.refused(r, http.StatusBadRequest, "idempotency_key_invalid")
}

func testSeveralTypes(t *testing.T, s *service) {
	send := func(key, contentType, body string) request {
		key = strings.ReplaceAll(key, " ", "")
		return request{path: "/several", contentType: contentType, body: body, header: http.Header{"Idempotency-Key": {key}}}
	}
	bodies := []struct{ contentType, body, equal, other string }{
		{"application/json", `{"amount": 1}`, `{"AMOUNT": 1}`, `{"amount": 2}`},
		{"application/vnd.acme+json; charset=utf-8", `{"amount": 1}`, `{"amount":1}`, `{}`},
		{"application/x-www-form-urlencoded", `amount=1`, `amount=01`, `amount=2`},
		{"text/plain", `1`, `1`, `1 `},
	}
	for _, b := range bodies {
		first := s.first(send(b.contentType, b.contentType, b.body), http.StatusCreated)
		s.retry(send(b.contentType, b.contentType, b.body), first)
		s.retry(send(b.contentType, b.contentType, b.equal), first)
		s.refused(send(b.contentType, b.contentType, b.other), http.StatusUnprocessableEntity, "idempotency_key_reused")
		for _, other := range bodies {
			if other.contentType != b.contentType {
				s.refused(send(b.contentType, other.contentType, other.body), http.StatusUnprocessableEntity, "idempotency_key_reused")
			}
		}
	}
	before := s.keys()
	s.refused(send("none", "application/xml", "<amount>1</amount>"), http.StatusBadRequest, "request_malformed")
	if got := s.runs("several"); got != len(bodies) || s.keys() != before {
		t.Errorf("%d runs, want %d; %d keys without a body", got, len(bodies), s.keys()-before)
	}
}

func testOptionalBody(_ *testing.T, s *service) {
	send := func(key, contentType, body string) request {
		return request{path: "/optional-body", contentType: contentType, body: body, header: http.Header{"Idempotency-Key": {key}}}
	}
	none := s.first(send("none", "application/json", ""), http.StatusCreated)
	s.retry(send("none", "text/plain", ""), none)
	s.refused(send("none", "application/json", "{}"), http.StatusUnprocessableEntity, "idempotency_key_reused")
	s.retry(send("text", "text/plain", "x"), s.first(send("text", "text/plain", "x"), http.StatusCreated))
}

func testDownload(t *testing.T, s *service) {
	send := func(key, size string) request {
		return request{path: "/download?size=" + size, header: http.Header{"Idempotency-Key": {key}}}
	}
	first := s.first(send("k", "100"), http.StatusOK)
	if first.Body != strings.Repeat("\x00\xff", 50) || first.ContentType != "application/octet-stream" || first.Header.Get("ETag") != `"1"` {
		t.Errorf("%d bytes of %s, ETag %s", len(first.Body), first.ContentType, first.Header.Get("ETag"))
	}
	s.retry(send("k", "100"), first)
	if a := s.send(send("k", "100")); a.Header.Get("ETag") != `"1"` {
		t.Errorf("replayed ETag %s", a.Header.Get("ETag"))
	}
	// One that is over the limit leaves no trace, and is closed as well.
	s.refused(send("large", "2000"), http.StatusInternalServerError, "idempotency_internal_error")
	if got := s.runs("download"); got != 1 {
		t.Errorf("%d runs, want 1", got)
	}
	s.first(send("large", "10"), http.StatusOK)
	if got := s.closed(); got != "3" {
		t.Errorf("%s files closed, want 3", got)
	}
}

func testResponses(t *testing.T, s *service) {
	send := func(status string) request {
		return request{path: "/outcome?status=" + status, header: http.Header{"Idempotency-Key": {status}}}
	}
	for _, final := range []struct {
		status      int
		text        string
		contentType string
	}{
		{http.StatusNoContent, "204", ""},
		{http.StatusConflict, "409", "text/plain"},
		{http.StatusTeapot, "418", "application/problem+json"},
		{http.StatusAccepted, "202", "application/json"},
	} {
		first := s.first(send(final.text), final.status)
		if first.ContentType != final.contentType {
			t.Errorf("%s: Content-Type %q, want %q", final.text, first.ContentType, final.contentType)
		}
		s.retry(send(final.text), first)
		if final.status == http.StatusConflict && s.send(send("409")).Header.Get("X-Reason") != first.Body {
			t.Error("the header of the response is not replayed")
		}
	}
	if got := s.runs("outcome"); got != 2 { // 4XX are recorded, and undo
		t.Errorf("%d runs, want 2", got)
	}
	s.first(send("503"), http.StatusServiceUnavailable) // not final
	s.first(send("503"), http.StatusServiceUnavailable)
	// A response whose status was left unset is a mistake.
	s.refused(send("0"), http.StatusInternalServerError, "idempotency_internal_error")
}
