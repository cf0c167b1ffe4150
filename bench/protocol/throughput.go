package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// cell names one measured number: who, at how many callers, where.
type cell struct {
	name    string
	callers int
	async   bool
}

// rates are calls per second, one for each round.
type rates map[cell][]float64

// recordsToReplay are enough for callers to meet seldom at one of them.
const recordsToReplay = 1000

// throughput measures one network: first executions with both commits, and
// replays and mismatches with synchronous ones.
type throughput struct {
	first, replay, mismatch rates
	roundTrip               time.Duration
}

func (b *benchmark) throughput(ctx context.Context, delay time.Duration) (*throughput, error) {
	t := &throughput{first: rates{}, replay: rates{}, mismatch: rates{}}
	for _, async := range []bool{false, true} {
		err := b.within(ctx, place{delay: delay, async: async}, allNames(), func(env *environment, contenders []contender) (err error) {
			if t.roundTrip, err = env.roundTrip(ctx); err != nil {
				return err
			}
			if err := b.warm(ctx, contenders); err != nil {
				return err
			}
			if err := b.fill(ctx, t.first, async, contenders, func(contender) task { return freshKeys() }); err != nil {
				return err
			}
			if async {
				return nil
			}
			return b.again(ctx, t, env, contenders)
		})
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// again measures what happens to keys that are recorded.
func (b *benchmark) again(ctx context.Context, t *throughput, env *environment, contenders []contender) error {
	replaying := only(contenders, func(c contender) bool { return c.replays })
	recorded := map[string][]string{}
	for _, c := range replaying {
		keys, err := record(ctx, c, recordsToReplay)
		if err != nil {
			return err
		}
		recorded[c.name] = keys
	}
	recorded[nameSelect] = recorded[nameGuard]
	replaying = append(replaying, selectRecord(env.pool))
	err := b.fill(ctx, t.replay, false, replaying, func(c contender) task {
		return repeats(recorded[c.name], newOrder, 201)
	})
	if err != nil {
		return err
	}
	comparing := only(replaying, func(c contender) bool { return c.compares })
	return b.fill(ctx, t.mismatch, false, comparing, func(c contender) task {
		return repeats(recorded[c.name], otherMeaning, 422)
	})
}

// repeats calls with keys that were used before.
func repeats(keys []string, newOrder func(string) order, want int) task {
	return task{want: want, next: func() order { return newOrder(keys[rand.IntN(len(keys))]) }} //nolint:gosec // no secret
}

// record executes n orders and returns their keys.
func record(ctx context.Context, c contender, n int) ([]string, error) {
	keys := make([]string, n)
	given := make(chan string, n)
	for i := range keys {
		keys[i] = uuid.NewString()
		given <- keys[i]
	}
	close(given)
	done := task{want: 201, next: func() order {
		key, ok := <-given
		if !ok {
			key = uuid.NewString() // too many; harmless
		}
		return newOrder(key)
	}}
	for len(given) > 0 {
		if _, err := run(ctx, c, done, 16, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// fill measures all contenders at every number of callers.
func (b *benchmark) fill(ctx context.Context, into rates, async bool, contenders []contender, taskOf func(contender) task) error {
	for _, callers := range b.callers {
		err := interleave(ctx, contenders, b.rounds, func(ctx context.Context, c contender) error {
			s, err := run(ctx, c, taskOf(c), callers, b.slice)
			at := cell{c.name, callers, async}
			into[at] = append(into[at], s.rate())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// warm opens connections and prepares statements.
func (b *benchmark) warm(ctx context.Context, contenders []contender) error {
	for _, c := range contenders {
		if _, err := run(ctx, c, freshKeys(), b.callers[len(b.callers)-1], b.slice); err != nil {
			return err
		}
	}
	return nil
}

// within starts contenders at a place, on a fresh database.
func (b *benchmark) within(ctx context.Context, at place, names []string, measure func(*environment, []contender) error) error {
	b.databases++
	env, err := newEnvironment(ctx, b.server, fmt.Sprintf("bench%d", b.databases), at)
	if err != nil {
		return err
	}
	contenders, err := startContenders(ctx, env, names)
	if err == nil {
		err = measure(env, contenders)
		closeAll(contenders)
	}
	if closeErr := env.close(context.WithoutCancel(ctx)); err == nil {
		err = closeErr
	}
	return err
}
