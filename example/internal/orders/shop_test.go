package orders_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/example/internal/database"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orders"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

var (
	ada     = orderapi.AccountScope{TenantID: sample.TenantID, UserID: sample.UserID}
	bob     = orderapi.AccountScope{TenantID: sample.TenantID, UserID: sample.UserID + 1}
	acmepay = orderapi.ProviderScope{Provider: sample.Provider}
)

// A world is a sample shop and its database.
type world struct {
	*testing.T
	pool *pgxpool.Pool
	shop *orders.Shop
}

// eachWorld runs a test in a fresh sample shop, as Ada, on each PostgreSQL.
func eachWorld(t *testing.T, test func(w *world)) {
	t.Helper()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		pool := pgtest.PoolOn(t, server)
		if err := database.Migrate(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		if err := sample.Fill(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
		test(&world{T: t, pool: pool, shop: orders.NewShop(pool, caller(ada))})
	})
}

// caller resolves everybody to one account.
type caller orderapi.AccountScope

func (c caller) AccountScope(context.Context) (tenantID uuid.UUID, userID int64, err error) {
	return c.TenantID, c.UserID, nil
}

// An operation is a method of the shop, with its scope and its request and
// response types.
type operation[S, Q, R any] func(context.Context, pgx.Tx, S, Q) (R, error)

// do runs an operation in a transaction, which it commits.
func do[S, Q, R any](w *world, run operation[S, Q, R], scope S, request Q) R {
	w.Helper()
	var response R
	err := pgx.BeginFunc(w.Context(), w.pool, func(tx pgx.Tx) (err error) {
		response, err = run(w.Context(), tx, scope, request)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return response
}

// tryOut runs an operation in a transaction that it rolls back, as is done
// when the outcome is not to last.
func tryOut[S, Q, R any](w *world, run operation[S, Q, R], scope S, request Q) R {
	w.Helper()
	tx, err := w.pool.Begin(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer func() {
		if err := tx.Rollback(w.Context()); err != nil {
			w.Error(err)
		}
	}()
	response, err := run(w.Context(), tx, scope, request)
	if err != nil {
		w.Fatal(err)
	}
	return response
}

// number asks the database for one number.
func (w *world) number(sql string, args ...any) (n int64) {
	w.Helper()
	if err := w.pool.QueryRow(w.Context(), sql, args...).Scan(&n); err != nil {
		w.Fatal(err)
	}
	return n
}

func (w *world) available(sku string) int64 {
	w.Helper()
	return w.number("SELECT available FROM stock WHERE tenant_id = $1 AND sku = $2", sample.TenantID, sku)
}

// order places an order as Ada.
func (w *world) order(items ...orderapi.Item) orderapi.Order {
	w.Helper()
	response := do(w, w.shop.CreateOrder, ada, newOrder(items...))
	created, ok := response.(orderapi.CreateOrder201JSONResponse)
	if !ok {
		w.Fatalf("got %#v, want a 201", response)
	}
	return created.Body
}

// read reads an order as Ada.
func (w *world) read(id uuid.UUID) orderapi.Order {
	w.Helper()
	response, err := w.shop.GetOrder(w.Context(), orderapi.GetOrderRequestObject{OrderId: id})
	if err != nil {
		w.Fatal(err)
	}
	order, ok := response.(orderapi.GetOrder200JSONResponse)
	if !ok {
		w.Fatalf("got %#v, want a 200", response)
	}
	return orderapi.Order(order)
}

func newOrder(items ...orderapi.Item) orderapi.CreateOrderRequestObject {
	return orderapi.CreateOrderRequestObject{Body: &orderapi.NewOrder{
		Items:  items,
		ShipTo: orderapi.Address{Name: "Ada", City: "London"},
	}}
}

func item(sku string, quantity int32) orderapi.Item {
	return orderapi.Item{Sku: sku, Quantity: &quantity}
}

// statusOf renders a response and returns its status.
func statusOf(w *world, render func(http.ResponseWriter) error) int {
	w.Helper()
	recorder := httptest.NewRecorder()
	if err := render(recorder); err != nil {
		w.Fatal(err)
	}
	return recorder.Code
}

func TestGetOrderIsForItsAccountOnly(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("cup", 1))
		response, err := orders.NewShop(w.pool, caller(bob)).GetOrder(w.Context(), orderapi.GetOrderRequestObject{OrderId: order.Id})
		if err != nil {
			w.Fatal(err)
		}
		if status := statusOf(w, response.VisitGetOrderResponse); status != http.StatusNotFound {
			w.Errorf("status %d, want 404", status)
		}
	})
}

func TestGetOrderPassesOnWhoIsUnknown(t *testing.T) {
	unknown := errors.New("unknown")
	shop := orders.NewShop(nil, nobody{unknown})
	if _, err := shop.GetOrder(t.Context(), orderapi.GetOrderRequestObject{}); !errors.Is(err, unknown) {
		t.Errorf("got %v", err)
	}
}

// nobody resolves everybody to an error.
type nobody struct{ err error }

func (n nobody) AccountScope(context.Context) (tenantID uuid.UUID, userID int64, err error) {
	return uuid.UUID{}, 0, n.err
}
