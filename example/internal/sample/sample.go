// Package sample stocks a shop for trying the service out.
package sample

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// What the sample shop knows.
const (
	Token          = "sample-token-of-ada"
	Provider       = "acmepay"
	ProviderSecret = "sample-secret-of-acmepay"
	UserID         = int64(1)
)

// TenantID is the sample tenant.
//
//nolint:gochecknoglobals // Go has no constants of this type
var TenantID = uuid.MustParse("5a2f6f1c-6f0f-4a37-9d1d-1f0b6e2d7c11")

// An article is something the sample shop sells.
type article struct {
	sku       string
	available int64
	price     int64
}

var articles = []article{
	{"teapot", 100, 2490},
	{"cup", 400, 690},
	{"samovar", 0, 24900},
}

// Fill puts the sample tenant, its account, a payment provider and some
// articles into the database. What is there already stays as it is.
func Fill(ctx context.Context, pool *pgxpool.Pool) error {
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return fill(ctx, tx) }); err != nil {
		return fmt.Errorf("fill the sample shop: %w", err)
	}
	return nil
}

func fill(ctx context.Context, tx pgx.Tx) error {
	queries := orderdb.New()
	err := queries.PutToken(ctx, tx, orderdb.PutTokenParams{TokenSha256: auth.Digest(Token), TenantID: TenantID, UserID: UserID})
	if err != nil {
		return err
	}
	err = queries.PutProvider(ctx, tx, orderdb.PutProviderParams{Provider: Provider, SecretSha256: auth.Digest(ProviderSecret)})
	if err != nil {
		return err
	}
	for _, a := range articles {
		err := queries.PutStock(ctx, tx, orderdb.PutStockParams{TenantID: TenantID, Sku: a.sku, Available: a.available})
		if err != nil {
			return err
		}
		for _, currency := range []string{"EUR", "GBP", "USD"} {
			err := queries.PutPrice(ctx, tx, orderdb.PutPriceParams{TenantID: TenantID, Sku: a.sku, Currency: currency, Amount: a.price})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
