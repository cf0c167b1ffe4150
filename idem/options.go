package idem

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/idemgen/idemgen/idem/idemrt"
)

const (
	defaultMaxWaiters      = 256
	defaultMaxResponse     = 1 << 20
	defaultFinishTimeout   = 10 * time.Second
	defaultRecoveryTimeout = 10 * time.Second
	defaultSweepInterval   = time.Minute
	defaultSweepBatch      = 1000
)

var errNilOption = errors.New("idem: an option is nil: leave it out")

// GuardOption changes how a [Guard] works. It is made by one of the functions With…. An
// option with a value that is not valid makes [New] fail; of two options of one kind the
// last counts.
type GuardOption interface {
	applyToGuard(settings *idemrt.Settings) error
}

// SweeperOption changes how a [Sweeper] works. It is made by one of the functions With….
// An option with a value that is not valid makes [NewSweeper] fail; of two options of one
// kind the last counts.
type SweeperOption interface {
	applyToSweeper(s *Sweeper) error
}

// Option is an option of both a [Guard] and a [Sweeper].
type Option interface {
	GuardOption
	SweeperOption
}

// WithLogger sets where a guard or a sweeper logs. The default is [slog.Default].
//
// A guard logs each problem that it answers, with the problem's instance, the
// operation and a digest of the key, and what business functions do wrong. A sweeper
// logs what it deleted and what failed. Neither logs keys, fingerprints, arguments, or
// the texts of database errors.
func WithLogger(logger *slog.Logger) Option { return loggerOption{logger} }

type loggerOption struct{ logger *slog.Logger }

var errNilLogger = errors.New("idem: WithLogger: the logger is nil; slog.New(slog.DiscardHandler) logs nothing")

func (o loggerOption) applyToGuard(settings *idemrt.Settings) error {
	if o.logger == nil {
		return errNilLogger
	}
	settings.Logger = o.logger
	return nil
}

func (o loggerOption) applyToSweeper(s *Sweeper) error {
	if o.logger == nil {
		return errNilLogger
	}
	s.logger = o.logger
	return nil
}

// guardOption implements [GuardOption].
type guardOption func(*idemrt.Settings) error

func (o guardOption) applyToGuard(settings *idemrt.Settings) error { return o(settings) }

// WithLogKey sets the secret of the digest by which log lines name idempotency
// keys. Processes that share the secret give a key the same digest. It should be random
// and at least 16 bytes long. The default is random, and different in each process.
func WithLogKey(secret []byte) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		if len(secret) == 0 {
			return errors.New("idem: WithLogKey: the secret is empty; leave the option out for a random one")
		}
		settings.LogKey = append([]byte(nil), secret...)
		return nil
	})
}

// WithMaxWaiters sets how many duplicates of one key may wait in this process.
// Further ones are answered 409 at once. The default is 256; 0 lets none wait.
func WithMaxWaiters(n int) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		if n < 0 {
			return fmt.Errorf("idem: WithMaxWaiters: %d is negative; 0 lets no duplicate wait", n)
		}
		settings.MaxWaiters = n
		return nil
	})
}

// WithMaxResponse sets how many bytes the headers and body of a response may
// have together. A larger one is rolled back and answered 500. The default is 1 MiB.
func WithMaxResponse(bytes int64) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		settings.MaxResponse = bytes
		return positive("WithMaxResponse", bytes)
	})
}

// WithFinishTimeout bounds recording and COMMIT, and each ROLLBACK. They are
// detached from the request, whose end does not stop them. The default is 10 s.
func WithFinishTimeout(d time.Duration) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		settings.FinishTimeout = d
		return positive("WithFinishTimeout", d)
	})
}

// WithRecoveryTimeout bounds how long a call tries to find out what happened to a
// COMMIT that was not acknowledged, before it answers that the outcome is unknown. The
// end of the request does not stop it. The default is 10 s.
func WithRecoveryTimeout(d time.Duration) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		settings.RecoveryTimeout = d
		return positive("WithRecoveryTimeout", d)
	})
}

// WithReplayAuthorizer sets a check that runs before a recorded response is replayed.
// It is given the operation's name and the request's context, which identifies the
// caller. A business function that checks permissions does not run for a replay, so
// that a caller who has lost them since would still get the response. An error ends
// the call and is returned as it is. By default every caller may have the recorded
// responses of their scope. The check is called concurrently.
func WithReplayAuthorizer(authorize func(ctx context.Context, operation string) error) GuardOption {
	return guardOption(func(settings *idemrt.Settings) error {
		if authorize == nil {
			return errors.New("idem: WithReplayAuthorizer: the function is nil; leave the option out to allow every replay")
		}
		settings.Authorize = authorize
		return nil
	})
}

// sweeperOption implements [SweeperOption].
type sweeperOption func(*Sweeper) error

func (o sweeperOption) applyToSweeper(s *Sweeper) error { return o(s) }

// WithRetention has a sweeper delete keys whose windows ended longer than d ago. From
// then on such a key is free: the same request would execute again. d may not be
// shorter than the longest window of any table. By default keys are kept for ever, and
// the tables only grow.
func WithRetention(d time.Duration) SweeperOption {
	return sweeperOption(func(s *Sweeper) error {
		s.retention = d
		return positive("WithRetention", d)
	})
}

// WithInterval sets how long [Sweeper.Run] waits between two passes. The default is a
// minute.
func WithInterval(d time.Duration) SweeperOption {
	return sweeperOption(func(s *Sweeper) error {
		s.interval = d
		return positive("WithInterval", d)
	})
}

// WithBatch sets how many rows one statement of a sweeper changes, which bounds how
// long it holds their locks. The default is 1000.
func WithBatch(rows int64) SweeperOption {
	return sweeperOption(func(s *Sweeper) error {
		s.batch = rows
		return positive("WithBatch", rows)
	})
}

// WithMaxBatches sets how many statements of a kind one pass over a table runs; what is
// left is for the next pass. By default a pass goes on until nothing is left.
func WithMaxBatches(n int) SweeperOption {
	return sweeperOption(func(s *Sweeper) error {
		s.maxBatches = n
		return positive("WithMaxBatches", n)
	})
}

// positive refuses a value that is not more than 0.
func positive[T int | int64 | time.Duration](option string, value T) error {
	if value <= 0 {
		return fmt.Errorf("idem: %s: %v is not more than 0; leave the option out for the default", option, value)
	}
	return nil
}
