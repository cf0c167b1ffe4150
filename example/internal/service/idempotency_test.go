package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orders"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemtest"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// TestCreateOrderIsIdempotent is all that a service needs to write to know that
// an operation is.
func TestCreateOrderIsIdempotent(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	order := func(t testing.TB, body string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/orders", strings.NewReader(body))
		r.Header = asAda()
		return r
	}
	idemtest.Run(t, idemtest.Service{
		Handler: newHandler(t, idemtest.SingleConnection(t, pool.Config()), io.Discard),
		Request: func(t testing.TB, variant int) *http.Request {
			return order(t, fmt.Sprintf(`{"items":[{"sku":"cup","quantity":%d}],"ship_to":{"name":"Ada","city":"London"}}`, variant+1))
		},
		Executions: func(t testing.TB) int { return count(t, pool, "SELECT count(*) FROM orders") },
		Break: func(t testing.TB) (fix func()) { // out of stock, which is not final
			exec(t, pool, "UPDATE stock SET available = 0 WHERE sku = 'cup'")
			return func() { exec(t, pool, "UPDATE stock SET available = 400 WHERE sku = 'cup'") }
		},
		Same: func(t testing.TB) []*http.Request {
			return []*http.Request{
				order(t, oneCup), // without the quantity, which is 1 by default
				order(t, `{"currency":"EUR","items":[{"sku":"cup","quantity":1}],"ship_to":{"name":"Ada","city":"London"}}`),
				order(t, strings.Replace(oneCup, "{", `{"note":"careful","trace_id":"2",`, 1)),
				order(t, `{"ship_to":{"city":"London","name":"Ada"}, "items":[{"quantity":1,"sku":"cup"}]}`),
			}
		},
		Expire: expireKeys(pool),
	})
}

// A declined refund is final, and one that finds no order is not.
func TestRefundOrderIsIdempotent(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, idemtest.SingleConnection(t, pool.Config()), io.Discard)
	order := send(t, handler, orderCall("order", oneCup)).Header().Get("Location")
	exec(t, pool, "INSERT INTO payments (order_id, provider, amount, paid_at) SELECT id, $1, 1000000, now() FROM orders", sample.Provider)
	refund := func(t testing.TB, body string) *http.Request {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, order+"/refunds", strings.NewReader(body))
		r.Header = asAda()
		return r
	}
	idemtest.Run(t, idemtest.Service{
		Handler: handler,
		Request: func(t testing.TB, variant int) *http.Request {
			return refund(t, fmt.Sprintf(`{"amount":%d}`, variant+1))
		},
		Executions: func(t testing.TB) int { return count(t, pool, "SELECT count(*) FROM refunds") },
		Break: func(t testing.TB) (fix func()) {
			exec(t, pool, "UPDATE orders SET user_id = user_id + 1")
			return func() { exec(t, pool, "UPDATE orders SET user_id = user_id - 1") }
		},
		Same: func(t testing.TB) []*http.Request {
			return []*http.Request{refund(t, `{"reason": "not in the document", "amount": 1}`)}
		},
		FinalError: func(t testing.TB) *http.Request { return refund(t, `{"amount":1000001}`) },
		Expire:     expireKeys(pool),
	})
}

// expireKeys ends the replay window of all keys.
func expireKeys(pool *pgxpool.Pool) func(t testing.TB) {
	return func(t testing.TB) { exec(t, pool, "UPDATE account_idempotency_keys SET replay_until = now()") }
}

// What a business function does to its request is nothing to the retry.
func TestMutatedRequest(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	ada := account{TenantID: sample.TenantID, UserID: sample.UserID}
	shop := orders.NewShop(pool, ada)
	server := orderapi.NewIdempotentServer(newGuard(t, pool), ada, mutating{shop}, shop)
	var recorders [2]*httptest.ResponseRecorder
	for i := range recorders {
		key := "k"
		response, err := server.CreateOrder(t.Context(), orderapi.CreateOrderRequestObject{
			Params: orderapi.CreateOrderParams{IdempotencyKey: &key},
			Body: &orderapi.CreateOrderJSONRequestBody{
				Items:  []orderapi.Item{{Sku: "cup"}},
				ShipTo: orderapi.Address{Name: "Ada", City: "London"},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		recorders[i] = httptest.NewRecorder()
		if err := response.VisitCreateOrderResponse(recorders[i]); err != nil {
			t.Fatal(err)
		}
	}
	wantReplay(t, recorders[0], recorders[1])
}

func newGuard(t *testing.T, pool *pgxpool.Pool) *idem.Guard {
	t.Helper()
	guard, err := idem.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// account is one caller, always.
type account orderapi.AccountScope

func (a account) AccountScope(context.Context) (tenantID uuid.UUID, userID int64, err error) {
	return a.TenantID, a.UserID, nil
}

// mutating changes the request that it was given.
type mutating struct{ *orders.Shop }

func (m mutating) CreateOrder(ctx context.Context, tx pgx.Tx, scope orderapi.AccountScope, request orderapi.CreateOrderRequestObject) (orderapi.CreateOrderResponseObject, error) {
	request.Body.ShipTo.City = "Paris"
	request.Body.Items = append(request.Body.Items, request.Body.Items...)
	return m.Shop.CreateOrder(ctx, tx, scope, request)
}

// The path says which order is meant.
func TestPathIsPartOfTheMeaning(t *testing.T) {
	handler := newHandler(t, samplePool(t, pgtest.Server(t)), io.Discard)
	one := send(t, handler, orderCall("one", oneCup)).Header().Get("Location")
	two := send(t, handler, orderCall("two", oneCup)).Header().Get("Location")
	cancel := func(order string) *httptest.ResponseRecorder {
		return send(t, handler, call{http.MethodPost, order + "/cancel", "{}", asAda("Idempotency-Key", "c")})
	}
	if got := cancel(one); got.Code/100 != 2 {
		t.Fatalf("got %d %s", got.Code, got.Body)
	}
	wantProblem(t, cancel(two), 422, "idempotency_key_reused")
}

// Integers that a float64 takes for one are two.
func TestIntegersAreExact(t *testing.T) {
	handler := newHandler(t, samplePool(t, pgtest.Server(t)), io.Discard)
	order := send(t, handler, orderCall("k", oneCup)).Header().Get("Location")
	for _, pair := range [][2]string{
		{"9007199254740992", "9007199254740993"},
		{"9223372036854775807", "9223372036854775806"},
	} {
		refund := func(amount string) *httptest.ResponseRecorder {
			return send(t, handler, call{http.MethodPost, order + "/refunds", `{"amount":` + amount + `}`, asAda("Idempotency-Key", pair[0])})
		}
		first := refund(pair[0]) // more than was paid: 402, which is final
		wantReplay(t, first, refund(pair[0]))
		wantProblem(t, refund(pair[1]), 422, "idempotency_key_reused")
	}
}

// The scope is the principal, not the credential.
func TestCredentialRotated(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, pool, io.Discard)
	first := send(t, handler, orderCall("k", oneCup))
	exec(t, pool, "UPDATE tokens SET token_sha256 = $1", auth.Digest("rotated"))
	again := orderCall("k", oneCup)
	again.header.Set("Authorization", "Bearer rotated")
	wantReplay(t, first, send(t, handler, again))
}

// Who has lost access gets no recorded answer.
func TestReplayNeedsAccess(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, pool, io.Discard)
	first := send(t, handler, orderCall("k", oneCup))
	exec(t, pool, "DELETE FROM tokens")
	got := send(t, handler, orderCall("k", oneCup))
	wantProblem(t, got, 401, "unauthenticated")
	if strings.Contains(got.Body.String(), first.Header().Get("Location")[len("/orders/"):]) {
		t.Errorf("the answer shows the order: %s", got.Body)
	}
}

// One key of two tenants is two keys.
func TestTenantsAreIndependent(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	handler := newHandler(t, pool, io.Discard)
	first := send(t, handler, orderCall("k", oneCup))
	other := uuid.New()
	exec(t, pool, "INSERT INTO tokens VALUES ($1, $2, $3)", auth.Digest("other"), other, sample.UserID)
	exec(t, pool, "INSERT INTO stock SELECT $1, sku, available FROM stock", other)
	exec(t, pool, "INSERT INTO prices SELECT $1, sku, currency, amount FROM prices", other)
	theirs := orderCall("k", oneCup)
	theirs.header.Set("Authorization", "Bearer other")
	got := send(t, handler, theirs)
	if got.Code != http.StatusCreated || got.Header().Get("Idempotent-Replayed") != "" || got.Header().Get("Location") == first.Header().Get("Location") {
		t.Errorf("got %d %v, want an order of their own", got.Code, got.Header())
	}
}

func orderCall(key, body string) call {
	return call{http.MethodPost, "/orders", body, asAda("Idempotency-Key", key)}
}

func wantReplay(t *testing.T, first, again *httptest.ResponseRecorder) {
	t.Helper()
	if first.Header().Get("Idempotent-Replayed") != "" {
		t.Errorf("the first answer is a replay")
	}
	if again.Code != first.Code || again.Body.String() != first.Body.String() || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Errorf("got %d %s, want a replay of %d %s", again.Code, again.Body, first.Code, first.Body)
	}
}

func wantProblem(t *testing.T, got *httptest.ResponseRecorder, status int, code string) {
	t.Helper()
	if p := problemIn(t, got); got.Code != status || p.Code == nil || *p.Code != code {
		t.Errorf("got %d %s, want %d %s", got.Code, got.Body, status, code)
	}
}

func exec(t testing.TB, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func count(t testing.TB, pool *pgxpool.Pool, sql string) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
