package main

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/payouts/payoutapi"
)

// payouts is the business side of creating payouts.
type payouts struct{}

// PayoutsPost books a batch and its items. A merchant's batches are made one
// after another, and no two have the same sender_batch_id.
func (payouts) PayoutsPost(ctx context.Context, tx pgx.Tx, scope payoutapi.MerchantScope, request payoutapi.PayoutsPostRequestObject) (payoutapi.PayoutsPostResponseObject, error) {
	if _, err := tx.Exec(ctx, "SELECT FROM merchants WHERE merchant_id = $1 FOR UPDATE", scope.MerchantID); err != nil {
		return nil, err
	}
	header := request.Body.SenderBatchHeader
	var id int64
	var created time.Time
	err := tx.QueryRow(ctx, `
		INSERT INTO payouts (merchant_id, sender_batch_id) VALUES ($1, $2)
		ON CONFLICT DO NOTHING
		RETURNING payout_batch_id, time_created`,
		scope.MerchantID, header.SenderBatchId).Scan(&id, &created)
	if errors.Is(err, pgx.ErrNoRows) {
		return payoutapi.PayoutsPost400JSONResponse{
			Name: "USER_BUSINESS_ERROR", Message: "A batch with this sender_batch_id exists.", DebugId: "0",
		}, nil
	}
	if err != nil {
		return nil, err
	}
	for _, item := range request.Body.Items {
		if _, err := tx.Exec(ctx, "INSERT INTO payout_items VALUES ($1, $2, $3, $4)",
			id, item.Receiver, item.Amount.Value, item.Amount.Currency); err != nil {
			return nil, err
		}
	}
	return payoutapi.PayoutsPost201JSONResponse{BatchHeader: &payoutapi.PayoutHeader{
		PayoutBatchId:     strconv.FormatInt(id, 10),
		BatchStatus:       "PENDING",
		TimeCreated:       &created,
		SenderBatchHeader: payoutapi.PayoutSenderBatchHeader{SenderBatchId: header.SenderBatchId},
	}}, nil
}

// closed answers the operations that this service does not offer.
type closed struct{}

var errClosed = errors.New("this service only creates payouts")

func (closed) PayoutsGet(context.Context, payoutapi.PayoutsGetRequestObject) (payoutapi.PayoutsGetResponseObject, error) {
	return nil, errClosed
}

func (closed) PayoutsItemGet(context.Context, payoutapi.PayoutsItemGetRequestObject) (payoutapi.PayoutsItemGetResponseObject, error) {
	return nil, errClosed
}

func (closed) PayoutsItemCancel(context.Context, payoutapi.PayoutsItemCancelRequestObject) (payoutapi.PayoutsItemCancelResponseObject, error) {
	return nil, errClosed
}
