package orders

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// RecordPayment writes what a provider reports. The order is paid once its
// total has come in.
func (s *Shop) RecordPayment(ctx context.Context, tx pgx.Tx, provider orderapi.ProviderScope, request orderapi.RecordPaymentRequestObject) (orderapi.RecordPaymentResponseObject, error) {
	payment := request.Body
	order, err := s.queries.LockOrderForPayment(ctx, tx, payment.OrderId)
	if errors.Is(err, pgx.ErrNoRows) {
		return orderapi.RecordPayment404ApplicationProblemPlusJSONResponse{NotFoundApplicationProblemPlusJSONResponse: notFound()}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock order: %w", err)
	}
	err = s.queries.InsertPayment(ctx, tx, orderdb.InsertPaymentParams{
		OrderID:  payment.OrderId,
		Provider: provider.Provider,
		Amount:   payment.Amount,
		PaidAt:   payment.PaidAt,
	})
	if err != nil {
		return nil, fmt.Errorf("insert payment: %w", err)
	}
	balance, err := s.queries.OrderBalance(ctx, tx, payment.OrderId)
	if err != nil {
		return nil, fmt.Errorf("read balance: %w", err)
	}
	if balance.Paid >= order.Total {
		if err := s.queries.MarkPaid(ctx, tx, payment.OrderId); err != nil {
			return nil, fmt.Errorf("mark paid: %w", err)
		}
	}
	return orderapi.RecordPayment204Response{}, nil
}

// RefundOrder gives money back, and declines to give back more than came in.
func (s *Shop) RefundOrder(ctx context.Context, tx pgx.Tx, account orderapi.AccountScope, request orderapi.RefundOrderRequestObject) (orderapi.RefundOrderResponseObject, error) {
	_, err := s.queries.LockOrder(ctx, tx, orderdb.LockOrderParams{ID: request.OrderId, TenantID: account.TenantID, UserID: account.UserID})
	if errors.Is(err, pgx.ErrNoRows) {
		return orderapi.RefundOrder404ApplicationProblemPlusJSONResponse{NotFoundApplicationProblemPlusJSONResponse: notFound()}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock order: %w", err)
	}
	balance, err := s.queries.OrderBalance(ctx, tx, request.OrderId)
	if err != nil {
		return nil, fmt.Errorf("read balance: %w", err)
	}
	if left := balance.Paid - balance.Refunded; request.Body.Amount > left {
		return declined(left), nil
	}
	id, err := s.queries.InsertRefund(ctx, tx, orderdb.InsertRefundParams{OrderID: request.OrderId, Amount: request.Body.Amount})
	if err != nil {
		return nil, fmt.Errorf("insert refund: %w", err)
	}
	return orderapi.RefundOrder201JSONResponse{Id: id, OrderId: request.OrderId, Amount: request.Body.Amount}, nil
}
