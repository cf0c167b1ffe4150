package orders_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/example/internal/orderapi"
)

func TestCreateOrder(t *testing.T) {
	eachWorld(t, func(w *world) {
		// No currency and no quantity: the declared defaults hold.
		request := newOrder(item("teapot", 2), orderapi.Item{Sku: "cup"})
		response := do(w, w.shop.CreateOrder, ada, request).(orderapi.CreateOrder201JSONResponse)
		order := response.Body
		if order.Currency != "EUR" || order.Status != orderapi.Open || order.Total != 2*2490+690 {
			w.Errorf("got %+v", order)
		}
		if want := "/orders/" + order.Id.String(); response.Headers.Location != want {
			w.Errorf("Location %s, want %s", response.Headers.Location, want)
		}
		if diff := cmp.Diff(order, w.read(order.Id)); diff != "" {
			w.Errorf("read otherwise than answered (-answered +read):\n%s", diff)
		}
		if teapots, cups := w.available("teapot"), w.available("cup"); teapots != 98 || cups != 399 {
			w.Errorf("%d teapots and %d cups left, want 98 and 399", teapots, cups)
		}
	})
}

func TestCreateOrderOutOfStock(t *testing.T) {
	eachWorld(t, func(w *world) {
		pounds := orderapi.GBP
		for name, items := range map[string][]orderapi.Item{
			"none there":       {item("samovar", 1)},
			"too few":          {item("teapot", 101)},
			"too few in sum":   {item("teapot", 60), item("teapot", 41)},
			"one of several":   {item("cup", 1), item("samovar", 1)},
			"not known at all": {item("unicorn", 1)},
		} {
			request := newOrder(items...)
			request.Body.Currency = &pounds
			response := tryOut(w, w.shop.CreateOrder, ada, request)
			if status := statusOf(w, response.VisitCreateOrderResponse); status != http.StatusConflict {
				w.Errorf("%s: status %d, want 409", name, status)
			}
		}
		if n := w.number("SELECT count(*) FROM orders"); n != 0 {
			w.Errorf("%d orders", n)
		}
	})
}

func TestOrdersOfTheSameArticlesDoNotDeadlock(t *testing.T) {
	eachWorld(t, func(w *world) {
		var customers sync.WaitGroup
		for i := range 16 {
			items := []orderapi.Item{item("cup", 1), item("teapot", 1)}
			if i%2 == 0 {
				items[0], items[1] = items[1], items[0]
			}
			customers.Go(func() {
				err := pgx.BeginFunc(w.Context(), w.pool, func(tx pgx.Tx) error {
					_, err := w.shop.CreateOrder(w.Context(), tx, ada, newOrder(items...))
					return err
				})
				if err != nil {
					w.Error(err)
				}
			})
		}
		customers.Wait()
		if teapots, cups := w.available("teapot"), w.available("cup"); teapots != 84 || cups != 384 {
			w.Errorf("%d teapots and %d cups left, want 84 and 384", teapots, cups)
		}
	})
}

func TestCancelOrder(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("teapot", 2), item("cup", 1), item("teapot", 3))
		request := orderapi.CancelOrderRequestObject{OrderId: order.Id}

		if status := statusOf(w, do(w, w.shop.CancelOrder, bob, request).VisitCancelOrderResponse); status != http.StatusNotFound {
			w.Errorf("somebody else's order: status %d, want 404", status)
		}
		for range 2 { // cancelled once, however often it is asked for
			if status := statusOf(w, do(w, w.shop.CancelOrder, ada, request).VisitCancelOrderResponse); status != http.StatusNoContent {
				w.Errorf("status %d, want 204", status)
			}
			if teapots, cups := w.available("teapot"), w.available("cup"); teapots != 100 || cups != 400 {
				w.Errorf("%d teapots and %d cups left, want 100 and 400", teapots, cups)
			}
		}
		if status := w.read(order.Id).Status; status != orderapi.Cancelled {
			w.Errorf("the order is %s", status)
		}
	})
}

func TestCancelReason(t *testing.T) {
	late := "late"
	for want, body := range map[string]*orderapi.CancelOrderJSONRequestBody{
		"late":         {Reason: &late},
		"changed_mind": {},
	} {
		eachWorld(t, func(w *world) {
			order := w.order(item("cup", 1))
			do(w, w.shop.CancelOrder, ada, orderapi.CancelOrderRequestObject{OrderId: order.Id, Body: body})
			if n := w.number("SELECT count(*) FROM orders WHERE cancel_reason = $1", want); n != 1 {
				w.Errorf("the reason is not %s", want)
			}
		})
	}
}
