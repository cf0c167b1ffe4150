package faults

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// totals are questions about the whole database, each about what there must be
// none of.
var totals = map[string]string{
	"keys with more than one row": `
		SELECT count(*) FROM (
			SELECT FROM payments GROUP BY account_id, reference HAVING count(*) > 1
		) AS twice`,
	"rows without a record": `
		SELECT count(*) FROM payments AS p LEFT JOIN account_idempotency_keys AS k
		ON k.account_id = p.account_id AND k.idempotency_key = p.reference
		WHERE k.status IS DISTINCT FROM 201`,
	"records of a payment without its row": `
		SELECT count(*) FROM account_idempotency_keys AS k LEFT JOIN payments AS p
		ON k.account_id = p.account_id AND k.idempotency_key = p.reference
		WHERE k.status = 201 AND p.execution IS NULL`,
	"records without a response": `SELECT count(*) FROM account_idempotency_keys WHERE status IS NULL`,
}

// checkAll looks at what all rounds have left behind.
func (d *driver) checkAll(t *testing.T) {
	t.Helper()
	for what, question := range totals {
		var n int
		err := d.ask(func(ctx context.Context, conn *pgxpool.Conn) error { return conn.QueryRow(ctx, question).Scan(&n) })
		if err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}
