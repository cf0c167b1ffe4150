package protocol_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/idem/idemtest"
)

// complaints are what a test helper reports.
type complaints struct {
	testing.TB
	all []string
}

func (c *complaints) Helper()                           {}
func (c *complaints) Error(args ...any)                 { c.all = append(c.all, fmt.Sprint(args...)) }
func (c *complaints) Errorf(format string, args ...any) { c.Error(fmt.Sprintf(format, args...)) }

// A business function that takes a second connection fails at once and is named;
// one that does not has nothing to fear.
func TestSingleConnection(t *testing.T) {
	t.Parallel()
	traced := &counter{}
	s := newService(t, traced.trace)
	seen := &complaints{TB: t}
	s.pool = idemtest.SingleConnection(seen, s.pool.Config())
	s.guard = s.newGuard(s.pool)

	s.wantReply(s.create("right"), 201, "")
	if len(seen.all) != 0 {
		t.Errorf("complaints about what is right: %q", seen.all)
	}
	if traced.count() == 0 {
		t.Error("the pool's own tracer was dropped")
	}
	for name, second := range map[string]func(context.Context) error{
		"query": func(ctx context.Context) error { return s.pool.QueryRow(ctx, "SELECT 1").Scan(new(int)) },
		"own-transaction": func(ctx context.Context) error {
			return pgx.BeginFunc(context.WithoutCancel(ctx), s.pool, func(pgx.Tx) error { return nil })
		},
		"another-call": func(ctx context.Context) error {
			if got := s.call(ctx, "inner", "a", creates("inner")); got.Code != "" {
				return fmt.Errorf("problem %s", got.Code)
			}
			return nil
		},
	} {
		seen.all = nil
		got := s.call(t.Context(), name, "a", func(ctx context.Context, _ pgx.Tx) (outcome, error) {
			return responds(201, ""), second(ctx)
		})
		if got.Err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
		if len(seen.all) == 0 || !strings.Contains(seen.all[0], "idemtest_test.go:") && name != "another-call" || !strings.Contains(seen.all[0], "takes a second connection") {
			t.Errorf("%s: got the complaints %q", name, seen.all)
		}
	}
	s.wantState(1, 1)
	s.wantFirst("afterwards", "afterwards")
}

// Requests that wait for the one connection are no mistake.
func TestSingleConnectionServesMany(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.pool = idemtest.SingleConnection(t, s.pool.Config())
	s.guard = s.newGuard(s.pool)
	calls := make([]<-chan reply, 20)
	for i := range calls {
		calls[i] = background(func() reply {
			key := fmt.Sprint("k", i)
			return s.call(t.Context(), key, "a", creates(key))
		})
	}
	for _, call := range calls {
		s.wantReply(<-call, 201, "")
	}
	s.wantState(20, 20)
}
