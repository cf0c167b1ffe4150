package orders

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// CancelOrder cancels an order and puts its articles back into stock. An order
// that is cancelled already stays so.
func (s *Shop) CancelOrder(ctx context.Context, tx pgx.Tx, account orderapi.AccountScope, request orderapi.CancelOrderRequestObject) (orderapi.CancelOrderResponseObject, error) {
	status, err := s.queries.LockOrder(ctx, tx, orderdb.LockOrderParams{ID: request.OrderId, TenantID: account.TenantID, UserID: account.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return orderapi.CancelOrder404ApplicationProblemPlusJSONResponse{NotFoundApplicationProblemPlusJSONResponse: notFound()}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock order: %w", err)
	}
	if orderapi.OrderStatus(status) == orderapi.Cancelled {
		return orderapi.CancelOrder204Response{}, nil
	}
	if err := s.queries.ReturnToStock(ctx, tx, request.OrderId); err != nil {
		return nil, fmt.Errorf("return to stock: %w", err)
	}
	if err := s.queries.CancelOrder(ctx, tx, orderdb.CancelOrderParams{ID: request.OrderId, Reason: reason(request.Body)}); err != nil {
		return nil, fmt.Errorf("cancel order: %w", err)
	}
	return orderapi.CancelOrder204Response{}, nil
}

// reason is why an order is cancelled; neither the body nor its member is
// required.
func reason(body *orderapi.CancelOrderJSONRequestBody) string {
	const changedMind = "changed_mind"
	if body == nil {
		return changedMind
	}
	return valueOr(body.Reason, changedMind)
}
