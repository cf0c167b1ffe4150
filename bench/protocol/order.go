package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// itemsInOrder makes a recorded response about 1 KB long.
const itemsInOrder = 9

// order is one request.
type order struct {
	key  string
	body orderapi.NewOrder
}

// caller is who sends all of them.
func caller() orderapi.AccountScope {
	return orderapi.AccountScope{TenantID: uuid.MustParse("6f1c1f0e-6f0e-4c8b-9d3a-0d6f2f1f7a10"), UserID: 42}
}

func newOrder(key string) order {
	body := orderapi.NewOrder{Currency: "EUR"}
	body.ShipTo.Name, body.ShipTo.City = "Ada Lovelace", "London"
	for i := range itemsInOrder {
		body.Items = append(body.Items, orderapi.Item{
			Sku:       fmt.Sprintf("SKU-%06d", 100000+i),
			Name:      fmt.Sprintf("An article with a name of its own, number %d", i),
			Quantity:  int32(i + 1),
			UnitPrice: int64(1999 + i),
		})
	}
	return order{key: key, body: body}
}

// otherMeaning is an order with the same key that means something else.
func otherMeaning(key string) order {
	o := newOrder(key)
	o.body.Currency = "USD"
	return o
}

func (o order) withPause(d time.Duration) order {
	ms := d.Milliseconds()
	o.body.PauseMs = &ms
	return o
}

func (o order) request() orderapi.CreateOrderRequestObject {
	return orderapi.CreateOrderRequestObject{Params: orderapi.CreateOrderParams{IdempotencyKey: &o.key}, Body: &o.body}
}

func (o order) dailyRequest() orderapi.CreateDailyOrderRequestObject {
	return orderapi.CreateDailyOrderRequestObject{Params: orderapi.CreateDailyOrderParams{IdempotencyKey: &o.key}, Body: &o.body}
}

// execFunc runs a statement in the transaction of whatever contender.
type execFunc func(ctx context.Context, sql string, args ...any) error

func execIn(tx pgx.Tx) execFunc {
	return func(ctx context.Context, sql string, args ...any) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}
}

// createOrder is the business function of every contender: two rows, and between
// them a pause as long as the request says.
func createOrder(ctx context.Context, exec execFunc, who orderapi.AccountScope, body *orderapi.NewOrder) (orderapi.Order, error) {
	created := orderapi.Order{Id: uuid.New(), Status: "open", Currency: body.Currency, Items: body.Items}
	for _, item := range body.Items {
		created.Total += int64(item.Quantity) * item.UnitPrice
	}
	err := exec(ctx, `INSERT INTO orders (id, tenant_id, user_id, currency, total, city) VALUES ($1, $2, $3, $4, $5, $6)`,
		created.Id, who.TenantID, who.UserID, created.Currency, created.Total, body.ShipTo.City)
	if err != nil {
		return orderapi.Order{}, err
	}
	if body.PauseMs != nil {
		<-time.After(time.Duration(*body.PauseMs) * time.Millisecond)
	}
	payload, err := json.Marshal(map[string]any{"event": "order_created", "order": created.Id, "total": created.Total})
	if err != nil {
		return orderapi.Order{}, err
	}
	err = exec(ctx, `INSERT INTO outbox (order_id, payload) VALUES ($1, $2)`, created.Id, payload)
	return created, err
}

// responseTo is the response that createOrder's result stands for.
func responseTo(created orderapi.Order) orderapi.CreateOrder201JSONResponse {
	return orderapi.CreateOrder201JSONResponse{
		Body:    created,
		Headers: orderapi.CreateOrder201ResponseHeaders{Location: "/orders/" + created.Id.String()},
	}
}

func dailyResponseTo(created orderapi.Order) orderapi.CreateDailyOrder201JSONResponse {
	return orderapi.CreateDailyOrder201JSONResponse{
		Body:    created,
		Headers: orderapi.CreateDailyOrder201ResponseHeaders{Location: "/orders/" + created.Id.String()},
	}
}
