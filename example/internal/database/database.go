// Package database opens the service's database and brings its schema up to
// date.
package database

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/schema"
)

// keyTables is the generated DDL, copied: a Go package can only embed what
// lies below it. A test compares the copy with the original.
//
//go:generate cp ../../../schema/idempotency.sql idempotency.sql
//go:embed idempotency.sql
var keyTables string

// migrationLock is the advisory lock under which one process migrates.
const migrationLock = 7_203_115_042

// Open connects to the database at url and migrates it.
func Open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		// The error may quote the URL, and with it the password.
		return nil, errors.New("the database URL is not valid")
	}
	if err := Migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// Migrate creates the tables that are not there yet: the shop's own and the
// idempotency keys. Any number of processes may do so at once.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		for _, ddl := range []string{schema.Orders, keyTables} {
			if _, err := tx.Exec(ctx, ddl); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}
