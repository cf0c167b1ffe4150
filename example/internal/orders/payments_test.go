package orders_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/idemgen/idemgen/example/internal/orderapi"
)

func payment(order uuid.UUID, amount int64) orderapi.RecordPaymentRequestObject {
	return orderapi.RecordPaymentRequestObject{Provider: acmepay.Provider, Body: &orderapi.RecordPaymentJSONRequestBody{
		OrderId: order,
		Amount:  amount,
		PaidAt:  time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
	}}
}

func refund(order uuid.UUID, amount int64) orderapi.RefundOrderRequestObject {
	return orderapi.RefundOrderRequestObject{OrderId: order, Body: &orderapi.RefundOrderJSONRequestBody{Amount: amount}}
}

func TestAnOrderIsPaidOnceItsTotalIsIn(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("cup", 2))
		for _, want := range []orderapi.OrderStatus{orderapi.Open, orderapi.Paid} {
			response := do(w, w.shop.RecordPayment, acmepay, payment(order.Id, order.Total/2))
			if status := statusOf(w, response.VisitRecordPaymentResponse); status != http.StatusNoContent {
				w.Errorf("status %d, want 204", status)
			}
			if got := w.read(order.Id).Status; got != want {
				w.Errorf("the order is %s, want %s", got, want)
			}
		}
	})
}

func TestAPaymentDoesNotReviveACancelledOrder(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("cup", 1))
		do(w, w.shop.CancelOrder, ada, orderapi.CancelOrderRequestObject{OrderId: order.Id})
		do(w, w.shop.RecordPayment, acmepay, payment(order.Id, order.Total))
		if got := w.read(order.Id).Status; got != orderapi.Cancelled {
			w.Errorf("the order is %s", got)
		}
	})
}

func TestAPaymentForNoOrder(t *testing.T) {
	eachWorld(t, func(w *world) {
		response := tryOut(w, w.shop.RecordPayment, acmepay, payment(uuid.New(), 1))
		if status := statusOf(w, response.VisitRecordPaymentResponse); status != http.StatusNotFound {
			w.Errorf("status %d, want 404", status)
		}
	})
}

func TestARefundIsAtMostWhatWasPaid(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("cup", 1))
		do(w, w.shop.RecordPayment, acmepay, payment(order.Id, 690))
		for _, step := range []struct {
			amount int64
			want   int
		}{
			{691, http.StatusPaymentRequired},
			{400, http.StatusCreated},
			{291, http.StatusPaymentRequired},
			{290, http.StatusCreated},
			{1, http.StatusPaymentRequired},
		} {
			response := do(w, w.shop.RefundOrder, ada, refund(order.Id, step.amount))
			if status := statusOf(w, response.VisitRefundOrderResponse); status != step.want {
				w.Errorf("refund of %d: status %d, want %d", step.amount, status, step.want)
			}
		}
		if sum := w.number("SELECT sum(amount)::bigint FROM refunds WHERE order_id = $1", order.Id); sum != 690 {
			w.Errorf("%d was refunded, want 690", sum)
		}
	})
}

func TestARefundIsForTheOrdersAccountOnly(t *testing.T) {
	eachWorld(t, func(w *world) {
		order := w.order(item("cup", 1))
		do(w, w.shop.RecordPayment, acmepay, payment(order.Id, 690))
		response := do(w, w.shop.RefundOrder, bob, refund(order.Id, 1))
		if status := statusOf(w, response.VisitRefundOrderResponse); status != http.StatusNotFound {
			w.Errorf("status %d, want 404", status)
		}
	})
}
