package service_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/database"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/example/internal/service"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

const (
	oneCup  = `{"items":[{"sku":"cup"}],"ship_to":{"name":"Ada","city":"London"}}`
	noOrder = "/orders/0b0f4b1c-2f8e-4d7e-9f57-f6a7b0c5a001"
)

// A call is a request to the service; the zero header is Ada's.
type call struct {
	method, path, body string
	header             http.Header
}

func asAda(more ...string) http.Header {
	h := http.Header{"Authorization": {"Bearer " + sample.Token}, "Content-Type": {"application/json"}}
	for i := 0; i < len(more); i += 2 {
		h.Add(more[i], more[i+1])
	}
	return h
}

func TestProblems(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, pool, io.Discard)
	payment := "/providers/" + sample.Provider + "/payments"
	tests := []struct {
		name   string
		call   call
		status int
		code   string
		detail string // part of it
	}{
		{"no token", call{http.MethodGet, noOrder, "", http.Header{}}, 401, "unauthenticated", ""},
		{"wrong token", call{http.MethodGet, noOrder, "", http.Header{"Authorization": {"Bearer x"}}}, 401, "unauthenticated", ""},
		{"customer as provider", call{http.MethodPost, payment, "{}", asAda("Webhook-Id", "k")}, 401, "unauthenticated", ""},
		{"wrong provider secret", call{http.MethodPost, payment, "{}", http.Header{auth.ProviderSecretHeader: {"x"}}}, 401, "unauthenticated", ""},
		{"unknown order", call{http.MethodGet, noOrder, "", asAda()}, 404, "order_not_found", ""},
		{"id that is none", call{http.MethodGet, "/orders/1", "", asAda()}, 400, "bad_request", ""},
		{"not JSON", call{http.MethodPost, "/orders", "{", asAda("Idempotency-Key", "k")}, 400, "invalid_request", "The body"},
		{"not as described", call{http.MethodPost, "/orders", `{"items":[{"sku":"cup","quantity":0}],"ship_to":{"name":"Ada","city":"London"}}`, asAda("Idempotency-Key", "k")}, 400, "invalid_request", "The body, at /items/0/quantity: "},
		{"parameter not as described", call{http.MethodPost, "/providers/ACME/payments", "{}", http.Header{auth.ProviderSecretHeader: {"x"}}}, 401, "unauthenticated", ""},
		{"key missing", call{http.MethodPost, "/orders", oneCup, asAda()}, 400, "idempotency_key_missing", ""},
		{"key empty", call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", "")}, 400, "idempotency_key_invalid", ""},
		{"key doubled", call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", "a", "Idempotency-Key", "b")}, 400, "idempotency_key_invalid", ""},
		{"key too long", call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", strings.Repeat("k", 256))}, 400, "idempotency_key_invalid", ""},
		{"out of stock", call{http.MethodPost, "/orders", strings.Replace(oneCup, "cup", "samovar", 1), asAda("Idempotency-Key", "k")}, 409, "out_of_stock", "samovar"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			recorder := send(t, handler, tt.call)
			p := problemIn(t, recorder)
			if recorder.Code != tt.status || p.Code == nil || *p.Code != tt.code {
				t.Errorf("got %d %s, want %d %s", recorder.Code, recorder.Body, tt.status, tt.code)
			}
			if p.Detail == nil || !strings.Contains(*p.Detail, tt.detail) || strings.Contains(*p.Detail, "\n") {
				t.Errorf("detail: %s", recorder.Body)
			}
			if challenge := recorder.Header().Get("WWW-Authenticate"); (challenge != "") != (tt.status == http.StatusUnauthorized) {
				t.Errorf("WWW-Authenticate: %q", challenge)
			}
		})
	}
}

// What the document allows and PostgreSQL cannot store is the caller's fault, and
// leaves the key free.
func TestWhatCannotBeStored(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, pool, io.Discard)
	order := send(t, handler, orderCall("order", oneCup)).Header().Get("Location")
	payment := func(key, amount string) call {
		body := `{"order_id":"` + strings.TrimPrefix(order, "/orders/") + `","amount":` + amount + `,"paid_at":"2030-01-02T03:04:05Z"}`
		header := http.Header{auth.ProviderSecretHeader: {sample.ProviderSecret}, "Content-Type": {"application/json"}, "Webhook-Id": {key}}
		return call{http.MethodPost, "/providers/" + sample.Provider + "/payments", body, header}
	}
	if got := send(t, handler, payment("largest", "9223372036854775807")); got.Code != http.StatusNoContent {
		t.Fatalf("got %d %s", got.Code, got.Body)
	}
	for name, c := range map[string]call{
		"NUL in a name":      orderCall("k", strings.Replace(oneCup, "Ada", `A\u0000da`, 1)),
		"NUL in an article":  orderCall("k", strings.Replace(oneCup, "cup", `c\u0000up`, 1)),
		"NUL in a note":      orderCall("k", strings.Replace(oneCup, "{", `{"note":"\u0000",`, 1)),
		"NUL in a reason":    {http.MethodPost, order + "/cancel", `{"reason":"\u0000"}`, asAda("Idempotency-Key", "c")},
		"a sum that is over": payment("k", "1"),
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, send(t, handler, c), http.StatusBadRequest, "invalid_request")
		})
	}
	if got := send(t, handler, orderCall("k", oneCup)); got.Code != http.StatusCreated {
		t.Errorf("the key is not free: %d %s", got.Code, got.Body)
	}
}

// A body that does not arrive before the server's read timeout is the client's fault,
// although the server ends the request's context then.
func TestASlowBody(t *testing.T) {
	handler := newHandler(t, samplePool(t, pgtest.Server(t)), io.Discard)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Now()); err != nil {
			t.Error(err)
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	body, rest := io.Pipe() // nothing is ever written to it
	defer func() { _ = rest.Close() }()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/orders", body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = asAda("Idempotency-Key", "k")
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %d, want 408", response.StatusCode)
	}
}

func TestABodyOverTheLimit(t *testing.T) {
	handler := newHandler(t, samplePool(t, pgtest.Server(t)), io.Discard)
	body := strings.Replace(oneCup, "Ada", strings.Repeat("a", 1<<20), 1)
	recorder := send(t, handler, call{http.MethodPost, "/orders", body, asAda("Idempotency-Key", "k")})
	if recorder.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", recorder.Code)
	}
}

func TestKeysThatSpellTheSame(t *testing.T) {
	handler := newHandler(t, samplePool(t, pgtest.Server(t)), io.Discard)
	for _, key := range []string{"order-1", "8e03978e-40d5-43e8-bc93-6894a57f9324"} {
		first := send(t, handler, call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", key)})
		quoted := send(t, handler, call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", `"`+key+`"`)})
		if first.Code != http.StatusCreated || quoted.Code != http.StatusCreated {
			t.Fatalf("got %d and %d, want 201 twice", first.Code, quoted.Code)
		}
		if first.Body.String() != quoted.Body.String() || quoted.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: quoted, it is another key", key)
		}
	}
}

func TestErrorsGoToTheLogOnly(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	var log strings.Builder
	handler := newHandler(t, pool, &log)
	if _, err := pool.Exec(t.Context(), "DROP TABLE order_items"); err != nil {
		t.Fatal(err)
	}
	recorder := send(t, handler, call{http.MethodPost, "/orders", oneCup, asAda("Idempotency-Key", "k")})
	if problemIn(t, recorder); recorder.Code != http.StatusInternalServerError {
		t.Errorf("status %d, want 500", recorder.Code)
	}
	if strings.Contains(recorder.Body.String(), "order_items") {
		t.Errorf("the client was told: %s", recorder.Body)
	}
	if !strings.Contains(log.String(), "order_items") {
		t.Errorf("the log was not told: %s", log.String())
	}
}

func TestTheDatabaseIsDown(t *testing.T) {
	server := pgtest.Own(t, pgserver.Options{})
	pool := samplePool(t, server)
	handler := newHandler(t, pool, io.Discard)
	if err := server.Halt(); err != nil {
		t.Fatal(err)
	}
	recorder := send(t, handler, call{http.MethodGet, noOrder, "", asAda()})
	if problemIn(t, recorder); recorder.Code != http.StatusServiceUnavailable || recorder.Header().Get("Retry-After") == "" {
		t.Errorf("got %d with %v, want 503 with Retry-After", recorder.Code, recorder.Header())
	}
	if err := server.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func send(t *testing.T, handler http.Handler, c call) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
	r.Header = c.header
	if c.body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder
}

// problemIn decodes an answer, which must be a problem that agrees with its
// status.
func problemIn(t *testing.T, recorder *httptest.ResponseRecorder) orderapi.Problem {
	t.Helper()
	var p orderapi.Problem
	if err := json.Unmarshal(recorder.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v in %q", err, recorder.Body)
	}
	if got := recorder.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type %s", got)
	}
	if int(p.Status) != recorder.Code || p.Title == "" || p.Type == "" {
		t.Errorf("status %d with the problem %s", recorder.Code, recorder.Body)
	}
	return p
}

func newHandler(t *testing.T, pool *pgxpool.Pool, log io.Writer) http.Handler {
	t.Helper()
	handler, err := service.NewHandler(t.Context(), pool, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func samplePool(t *testing.T, server *pgserver.Server) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.PoolOn(t, server)
	if err := database.Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if err := sample.Fill(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return pool
}
