package idem

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem/idemrt"
)

const (
	// cursorSlack is how far before the last pass the next one starts. It covers
	// rows that were locked then, and a clock that is not the database's.
	cursorSlack = time.Hour
	// fullPassEvery is how often a pass starts from the beginning, for the rest.
	fullPassEvery = 24 * time.Hour
)

// Table is a key table. The generated IdempotencyTables returns those of a service.
type Table struct {
	Name          string          // as SQL spells it
	LongestWindow time.Duration   // of the operations that use the table
	Sweep         idemrt.Sweeping // where responses are in the key table; otherwise nil
	Rotate        idemrt.Rotating // where responses are partitioned; otherwise nil
}

// Swept is what a pass did.
type Swept struct {
	Emptied int64 // keys whose responses were deleted, and which stay used
	Dropped int64 // response partitions that were dropped
	Purged  int64 // keys that were deleted, after the retention
}

// Sweeper deletes the responses of expired keys, which frees their space. The keys
// stay used: they never execute again. Where responses are partitioned it drops the
// partitions that are over, and makes those of the days to come, so there it has to
// run. It deletes keys only if [WithRetention] says so. Replays go on meanwhile.
//
// Any number of sweepers may work on one database at once. The methods are safe for
// concurrent use.
type Sweeper struct {
	pool       *pgxpool.Pool
	tables     []Table
	logger     *slog.Logger
	retention  time.Duration // 0 is for ever
	interval   time.Duration
	batch      int64
	maxBatches int // 0 is as many as there is work
}

// NewSweeper returns a sweeper of tables, which are those of the generated
// IdempotencyTables. Each batch is a transaction of its own.
//
// The error names the option whose value is not valid, or the table whose window is
// longer than the retention: its keys could execute twice within the window.
func NewSweeper(pool *pgxpool.Pool, tables []Table, options ...SweeperOption) (*Sweeper, error) {
	s := &Sweeper{pool: pool, tables: tables, logger: slog.Default(), interval: defaultSweepInterval, batch: defaultSweepBatch}
	if pool == nil {
		return nil, errors.New("idem: the pool is nil")
	}
	for _, option := range options {
		if option == nil {
			return nil, errNilOption
		}
		if err := option.applyToSweeper(s); err != nil {
			return nil, err
		}
	}
	for _, table := range tables {
		if (table.Sweep == nil) == (table.Rotate == nil) {
			return nil, fmt.Errorf("idem: table %s is either swept or rotated: use the generated IdempotencyTables", table.Name)
		}
		if s.retention != 0 && s.retention < table.LongestWindow {
			return nil, fmt.Errorf("idem: retention %v is shorter than %v, the longest window in %s: raise it, or leave it out to keep keys for ever",
				s.retention, table.LongestWindow, table.Name)
		}
	}
	return s, nil
}

// Sweep makes one pass over every table, from the oldest key. It stops at ctx's end.
// An error in one table does not keep it from the others; all of them are joined. What
// was done before an error stays done, and is counted.
func (s *Sweeper) Sweep(ctx context.Context) (Swept, error) {
	return s.pass(ctx, make([]int64, len(s.tables)))
}

// Run makes a pass at once and then one each interval until ctx ends, and then
// returns. It logs what fails and goes on.
func (s *Sweeper) Run(ctx context.Context) {
	starts := make([]int64, len(s.tables))
	lastFull := time.Now()
	timer := time.NewTimer(s.interval)
	defer timer.Stop()
	for {
		if now := time.Now(); now.Sub(lastFull) >= fullPassEvery {
			clear(starts)
			lastFull = now
		}
		swept, err := s.pass(ctx, starts)
		if ctx.Err() != nil {
			return
		}
		s.report(ctx, swept, err)
		timer.Reset(s.interval)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
	}
}

// pass sweeps, and purges, each table from its start, in Unix seconds, and sets
// that to where the next pass may start. Keys without a response stay in the index, so
// that starting from 0 each time would read them all again.
func (s *Sweeper) pass(ctx context.Context, starts []int64) (Swept, error) {
	var done Swept
	var errs []error
	for i, table := range s.tables {
		if err := s.passTable(ctx, table, &starts[i], &done); err != nil {
			errs = append(errs, fmt.Errorf("idem: sweeping %s: %w", table.Name, err))
		}
	}
	return done, errors.Join(errs...)
}

// passTable is the part of a pass in one table. What it did is added to done.
func (s *Sweeper) passTable(ctx context.Context, table Table, start *int64, done *Swept) error {
	if table.Rotate != nil {
		dropped, err := s.rotate(ctx, table.Rotate)
		done.Dropped += dropped
		if err != nil {
			return err
		}
		return s.purge(ctx, table.Rotate, done)
	}
	emptied, err := s.empty(ctx, table.Sweep, start)
	done.Emptied += emptied
	if err != nil {
		return err
	}
	return s.purge(ctx, table.Sweep, done)
}

// empty sweeps one table. A pass that found the end has done everything that had
// expired when it began; one that did not goes on where it came to.
func (s *Sweeper) empty(ctx context.Context, table idemrt.Sweeping, start *int64) (int64, error) {
	began := time.Now().Add(-cursorSlack).Unix()
	total, complete, err := s.batches(ctx, func() (int64, error) {
		swept, err := table.Sweep(ctx, s.pool, idemrt.SweepBatch{SweptUntil: *start, BatchSize: s.batch})
		if err == nil {
			*start = max(*start, swept.SweptUntil)
		}
		return swept.Swept, err
	})
	if complete {
		*start = max(0, began)
	}
	return total, err
}

func (s *Sweeper) rotate(ctx context.Context, table idemrt.Rotating) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return table.Rotate(ctx, s.pool)
}

func (s *Sweeper) purge(ctx context.Context, table idemrt.Purging, done *Swept) error {
	if s.retention == 0 {
		return nil
	}
	retention := int64((s.retention + time.Second - 1) / time.Second)
	purged, _, err := s.batches(ctx, func() (int64, error) {
		return table.Purge(ctx, s.pool, idemrt.PurgeBatch{RetentionSeconds: retention, BatchSize: s.batch})
	})
	done.Purged += purged
	return err
}

// batches runs batch until one comes back short, and returns their sum, and
// whether it came that far.
func (s *Sweeper) batches(ctx context.Context, batch func() (int64, error)) (total int64, complete bool, err error) {
	for i := 0; s.maxBatches == 0 || i < s.maxBatches; i++ {
		if err := ctx.Err(); err != nil {
			return total, false, err
		}
		n, err := batch()
		total += n
		if err != nil {
			return total, false, err
		}
		if n < s.batch {
			return total, true, nil
		}
	}
	return total, false, nil
}

func (s *Sweeper) report(ctx context.Context, swept Swept, err error) {
	attrs := []slog.Attr{
		slog.Int64("emptied", swept.Emptied),
		slog.Int64("dropped", swept.Dropped),
		slog.Int64("purged", swept.Purged),
	}
	switch {
	case err != nil:
		s.logger.LogAttrs(ctx, slog.LevelError, "sweeping idempotency keys failed",
			append(attrs, idemrt.Cause(err))...)
	case swept != Swept{}:
		s.logger.LogAttrs(ctx, slog.LevelInfo, "idempotency keys swept", attrs...)
	}
}
