package idem

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A mistake in an option is reported when the guard or the sweeper is made, with the
// option's name.
func TestOptionsAreChecked(t *testing.T) {
	pool := new(pgxpool.Pool)
	for name, test := range map[string]struct {
		construct func() error
		want      string // part of the error
	}{
		"guard without a pool":   {func() error { _, err := New(nil); return err }, "pool"},
		"sweeper without a pool": {func() error { _, err := NewSweeper(nil, nil); return err }, "pool"},
		"guard, nil":             {guarding(pool, nil), "option is nil"},
		"sweeper, nil":           {sweeping(pool, nil), "option is nil"},
		"guard, no logger":       {guarding(pool, WithLogger(nil)), "WithLogger"},
		"sweeper, no logger":     {sweeping(pool, WithLogger(nil)), "WithLogger"},
		"log key":                {guarding(pool, WithLogKey(nil)), "WithLogKey"},
		"waiters":                {guarding(pool, WithMaxWaiters(-1)), "WithMaxWaiters"},
		"response":               {guarding(pool, WithMaxResponse(0)), "WithMaxResponse"},
		"finish":                 {guarding(pool, WithFinishTimeout(0)), "WithFinishTimeout"},
		"recovery":               {guarding(pool, WithRecoveryTimeout(-1)), "WithRecoveryTimeout"},
		"authorizer":             {guarding(pool, WithReplayAuthorizer(nil)), "WithReplayAuthorizer"},
		"retention":              {sweeping(pool, WithRetention(0)), "WithRetention"},
		"interval":               {sweeping(pool, WithInterval(0)), "WithInterval"},
		"batch":                  {sweeping(pool, WithBatch(0)), "WithBatch"},
		"batches":                {sweeping(pool, WithMaxBatches(0)), "WithMaxBatches"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.construct(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func guarding(pool *pgxpool.Pool, option GuardOption) func() error {
	return func() error { _, err := New(pool, option); return err }
}

func sweeping(pool *pgxpool.Pool, option SweeperOption) func() error {
	return func() error { _, err := NewSweeper(pool, nil, option); return err }
}

func TestValidOptionsAreApplied(t *testing.T) {
	pool := new(pgxpool.Pool)
	if _, err := New(pool, WithMaxWaiters(0), WithMaxResponse(1), WithFinishTimeout(1), WithRecoveryTimeout(1)); err != nil {
		t.Error(err)
	}
	s, err := NewSweeper(pool, nil, WithRetention(time.Hour), WithInterval(time.Second), WithBatch(2), WithMaxBatches(3))
	if err != nil || s.retention != time.Hour || s.interval != time.Second || s.batch != 2 || s.maxBatches != 3 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// A table is swept or rotated. A literal that says neither or both is a mistake.
func TestTablesAreChecked(t *testing.T) {
	for name, table := range map[string]Table{"neither": {Name: "keys"}, "both": {Name: "keys", Sweep: &fakeTable{}, Rotate: &fakeRotation{}}} {
		if _, err := NewSweeper(new(pgxpool.Pool), []Table{table}); err == nil || !strings.Contains(err.Error(), "keys") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The default secret of digests is random.
func TestRandomKey(t *testing.T) {
	one, other := randomKey(), randomKey()
	if len(one) < 16 || bytes.Equal(one, other) {
		t.Error("twice the same")
	}
}
