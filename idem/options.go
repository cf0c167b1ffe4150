package idem

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"
)

const (
	defaultMaxWaiters      = 256
	defaultMaxResponse     = 1 << 20
	defaultFinishTimeout   = 10 * time.Second
	defaultRecoveryTimeout = 10 * time.Second
)

// Option changes how a [Guard] works.
type Option func(*Guard)

// WithLogger sets where the guard logs. The default is [slog.Default].
//
// The guard logs each problem it answers, with the problem's instance, and what
// business functions do wrong. It never logs keys, fingerprints, arguments, or
// the texts of database errors.
func WithLogger(logger *slog.Logger) Option {
	return func(g *Guard) { g.logger = logger }
}

// WithLogKey sets the secret of the digest by which log lines name idempotency
// keys. Processes that share it name a key alike. The default is random.
func WithLogKey(secret []byte) Option {
	return func(g *Guard) { g.logKey = append([]byte(nil), secret...) }
}

// WithMaxWaiters sets how many duplicates of one key may wait in this process.
// Those above it are answered 409 at once. The default is 256; 0 lets none wait.
func WithMaxWaiters(n int) Option {
	return func(g *Guard) { g.gate.maxWaiters = n }
}

// WithMaxResponse sets how many bytes the headers and body of a response may
// have. A larger one is rolled back and answered 500. The default is 1 MiB.
func WithMaxResponse(bytes int64) Option {
	return func(g *Guard) { g.maxResponse = bytes }
}

// WithFinishTimeout bounds recording and COMMIT, and each ROLLBACK. They run
// detached from the request, whose end does not stop them. The default is 10 s.
func WithFinishTimeout(d time.Duration) Option {
	return func(g *Guard) { g.finishTimeout = d }
}

// WithRecoveryTimeout bounds how long a call asks what became of a COMMIT that
// was not answered, before it says that the outcome is unknown. The end of the
// request does not stop it. The default is 10 s.
func WithRecoveryTimeout(d time.Duration) Option {
	return func(g *Guard) { g.recoveryTimeout = d }
}

// WithReplayAuthorizer sets who is asked before a recorded answer is given, with
// the operation's name and the request's context, which says who is calling. A
// business function that checks permissions does not run for a replay, so that a
// caller who has lost them since would still be answered. An error ends the call
// and is returned as it is. The default lets every caller have their scope's records.
func WithReplayAuthorizer(authorize func(ctx context.Context, operation string) error) Option {
	return func(g *Guard) { g.authorize = authorize }
}

// randomKey returns a secret for a process that was not given one.
func randomKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return key
}
