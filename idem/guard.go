package idem

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Guard runs business functions at most once per idempotency key. It is safe
// for concurrent use; one per pool and process is enough, and what makes
// duplicates wait for each other without a connection. It needs no closing.
type Guard struct {
	pool            *pgxpool.Pool
	gate            *gate
	logger          *slog.Logger
	logKey          []byte
	maxResponse     int64
	finishTimeout   time.Duration
	recoveryTimeout time.Duration
	authorize       func(ctx context.Context, operation string) error
	patterns        sync.Map // pattern → *regexp.Regexp
}

// New returns a guard over the database of pool. Any query mode and any default
// isolation level of the pool will do: each transaction is READ COMMITTED.
func New(pool *pgxpool.Pool, options ...Option) *Guard {
	g := &Guard{
		pool:            pool,
		gate:            newGate(defaultMaxWaiters),
		logger:          slog.Default(),
		maxResponse:     defaultMaxResponse,
		finishTimeout:   defaultFinishTimeout,
		recoveryTimeout: defaultRecoveryTimeout,
		authorize:       func(context.Context, string) error { return nil },
	}
	for _, option := range options {
		option(g)
	}
	if len(g.logKey) == 0 {
		g.logKey = randomKey()
	}
	return g
}

// keyDigest names a key in log lines without giving it away.
func (g *Guard) keyDigest(operation, key string) string {
	mac := hmac.New(sha256.New, g.logKey)
	mac.Write([]byte(operation))
	mac.Write([]byte{0})
	mac.Write([]byte(key))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// keyAttr is the digest for the log, or nothing where there is no key.
func (g *Guard) keyAttr(operation, key string) slog.Attr {
	if key == "" {
		return slog.Attr{}
	}
	return slog.String("key_digest", g.keyDigest(operation, key))
}

// detached returns a context that outlives ctx's cancellation, keeps its values
// and ends after the guard's own timeout.
func (g *Guard) detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), g.finishTimeout)
}
