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
		SELECT count(*) FROM payments AS p LEFT JOIN records AS k
		ON k.account_id = p.account_id AND k.idempotency_key = p.reference
		WHERE k.status IS DISTINCT FROM 201`,
	"records of a payment without its row": `
		SELECT count(*) FROM records AS k LEFT JOIN payments AS p
		ON k.account_id = p.account_id AND k.idempotency_key = p.reference
		WHERE k.status = 201 AND p.execution IS NULL`,
	"records without a response": `SELECT count(*) FROM records WHERE status IS NULL`,
	"responses without a key": `
		SELECT count(*) FROM ledger_idempotency_responses AS r
		LEFT JOIN ledger_idempotency_keys AS k USING (replay_until, response_id)
		WHERE r.replay_until > now() AND k.account_id IS NULL`,
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

// plenty is how many faults are enough to strike each point of the protocol.
const plenty = 5000

// checkStruck demands that a run that is long enough has left no point out, and a
// short one no kind.
func (c campaign) checkStruck(t *testing.T) {
	t.Helper()
	c.counts.mu.Lock()
	defer c.counts.mu.Unlock()
	for _, k := range c.kinds {
		missed := c.counts.unstruck(k)
		if wanted(t) >= plenty && len(missed) > 0 || wanted(t) >= few && len(missed) == len(k.points()) {
			t.Errorf("%s: no fault has struck %v", k, missed)
		}
	}
}
