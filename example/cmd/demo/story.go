package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/idem"
)

// The requests of the story, all to POST /orders.
const (
	twoTeapots   = `{"items":[{"sku":"teapot","quantity":2},{"sku":"cup"}],"ship_to":{"name":"Ada","city":"London"},"trace_id":"try-1"}`
	respelt      = `{"ship_to":{"city":"London","name":"Ada"},"trace_id":"try-2","currency":"EUR","items":[{"quantity":2,"sku":"teapot"},{"quantity":1,"sku":"cup"}]}`
	threeTeapots = `{"items":[{"sku":"teapot","quantity":3},{"sku":"cup"}],"ship_to":{"name":"Ada","city":"London"},"trace_id":"try-1"}`
	samovar      = `{"items":[{"sku":"samovar"}],"ship_to":{"name":"Ada","city":"London"}}`
	sixCups      = `{"items":[{"sku":"cup","quantity":6}],"ship_to":{"name":"Ada","city":"London"}}`
)

// crowd is how many requests come at once.
const crowd = 20

// A story is the service's callers, and an eye on its database.
type story struct {
	*teller
	client *client
	pool   *pgxpool.Pool

	first answer // to the first request
}

func newStory(t *teller, pool *pgxpool.Pool, address string) *story {
	return &story{teller: t, client: &client{address: address}, pool: pool}
}

// play tells the whole story. An error means that it could not go on; what is
// not as told is only counted.
func (s *story) play(ctx context.Context) error {
	defer s.client.http.CloseIdleConnections()
	for _, part := range []func(context.Context) error{
		s.firstRequest,
		s.retry,
		s.respeltRetry,
		s.changedAmount,
		s.missingKey,
		s.payment,
		s.declinedRefund,
		s.businessFailure,
		s.twentyAtOnce,
		s.expired,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) firstRequest(ctx context.Context) error {
	s.step("A customer orders, with a key of their own making")
	a, err := s.send(ctx, order("order-1", twoTeapots))
	if err != nil {
		return err
	}
	s.first = a
	s.expect(a, http.StatusCreated, false)
	return s.expectOrders(ctx, 1)
}

func (s *story) retry(ctx context.Context) error {
	s.step("The answer was lost; the same request again")
	a, err := s.send(ctx, order("order-1", twoTeapots))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusCreated, true)
	s.check(a.same(s.first), "the same answer, byte for byte")
	return s.expectOrders(ctx, 1)
}

func (s *story) respeltRetry(ctx context.Context) error {
	s.step("Again, with members in another order, defaults spelt out and another trace id")
	a, err := s.send(ctx, order("order-1", respelt))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusCreated, true)
	s.check(a.same(s.first), "the same answer, byte for byte: it means the same")
	return s.expectOrders(ctx, 1)
}

func (s *story) changedAmount(ctx context.Context) error {
	s.step("The same key for another amount: three teapots, not two")
	a, err := s.send(ctx, order("order-1", threeTeapots))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusUnprocessableEntity, false)
	s.expectCode(a, "idempotency_key_reused")
	return s.expectOrders(ctx, 1)
}

func (s *story) missingKey(ctx context.Context) error {
	s.step("No key at all")
	a, err := s.send(ctx, order("", twoTeapots))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusBadRequest, false)
	s.expectCode(a, "idempotency_key_missing")
	return s.expectOrders(ctx, 1)
}

func (s *story) payment(ctx context.Context) error {
	s.step("The payment provider reports a payment, and reports it again to be sure")
	q := request{
		method:   http.MethodPost,
		path:     "/providers/" + sample.Provider + "/payments",
		key:      "event-1",
		provider: true,
		body:     fmt.Sprintf(`{"order_id":%q,"amount":5670,"paid_at":"2030-01-02T03:04:05Z"}`, s.orderID()),
	}
	a, err := s.send(ctx, q)
	if err != nil {
		return err
	}
	s.expect(a, http.StatusNoContent, false)
	// The same instant, as another time zone writes it.
	q.body = strings.Replace(q.body, "03:04:05Z", "04:04:05+01:00", 1)
	if a, err = s.send(ctx, q); err != nil {
		return err
	}
	s.expect(a, http.StatusNoContent, true)
	return s.expectCount(ctx, "payments", 1)
}

func (s *story) declinedRefund(ctx context.Context) error {
	s.step("A refund of more than was paid is declined, and stays declined")
	q := request{method: http.MethodPost, path: s.first.location + "/refunds", key: "refund-1", body: `{"amount":999999}`}
	declined, err := s.send(ctx, q)
	if err != nil {
		return err
	}
	s.expect(declined, http.StatusPaymentRequired, false)
	again, err := s.send(ctx, q)
	if err != nil {
		return err
	}
	s.expect(again, http.StatusPaymentRequired, true)
	s.check(again.same(declined), "the same answer, byte for byte: a refusal is an outcome, too")
	return s.expectCount(ctx, "refunds", 0)
}

func (s *story) businessFailure(ctx context.Context) error {
	s.step("A samovar is out of stock; that settles nothing, and the key stays free")
	a, err := s.send(ctx, order("order-2", samovar))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusConflict, false)
	s.expectCode(a, "out_of_stock")
	if err := s.expectOrders(ctx, 1); err != nil {
		return err
	}
	if err := s.expectCount(ctx, "account_idempotency_keys WHERE idempotency_key = 'order-2'", 0); err != nil {
		return err
	}
	s.note("A samovar arrives, by SQL.")
	err = orderdb.New().Restock(ctx, s.pool, orderdb.RestockParams{TenantID: sample.TenantID, Sku: "samovar", Quantity: 1})
	if err != nil {
		return fmt.Errorf("restock: %w", err)
	}
	if a, err = s.send(ctx, order("order-2", samovar)); err != nil {
		return err
	}
	s.expect(a, http.StatusCreated, false)
	return s.expectOrders(ctx, 2)
}

func (s *story) twentyAtOnce(ctx context.Context) error {
	s.step(fmt.Sprintf("A nervous client sends one order %d times at once", crowd))
	q := order("order-3", sixCups)
	answers, err := s.sendAtOnce(ctx, q)
	if err != nil {
		return err
	}
	executed, replayed, same := 0, 0, 0
	for _, a := range answers {
		switch {
		case a.replayed:
			replayed++
		case a.status == http.StatusCreated:
			executed++
		}
		if a.same(answers[0]) {
			same++
		}
	}
	s.exchange(q, answers[0])
	s.note("That was one of %d answers.", crowd)
	s.check(executed == 1, "executed: %d", executed)
	s.check(replayed == crowd-1, "replayed: %d", replayed)
	s.check(same == crowd, "the same answer, byte for byte: %d", same)
	return s.expectOrders(ctx, 3)
}

func (s *story) expired(ctx context.Context) error {
	s.step("Three days later, the first request once more")
	s.note("SQL moves the end of the first key's replay window into the past. Then the sweeper runs.")
	_, err := s.pool.Exec(ctx, "UPDATE account_idempotency_keys SET replay_until = now() - interval '1 minute' WHERE idempotency_key = 'order-1'")
	if err != nil {
		return fmt.Errorf("expire the key: %w", err)
	}
	sweeper, err := idem.NewSweeper(s.pool, orderapi.IdempotencyTables())
	if err != nil {
		return err
	}
	swept, err := sweeper.Sweep(ctx)
	if err != nil {
		return err
	}
	s.check(swept.Emptied == 1, "%d response swept away; its key stays", swept.Emptied)
	a, err := s.send(ctx, order("order-1", twoTeapots))
	if err != nil {
		return err
	}
	s.expect(a, http.StatusGone, false)
	s.expectCode(a, "idempotency_expired")
	return s.expectOrders(ctx, 3)
}

func order(key, body string) request {
	return request{method: http.MethodPost, path: "/orders", key: key, body: body}
}

func (s *story) orderID() string { return strings.TrimPrefix(s.first.location, "/orders/") }

// send sends a request and prints it with its answer.
func (s *story) send(ctx context.Context, q request) (answer, error) {
	a, err := s.client.send(ctx, q)
	if err != nil {
		return answer{}, err
	}
	s.exchange(q, a)
	return a, nil
}

// sendAtOnce sends one request many times, all released together.
func (s *story) sendAtOnce(ctx context.Context, q request) ([]answer, error) {
	answers := make([]answer, crowd)
	errs := make([]error, crowd)
	release := make(chan struct{})
	var senders sync.WaitGroup
	for i := range crowd {
		senders.Go(func() {
			<-release
			answers[i], errs[i] = s.client.send(ctx, q)
		})
	}
	close(release)
	senders.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func (s *story) expect(a answer, status int, replayed bool) {
	how := "not replayed"
	if replayed {
		how = "replayed"
	}
	s.check(a.status == status && a.replayed == replayed, "answered %d, %s", status, how)
}

func (s *story) expectCode(a answer, code string) {
	s.check(a.code() == code, "the problem's code is %s", code)
}

// expectOrders counts all orders of the story.
func (s *story) expectOrders(ctx context.Context, want int) error {
	return s.expectCount(ctx, "orders", want)
}

// expectCount counts rows; what is a table with or without a condition.
func (s *story) expectCount(ctx context.Context, what string, want int) error {
	var got int
	if err := s.pool.QueryRow(ctx, "SELECT count(*) FROM "+what).Scan(&got); err != nil {
		return fmt.Errorf("count %s: %w", what, err)
	}
	s.check(got == want, "rows in %s: %d", what, got)
	return nil
}
