package idem

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// fakeTable answers sweeps and purges from a script and keeps what it was asked.
type fakeTable struct {
	backlog int64 // rows to sweep
	old     int64 // rows to purge
	until   int64 // how far the last sweep came, in Unix seconds
	err     error
	froms   []int64
	purges  []int64 // retentions
}

func (f *fakeTable) table(name string) Table {
	return Table{
		Name:          name,
		LongestWindow: 72 * time.Hour,
		Sweep:         f,
	}
}

func (f *fakeTable) Sweep(_ context.Context, _ idemrt.DBTX, batch idemrt.SweepBatch) (idemrt.SweptBatch, error) {
	f.froms = append(f.froms, batch.SweptUntil)
	if f.err != nil {
		return idemrt.SweptBatch{}, f.err
	}
	n := min(f.backlog, batch.BatchSize)
	f.backlog -= n
	if n == 0 {
		return idemrt.SweptBatch{SweptUntil: batch.SweptUntil}, nil
	}
	f.until++
	return idemrt.SweptBatch{Swept: n, SweptUntil: f.until}, nil
}

func (f *fakeTable) Purge(_ context.Context, _ idemrt.DBTX, batch idemrt.PurgeBatch) (int64, error) {
	f.purges = append(f.purges, batch.RetentionSeconds)
	n := min(f.old, batch.BatchSize)
	f.old -= n
	return n, nil
}

// fakeRotation is a table whose responses are partitioned.
type fakeRotation struct {
	fakeTable
	dropped   int64
	rotateErr error
	rotations int
}

func (f *fakeRotation) Rotate(context.Context, idemrt.DBTX) (int64, error) {
	f.rotations++
	return f.dropped, f.rotateErr
}

func (f *fakeRotation) table() Table {
	return Table{Name: "rotated", LongestWindow: 72 * time.Hour, Rotate: f}
}

func newSweeper(t *testing.T, tables []Table, options ...SweeperOption) *Sweeper {
	t.Helper()
	s, err := NewSweeper(new(pgxpool.Pool), tables, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tables are the tables of fakes.
func tables(fakes ...*fakeTable) []Table {
	var list []Table
	for _, f := range fakes {
		list = append(list, f.table("t"))
	}
	return list
}

var threeDays = WithRetention(72 * time.Hour)

func TestSweepUntilABatchIsShort(t *testing.T) {
	f := &fakeTable{backlog: 25, until: 100}
	got, err := newSweeper(t, tables(f), WithBatch(10)).Sweep(t.Context())
	if want := (Swept{Emptied: 25}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if diff := cmp.Diff([]int64{0, 101, 102}, f.froms); diff != "" {
		t.Errorf("cursors (-want +got):\n%s", diff)
	}
	if f.purges != nil {
		t.Error("purged without a retention")
	}
}

// A table with partitioned responses is rotated, once a pass whatever the limits are,
// and purged; its neighbour is swept.
func TestSweepRotates(t *testing.T) {
	f, plain := &fakeRotation{fakeTable: fakeTable{old: 15}, dropped: 2}, &fakeTable{backlog: 3}
	s := newSweeper(t, []Table{f.table(), plain.table("plain")}, threeDays, WithBatch(10))
	got, err := s.Sweep(t.Context())
	if want := (Swept{Emptied: 3, Dropped: 2, Purged: 15}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if f.rotations != 1 || f.froms != nil {
		t.Errorf("got %d rotations and %d sweeps, want one rotation", f.rotations, len(f.froms))
	}
}

// What a rotation finds wrong is reported, and keeps its table from being purged and
// no other from being swept. A context that is over begins none.
func TestRotationFails(t *testing.T) {
	errBoom := errors.New("boom")
	f, plain := &fakeRotation{fakeTable: fakeTable{old: 1}, rotateErr: errBoom}, &fakeTable{backlog: 3}
	s := newSweeper(t, []Table{f.table(), plain.table("plain")}, threeDays)
	got, err := s.Sweep(t.Context())
	if want := (Swept{Emptied: 3}); !errors.Is(err, errBoom) || !strings.Contains(err.Error(), "rotated") || got != want {
		t.Errorf("got %+v, %v; want %+v and the error", got, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(ctx); !errors.Is(err, context.Canceled) || f.rotations != 1 {
		t.Errorf("got %v after %d rotations, want no other one", err, f.rotations)
	}
}

// passes runs s until it has made n passes, and returns what it logged.
func passes(t *testing.T, n int, options []SweeperOption, list ...Table) (log string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		out := &bytes.Buffer{}
		options = append(options, WithInterval(time.Hour), WithLogger(slog.New(slog.NewTextHandler(out, nil))))
		s := newSweeper(t, list, options...)
		ctx, stop := context.WithTimeout(t.Context(), time.Duration(n)*time.Hour-time.Minute)
		defer stop()
		s.Run(ctx)
		log = out.String()
	})
	return log
}

func TestRunReportsDroppedPartitions(t *testing.T) {
	log := passes(t, 1, nil, (&fakeRotation{dropped: 4}).table())
	if !strings.Contains(log, "level=INFO") || !strings.Contains(log, "dropped=4") {
		t.Errorf("log: %s", log)
	}
}

func TestSweepLimits(t *testing.T) {
	f := &fakeTable{backlog: 100, old: 100}
	s := newSweeper(t, tables(f), threeDays, WithBatch(10), WithMaxBatches(2))
	got, err := s.Sweep(t.Context())
	if want := (Swept{Emptied: 20, Purged: 20}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if diff := cmp.Diff([]int64{259200, 259200}, f.purges); diff != "" {
		t.Errorf("retentions (-want +got):\n%s", diff)
	}
}

func TestSweepGoesOnAfterAnError(t *testing.T) {
	bad, good := &fakeTable{err: errors.New("boom")}, &fakeTable{backlog: 3}
	got, err := newSweeper(t, tables(bad, good)).Sweep(t.Context())
	if !errors.Is(err, bad.err) || got.Emptied != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestSweepStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &fakeTable{backlog: 3}
	if _, err := newSweeper(t, tables(f)).Sweep(ctx); !errors.Is(err, context.Canceled) || f.froms != nil {
		t.Errorf("got %v after %d batches", err, len(f.froms))
	}
}

func TestRetentionMayNotBeShorterThanAWindow(t *testing.T) {
	_, err := NewSweeper(new(pgxpool.Pool), []Table{(&fakeTable{}).table("account_keys")}, WithRetention(71*time.Hour))
	if err == nil || !strings.Contains(err.Error(), "account_keys") {
		t.Errorf("got %v, want an error that names the table", err)
	}
}

// Run starts each pass an hour before the last one began, and once a day from the
// beginning. A pass that its limits cut short goes on where it came to.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTable{backlog: 5, until: 10_000}
		log := &bytes.Buffer{}
		s := newSweeper(t, tables(f), WithInterval(6*time.Hour), WithBatch(2), WithMaxBatches(2),
			WithLogger(slog.New(slog.NewTextHandler(log, nil))))
		began := time.Now()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.Run(ctx)
		}()
		time.Sleep(25 * time.Hour) //nolint:forbidigo // the bubble's clock: five passes
		synctest.Wait()
		stop()
		<-done
		second, third := began.Add(6*time.Hour).Unix()-3600, began.Add(12*time.Hour).Unix()-3600
		if diff := cmp.Diff([]int64{0, 10_001, 10_002, second, third, 0}, f.froms); diff != "" {
			t.Errorf("cursors (-want +got):\n%s", diff)
		}
		if !strings.Contains(log.String(), "emptied=4") || !strings.Contains(log.String(), "emptied=1") {
			t.Errorf("log: %s", log)
		}
	})
}

func TestRunGoesOnAfterAnError(t *testing.T) {
	f := &fakeTable{err: errors.New("secret")}
	log := passes(t, 2, nil, f.table("t"))
	if len(f.froms) != 2 {
		t.Errorf("got %d passes, want 2", len(f.froms))
	}
	if !strings.Contains(log, "level=ERROR") || strings.Contains(log, "secret") {
		t.Errorf("log: %s", log)
	}
}
