package byhand

import (
	"context"

	"example.com/faults/idemdb"
)

// table is where an operation has its keys, and what else is particular to it.
type table struct {
	operation     string
	declinedFinal bool // whether 402 is recorded
	claim         func(context.Context, idemdb.DBTX, idemdb.ClaimAccountKeyParams) (int16, error)
	load          func(context.Context, idemdb.DBTX, idemdb.LoadAccountKeyParams) (idemdb.LoadAccountKeyRow, error)
	finish        func(context.Context, idemdb.DBTX, idemdb.FinishAccountKeyParams) (int32, error)
	free          string // deletes a key
}

func payments() table {
	queries := idemdb.New()
	return table{
		operation:     "createPayment",
		declinedFinal: true,
		claim:         queries.ClaimAccountKey,
		load:          queries.LoadAccountKey,
		finish:        queries.FinishAccountKey,
		free:          "DELETE FROM account_idempotency_keys WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3",
	}
}

func transfers() table {
	queries := idemdb.New()
	return table{
		operation: "createTransfer",
		claim: func(ctx context.Context, db idemdb.DBTX, p idemdb.ClaimAccountKeyParams) (int16, error) {
			return queries.ClaimLedgerKey(ctx, db, idemdb.ClaimLedgerKeyParams(p))
		},
		load: func(ctx context.Context, db idemdb.DBTX, p idemdb.LoadAccountKeyParams) (idemdb.LoadAccountKeyRow, error) {
			row, err := queries.LoadLedgerKey(ctx, db, idemdb.LoadLedgerKeyParams(p))
			return idemdb.LoadAccountKeyRow(row), err
		},
		finish: func(ctx context.Context, db idemdb.DBTX, p idemdb.FinishAccountKeyParams) (int32, error) {
			return queries.FinishLedgerKey(ctx, db, idemdb.FinishLedgerKeyParams{
				AccountID: p.AccountID, Operation: p.Operation, IdempotencyKey: p.IdempotencyKey,
				Status: p.Status, Headers: p.Headers, Body: p.Body,
			})
		},
		free: "DELETE FROM ledger_idempotency_keys WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3",
	}
}
