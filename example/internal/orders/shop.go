// Package orders is the shop's business. Each operation that changes something
// gets the transaction to do it in, and says by its response what became of it.
package orders

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// Shop implements [orderapi.IdempotentOperations] and
// [orderapi.OtherOperations]. It is safe for concurrent use.
type Shop struct {
	pool     *pgxpool.Pool
	accounts orderapi.ScopeResolver
	queries  *orderdb.Queries
}

var (
	_ orderapi.IdempotentOperations = (*Shop)(nil)
	_ orderapi.OtherOperations      = (*Shop)(nil)
)

// NewShop returns a shop that reads through pool and asks accounts who is
// reading.
func NewShop(pool *pgxpool.Pool, accounts orderapi.ScopeResolver) *Shop {
	return &Shop{pool: pool, accounts: accounts, queries: orderdb.New()}
}

// GetOrder answers with one of the caller's own orders.
func (s *Shop) GetOrder(ctx context.Context, request orderapi.GetOrderRequestObject) (orderapi.GetOrderResponseObject, error) {
	tenantID, userID, err := s.accounts.AccountScope(ctx)
	if err != nil {
		return nil, err
	}
	order, err := s.read(ctx, orderapi.AccountScope{TenantID: tenantID, UserID: userID}, request.OrderId)
	if errors.Is(err, pgx.ErrNoRows) {
		return orderapi.GetOrder404ApplicationProblemPlusJSONResponse{NotFoundApplicationProblemPlusJSONResponse: notFound()}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read order: %w", err)
	}
	return orderapi.GetOrder200JSONResponse(order), nil
}

func (s *Shop) read(ctx context.Context, account orderapi.AccountScope, id uuid.UUID) (orderapi.Order, error) {
	row, err := s.queries.GetOrder(ctx, s.pool, orderdb.GetOrderParams{ID: id, TenantID: account.TenantID, UserID: account.UserID})
	if err != nil {
		return orderapi.Order{}, err
	}
	rows, err := s.queries.ListOrderItems(ctx, s.pool, id)
	if err != nil {
		return orderapi.Order{}, err
	}
	items := make([]orderapi.Item, len(rows))
	for i, item := range rows {
		items[i] = orderapi.Item{Sku: item.Sku, Quantity: &item.Quantity}
	}
	return orderapi.Order{
		Id:        row.ID,
		Status:    orderapi.OrderStatus(row.Status),
		Currency:  row.Currency,
		Items:     items,
		Total:     row.Total,
		CreatedAt: row.CreatedAt.UTC(),
	}, nil
}
