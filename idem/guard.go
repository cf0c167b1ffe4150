package idem

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// Guard runs business functions at most once per idempotency key. One guard for
// each pool and process is enough. Duplicates that arrive in one process wait for each
// other in its guard, without a connection; those in different processes are told apart
// by the database.
//
// Each call takes one connection of the pool: for the claim, the business function and
// the COMMIT. A business function that takes a second one can exhaust the pool.
//
// A guard is safe for concurrent use. It starts no goroutine and needs no closing;
// the pool is the caller's to close.
type Guard struct {
	engine *idemrt.Engine
}

// New returns a guard over the database of pool. Any query mode and any default
// isolation level of the pool will do: each transaction is READ COMMITTED.
//
// The error names the option whose value is not valid. New does not use the
// database: a pool that cannot connect is reported by the first request.
func New(pool *pgxpool.Pool, options ...GuardOption) (*Guard, error) {
	if pool == nil {
		return nil, errors.New("idem: the pool is nil")
	}
	settings := idemrt.Settings{
		Logger:          slog.Default(),
		LogKey:          randomKey(),
		MaxWaiters:      defaultMaxWaiters,
		MaxResponse:     defaultMaxResponse,
		FinishTimeout:   defaultFinishTimeout,
		RecoveryTimeout: defaultRecoveryTimeout,
		Authorize:       func(context.Context, string) error { return nil },
	}
	for _, option := range options {
		if option == nil {
			return nil, errNilOption
		}
		if err := option.applyToGuard(&settings); err != nil {
			return nil, err
		}
	}
	return &Guard{idemrt.NewEngine(pool, settings)}, nil
}

// Engine is the part of the guard that generated code uses. A service has no use for it.
func (g *Guard) Engine() *idemrt.Engine { return g.engine }

// randomKey returns a secret for a process that was not given one.
func randomKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return key
}
