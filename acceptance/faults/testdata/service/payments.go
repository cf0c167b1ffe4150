package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"example.com/faults/paymentapi"
	"example.com/faults/transfer"
)

// payments is the business side. It does what the request tells it to.
type payments struct{}

var (
	errFail  = errors.New("the request asked for an error")
	errPanic = errors.New("the request asked for a panic")
)

// CreatePayment writes one row, and then pays, declines, refuses, fails or panics.
func (payments) CreatePayment(ctx context.Context, tx pgx.Tx, scope paymentapi.AccountScope, request paymentapi.CreatePaymentRequestObject) (paymentapi.CreatePaymentResponseObject, error) {
	body := request.Body
	payment := paymentapi.Payment{Amount: body.Amount, Reference: body.Reference, Call: body.Call}
	err := tx.QueryRow(ctx, `
		INSERT INTO payments (account_id, reference, amount, call) VALUES ($1, $2, $3, $4)
		RETURNING execution`,
		scope.AccountID, body.Reference, body.Amount, body.Call).Scan(&payment.Execution)
	if err != nil {
		return nil, err
	}
	switch body.Behaviour {
	case paymentapi.Decline:
		return paymentapi.CreatePayment402JSONResponse{DeclinedJSONResponse: paymentapi.DeclinedJSONResponse(payment)}, nil
	case paymentapi.Refuse:
		return paymentapi.CreatePayment400ApplicationProblemPlusJSONResponse{
			RefusedApplicationProblemPlusJSONResponse: paymentapi.RefusedApplicationProblemPlusJSONResponse{Code: "refused"},
		}, nil
	case paymentapi.Fail:
		return nil, errFail
	case paymentapi.Panic:
		panic(errPanic)
	default:
		return paymentapi.CreatePayment201JSONResponse{MadeJSONResponse: paymentapi.MadeJSONResponse{
			Body:    payment,
			Headers: paymentapi.MadeResponseHeaders{Location: fmt.Sprintf("/payments/%d", payment.Execution)},
		}}, nil
	}
}

// CreateTransfer does what CreatePayment does.
func (p payments) CreateTransfer(ctx context.Context, tx pgx.Tx, scope paymentapi.LedgerScope, request paymentapi.CreateTransferRequestObject) (paymentapi.CreateTransferResponseObject, error) {
	return transfer.Answer(p.CreatePayment(ctx, tx, paymentapi.AccountScope(scope), transfer.AsPayment(request)))
}
