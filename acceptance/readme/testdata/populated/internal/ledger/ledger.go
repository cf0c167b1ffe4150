// Package ledger keeps entries of the accounts.
package ledger

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/shop/internal/money"
)

// Ledger is the entries of all accounts.
type Ledger struct{ Pool *pgxpool.Pool }

// Enter writes an entry and returns its ID.
func (l Ledger) Enter(ctx context.Context, amount money.Cents) (uuid.UUID, error) {
	id := uuid.New()
	_, err := l.Pool.Exec(ctx, "INSERT INTO entries VALUES ($1, $2)", id, int64(amount))
	return id, err
}
