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
		Sweep: func(_ context.Context, _ DBTX, from, batch int64) (int64, int64, error) {
			f.froms = append(f.froms, from)
			if f.err != nil {
				return 0, 0, f.err
			}
			n := min(f.backlog, batch)
			f.backlog -= n
			if n == 0 {
				return 0, from, nil
			}
			f.until++
			return n, f.until, nil
		},
		Purge: func(_ context.Context, _ DBTX, retention, batch int64) (int64, error) {
			f.purges = append(f.purges, retention)
			n := min(f.old, batch)
			f.old -= n
			return n, nil
		},
	}
}

func newSweeper(t *testing.T, options SweeperOptions, tables ...*fakeTable) *Sweeper {
	t.Helper()
	var list []Table
	for _, f := range tables {
		list = append(list, f.table("t"))
	}
	s, err := NewSweeper(nil, list, options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSweepUntilABatchIsShort(t *testing.T) {
	f := &fakeTable{backlog: 25, until: 100}
	got, err := newSweeper(t, SweeperOptions{}, f).Sweep(t.Context(), SweepLimits{Batch: 10})
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
	f, plain := &fakeTable{old: 15}, &fakeTable{backlog: 3}
	rotated := f.table("rotated")
	rotations := 0
	rotated.Sweep = nil
	rotated.Rotate = func(context.Context, DBTX) (int64, error) {
		rotations++
		return 2, nil
	}
	s, err := NewSweeper(nil, []Table{rotated, plain.table("plain")}, SweeperOptions{Retention: 72 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Sweep(t.Context(), SweepLimits{Batch: 10})
	if want := (Swept{Emptied: 3, Dropped: 2, Purged: 15}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if rotations != 1 || f.froms != nil {
		t.Errorf("got %d rotations and %d sweeps, want one rotation", rotations, len(f.froms))
	}
}

// What a rotation finds wrong is reported, and keeps its table from being purged and
// no other from being swept. A context that is over begins none.
func TestRotationFails(t *testing.T) {
	f, plain := &fakeTable{old: 1}, &fakeTable{backlog: 3}
	rotated := f.table("rotated")
	rotations := 0
	errBoom := errors.New("boom")
	rotated.Sweep = nil
	rotated.Rotate = func(context.Context, DBTX) (int64, error) {
		rotations++
		return 0, errBoom
	}
	s, err := NewSweeper(nil, []Table{rotated, plain.table("plain")}, SweeperOptions{Retention: 72 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Sweep(t.Context(), SweepLimits{})
	if want := (Swept{Emptied: 3}); !errors.Is(err, errBoom) || !strings.Contains(err.Error(), "rotated") || got != want {
		t.Errorf("got %+v, %v; want %+v and the error", got, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(ctx, SweepLimits{}); !errors.Is(err, context.Canceled) || rotations != 1 {
		t.Errorf("got %v after %d rotations, want no other one", err, rotations)
	}
}

func TestRunReportsDroppedPartitions(t *testing.T) {
	clock := &manualClock{fire: make(chan time.Time)}
	log := &bytes.Buffer{}
	table := Table{Name: "t", Rotate: func(context.Context, DBTX) (int64, error) { return 4, nil }}
	s, err := NewSweeper(nil, []Table{table}, SweeperOptions{Clock: clock, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	clock.fire <- time.Time{}
	stop()
	<-done
	if !strings.Contains(log.String(), "level=INFO") || !strings.Contains(log.String(), "dropped=4") {
		t.Errorf("log: %s", log)
	}
}

func TestSweepLimits(t *testing.T) {
	f := &fakeTable{backlog: 100, old: 100}
	s := newSweeper(t, SweeperOptions{Retention: 72 * time.Hour}, f)
	got, err := s.Sweep(t.Context(), SweepLimits{Batch: 10, Batches: 2})
	if want := (Swept{Emptied: 20, Purged: 20}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if diff := cmp.Diff([]int64{259200, 259200}, f.purges); diff != "" {
		t.Errorf("retentions (-want +got):\n%s", diff)
	}
}

func TestSweepGoesOnAfterAnError(t *testing.T) {
	bad, good := &fakeTable{err: errors.New("boom")}, &fakeTable{backlog: 3}
	got, err := newSweeper(t, SweeperOptions{}, bad, good).Sweep(t.Context(), SweepLimits{})
	if !errors.Is(err, bad.err) || got.Emptied != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestSweepStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &fakeTable{backlog: 3}
	if _, err := newSweeper(t, SweeperOptions{}, f).Sweep(ctx, SweepLimits{}); !errors.Is(err, context.Canceled) || f.froms != nil {
		t.Errorf("got %v after %d batches", err, len(f.froms))
	}
}

func TestRetentionMayNotBeShorterThanAWindow(t *testing.T) {
	_, err := NewSweeper(nil, []Table{(&fakeTable{}).table("account_keys")}, SweeperOptions{Retention: 71 * time.Hour})
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
		s := newSweeper(t, SweeperOptions{
			Interval: 6 * time.Hour,
			Limits:   SweepLimits{Batch: 2, Batches: 2},
			Logger:   slog.New(slog.NewTextHandler(log, nil)),
		}, f)
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
	clock := &manualClock{fire: make(chan time.Time)}
	f := &fakeTable{err: errors.New("secret")}
	log := &bytes.Buffer{}
	s := newSweeper(t, SweeperOptions{Clock: clock, Logger: slog.New(slog.NewTextHandler(log, nil))}, f)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	clock.fire <- time.Time{}
	clock.fire <- time.Time{}
	stop()
	<-done
	if len(f.froms) < 2 {
		t.Errorf("got %d passes, want more than one", len(f.froms))
	}
	if !strings.Contains(log.String(), "level=ERROR") || strings.Contains(log.String(), "secret") {
		t.Errorf("log: %s", log)
	}
}

// manualClock stands still; its alarms go off when the test says so.
type manualClock struct{ fire chan time.Time }

func (c *manualClock) Now() time.Time                       { return time.Time{} }
func (c *manualClock) After(time.Duration) <-chan time.Time { return c.fire }
