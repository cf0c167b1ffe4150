package idem

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

const (
	defaultSweepInterval = time.Minute
	defaultSweepBatch    = 1000

	// cursorSlack is how far before the last pass the next one starts. It covers
	// rows that were locked then, and a clock that is not the database's.
	cursorSlack = time.Hour
	// fullPassEvery is how often a pass starts from the beginning, for the rest.
	fullPassEvery = 24 * time.Hour
)

// Table is a key table as the sweeper sees it. Generated code makes it.
type Table struct {
	Name          string
	LongestWindow time.Duration
	// Sweep empties a batch of expired records, the oldest first, starting at
	// from, in Unix seconds. It returns how many, and where the next batch starts.
	// It is nil where responses are partitioned.
	Sweep func(ctx context.Context, db DBTX, from, batch int64) (swept, until int64, err error)
	// Rotate drops the partitions of responses whose windows are over, and makes
	// those of the days to come. It returns how many it dropped. The role must own
	// the table. It is nil where responses are not partitioned.
	Rotate func(ctx context.Context, db DBTX) (dropped int64, err error)
	// Purge deletes a batch of tombstones whose window ended longer than the
	// retention ago.
	Purge func(ctx context.Context, db DBTX, retentionSeconds, batch int64) (int64, error)
}

// Clock tells a [Sweeper] the time.
type Clock interface {
	Now() time.Time
	// After returns a channel that receives once d has passed, as [time.After] does.
	After(d time.Duration) <-chan time.Time
}

// SweeperOptions says how a [Sweeper] works. The zero value will do.
type SweeperOptions struct {
	// Retention is how long tombstones are kept after their windows; then their
	// keys are free again and would execute. 0 keeps them for ever. It may not be
	// shorter than any table's longest window.
	Retention time.Duration
	// Interval is what Run lets pass between two passes. 0 is a minute.
	Interval time.Duration
	// Limits bound each pass of Run.
	Limits SweepLimits
	// Logger is where Run reports. nil is [slog.Default].
	Logger *slog.Logger
	// Clock is Run's. nil is the system's.
	Clock Clock
}

// SweepLimits bound one pass over each table.
type SweepLimits struct {
	Batch   int64 // rows in one statement; 0 is 1000
	Batches int   // statements of a kind; 0 is as many as there is work
}

// Swept is what a pass did.
type Swept struct {
	Emptied int64 // expired records that are tombstones now
	Dropped int64 // response partitions whose windows are over
	Purged  int64 // tombstones that are gone
}

// Sweeper empties expired records, which frees their space and keeps their keys
// closed, and purges old tombstones if it is told to. Where responses are
// partitioned it drops the partitions that are over, and makes those of the days to
// come: there it has to run. Replays go on meanwhile.
// Any number of sweepers may work at once. Its methods are safe for concurrent use.
type Sweeper struct {
	db      DBTX
	tables  []Table
	options SweeperOptions
}

// NewSweeper returns a sweeper of tables. db is a pool, as a rule: each batch is
// a transaction of its own. It fails if the retention is shorter than a window,
// because a key could then execute twice within it.
func NewSweeper(db DBTX, tables []Table, options SweeperOptions) (*Sweeper, error) {
	for _, table := range tables {
		if options.Retention != 0 && options.Retention < table.LongestWindow {
			return nil, fmt.Errorf("idem: retention %v is shorter than %v, the longest window in %s: raise it, or leave it 0 to keep tombstones for ever",
				options.Retention, table.LongestWindow, table.Name)
		}
	}
	if options.Interval <= 0 {
		options.Interval = defaultSweepInterval
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	if options.Clock == nil {
		options.Clock = systemClock{}
	}
	return &Sweeper{db: db, tables: tables, options: options}, nil
}

// Sweep makes one full pass over every table. It stops at ctx's end. An error in
// one table does not keep it from the others; all of them are joined. What was
// done before an error stays done, and is counted.
func (s *Sweeper) Sweep(ctx context.Context, limits SweepLimits) (Swept, error) {
	return s.pass(ctx, limits, make([]int64, len(s.tables)))
}

// Run makes a pass at once and then one each interval until ctx ends, and
// returns. It logs what fails and goes on.
func (s *Sweeper) Run(ctx context.Context) {
	clock := s.options.Clock
	starts := make([]int64, len(s.tables))
	lastFull := clock.Now()
	for {
		if now := clock.Now(); now.Sub(lastFull) >= fullPassEvery {
			clear(starts)
			lastFull = now
		}
		swept, err := s.pass(ctx, s.options.Limits, starts)
		if ctx.Err() != nil {
			return
		}
		s.report(ctx, swept, err)
		select {
		case <-ctx.Done():
			return
		case <-clock.After(s.options.Interval):
		}
	}
}

// pass sweeps, and purges, each table from its start, in Unix seconds, and sets
// that to where the next pass may start. Tombstones stay in the index, so that
// starting from 0 each time would read them all again.
func (s *Sweeper) pass(ctx context.Context, limits SweepLimits, starts []int64) (Swept, error) {
	if limits.Batch <= 0 {
		limits.Batch = defaultSweepBatch
	}
	var done Swept
	var errs []error
	for i, table := range s.tables {
		emptied, err := s.empty(ctx, table, limits, &starts[i])
		done.Emptied += emptied
		if err == nil && table.Rotate != nil {
			var dropped int64
			dropped, err = s.rotate(ctx, table)
			done.Dropped += dropped
		}
		if err == nil {
			var purged int64
			purged, err = s.purge(ctx, table, limits)
			done.Purged += purged
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("idem: sweeping %s: %w", table.Name, err))
		}
	}
	return done, errors.Join(errs...)
}

// empty sweeps one table. A pass that found the end has done everything that had
// expired when it began; one that did not goes on where it came to.
func (s *Sweeper) empty(ctx context.Context, table Table, limits SweepLimits, start *int64) (int64, error) {
	if table.Sweep == nil {
		return 0, nil
	}
	began := s.options.Clock.Now().Add(-cursorSlack).Unix()
	total, complete, err := batches(ctx, limits, func() (int64, error) {
		n, until, err := table.Sweep(ctx, s.db, *start, limits.Batch)
		if err == nil {
			*start = max(*start, until)
		}
		return n, err
	})
	if complete {
		*start = max(0, began)
	}
	return total, err
}

func (s *Sweeper) rotate(ctx context.Context, table Table) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return table.Rotate(ctx, s.db)
}

func (s *Sweeper) purge(ctx context.Context, table Table, limits SweepLimits) (int64, error) {
	if s.options.Retention == 0 {
		return 0, nil
	}
	total, _, err := batches(ctx, limits, func() (int64, error) {
		return table.Purge(ctx, s.db, wholeSeconds(s.options.Retention), limits.Batch)
	})
	return total, err
}

// batches runs batch until one comes back short, and returns their sum, and
// whether it came that far.
func batches(ctx context.Context, limits SweepLimits, batch func() (int64, error)) (total int64, complete bool, err error) {
	for i := 0; limits.Batches == 0 || i < limits.Batches; i++ {
		if err := ctx.Err(); err != nil {
			return total, false, err
		}
		n, err := batch()
		total += n
		if err != nil {
			return total, false, err
		}
		if n < limits.Batch {
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
		s.options.Logger.LogAttrs(ctx, slog.LevelError, "sweeping idempotency keys failed",
			append(attrs, causeAttr(err))...)
	case swept != Swept{}:
		s.options.Logger.LogAttrs(ctx, slog.LevelInfo, "idempotency keys swept", attrs...)
	}
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
