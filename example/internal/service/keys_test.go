package service_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orders"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// TestKeysWithAndWithoutAValidator sends keys in every state of disrepair. A
// validating middleware in front must not change what the client learns.
func TestKeysWithAndWithoutAValidator(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	const uuid = "8e03978e-40d5-43e8-bc93-6894a57f9324"
	tests := []struct {
		name   string
		lines  []string // of the header
		status int
		code   string // of the problem
	}{
		{"missing", nil, 400, "idempotency_key_missing"},
		{"empty", []string{""}, 400, "idempotency_key_invalid"},
		{"blank", []string{"  "}, 400, "idempotency_key_invalid"},
		{"empty string", []string{`""`}, 400, "idempotency_key_invalid"},
		{"doubled", []string{"a", "a"}, 400, "idempotency_key_invalid"},
		{"doubled, not equal", []string{"a", "b"}, 400, "idempotency_key_invalid"},
		{"two in one line", []string{"a, b"}, 400, "idempotency_key_invalid"},
		{"too long", []string{strings.Repeat("k", 256)}, 400, "idempotency_key_invalid"},
		{"unfinished string", []string{`"a`}, 400, "idempotency_key_invalid"},
		{"string with parameters", []string{`"a";q=1`}, 400, "idempotency_key_invalid"},
		{"not ASCII", []string{"clé"}, 400, "idempotency_key_invalid"},
		{"longest", []string{strings.Repeat("k", 255)}, 201, ""},
		{"quoted", []string{`"quoted"`}, 201, ""},
		{"quoted, longest", []string{`"` + strings.Repeat("q", 255) + `"`}, 201, ""},
		{"quoted uuid", []string{`"` + uuid + `"`}, 201, ""},
		{"with a comma", []string{"a,b"}, 201, ""},
		{"with an equals sign", []string{"k=v"}, 201, ""},
		{"percent-encoded", []string{"%41"}, 201, ""},
	}
	handlers := map[string]http.Handler{
		"with a validator":    newHandler(t, pool, io.Discard),
		"without a validator": withoutValidator(t, pool),
	}
	for name, handler := range handlers {
		t.Run(name, func(t *testing.T) {
			for _, tt := range tests {
				t.Run(tt.name, func(t *testing.T) {
					header := asAda()
					for _, line := range tt.lines {
						header.Add("Idempotency-Key", line)
					}
					recorder := send(t, handler, call{http.MethodPost, "/orders", oneCup, header})
					if recorder.Code != tt.status {
						t.Fatalf("got %d %s, want %d", recorder.Code, recorder.Body, tt.status)
					}
					if tt.code == "" {
						return
					}
					if p := problemIn(t, recorder); p.Code == nil || *p.Code != tt.code {
						t.Errorf("got %s, want %s", recorder.Body, tt.code)
					}
				})
			}
		})
	}
}

// withoutValidator is the service without the validating middleware.
func withoutValidator(t *testing.T, pool *pgxpool.Pool) http.Handler {
	t.Helper()
	callers := auth.NewCallers(pool)
	shop := orders.NewShop(pool, callers)
	fail := func(w http.ResponseWriter, _ *http.Request, err error) {
		t.Errorf("an error that no key is to blame for: %v", err)
		w.WriteHeader(http.StatusTeapot)
	}
	guard := newGuard(t, pool)
	server := orderapi.NewIdempotentServer(guard, callers, shop, shop)
	strict := orderapi.NewStrictHandlerWithOptions(server, nil, orderapi.StrictHTTPServerOptions{
		RequestErrorHandlerFunc: fail, ResponseErrorHandlerFunc: fail,
	})
	return orderapi.HandlerWithOptions(strict, orderapi.StdHTTPServerOptions{
		ErrorHandlerFunc: orderapi.IdempotencyErrorHandler(guard, "", fail),
		Middlewares: []orderapi.MiddlewareFunc{
			callers.Identify(fail),
			orderapi.IdempotencyBodyLimit(guard, ""),
		},
	})
}
