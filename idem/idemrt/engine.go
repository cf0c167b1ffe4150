package idemrt

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Settings are those of a guard. Every field is set.
type Settings struct {
	Logger          *slog.Logger
	LogKey          []byte        // the secret of the digest by which log lines name keys
	MaxWaiters      int           // duplicates of one key that may wait in this process
	MaxResponse     int64         // bytes of a response's headers and body
	FinishTimeout   time.Duration // of recording and COMMIT, and of each ROLLBACK
	RecoveryTimeout time.Duration // of finding out about a COMMIT that was not acknowledged
	Authorize       func(ctx context.Context, operation string) error
}

// Engine runs the protocol. It is what a guard of package idem gives to generated
// code. It is safe for concurrent use.
type Engine struct {
	settings Settings
	pool     *pgxpool.Pool
	gate     *gate
}

// NewEngine returns an engine over the database of pool.
func NewEngine(pool *pgxpool.Pool, settings Settings) *Engine {
	return &Engine{settings: settings, pool: pool, gate: newGate(settings.MaxWaiters)}
}

// keyDigest names a key in log lines without giving it away.
func (g *Engine) keyDigest(operation, key string) string {
	mac := hmac.New(sha256.New, g.settings.LogKey)
	mac.Write([]byte(operation))
	mac.Write([]byte{0})
	mac.Write([]byte(key))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// keyAttr is the digest for the log, or nothing where there is no key.
func (g *Engine) keyAttr(operation, key string) slog.Attr {
	if key == "" {
		return slog.Attr{}
	}
	return slog.String("key_digest", g.keyDigest(operation, key))
}

// detached returns a context that outlives ctx's cancellation, keeps its values
// and ends after FinishTimeout.
func (g *Engine) detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), g.settings.FinishTimeout)
}
