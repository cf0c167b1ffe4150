package protocol_test

import (
	"context"
	"errors"
	"testing"

	"github.com/idemgen/idemgen/idem"
)

// Whoever may not have the answer any more does not get it, and nobody else's
// answer changes by it. A request that is refused anyway is not asked about.
func TestReplayAuthorizer(t *testing.T) {
	t.Parallel()
	type caller struct{}
	errForbidden := errors.New("forbidden")
	asked := 0
	s := newService(t)
	s.guard = s.newGuard(s.pool, idem.WithReplayAuthorizer(func(ctx context.Context, name string) error {
		asked++
		if name != operation.Name {
			t.Errorf("asked about operation %q", name)
		}
		if ctx.Value(caller{}) == "ada" {
			return nil
		}
		return errForbidden
	}))
	ada := context.WithValue(t.Context(), caller{}, "ada")
	first := s.create("k")
	s.wantReply(first, 201, "")
	s.wantReply(s.call(ada, "k", "b", creates("b")), 422, "idempotency_key_reused")
	if asked != 0 {
		t.Errorf("asked %d times before a replay", asked)
	}
	if got := s.call(ada, "k", "a", creates("x")); !got.Replayed || got.Body != first.Body {
		t.Errorf("got %+v, want a replay", got)
	}
	if got := s.create("k"); !errors.Is(got.Err, errForbidden) || got.Body != "" {
		t.Errorf("got %+v, want the authorizer's error and no answer", got)
	}
	s.wantState(1, 1)
}
