package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	stormPool   = 16
	stormPause  = 50 * time.Millisecond // of the business function of the key in the storm
	otherCaller = 4                     // of other keys
)

// weather is what callers of one contender saw, in all rounds together.
type weather struct {
	quiet, meanwhile []time.Duration // other keys
	duplicates       []time.Duration // the key in the storm
	answered, asked  int
}

// storms sends duplicates of one key after the other, each time all at once,
// while others use keys of their own.
func (b *benchmark) storms(ctx context.Context, duplicates int) (map[string]*weather, error) {
	seen := map[string]*weather{}
	err := b.within(ctx, place{poolSize: stormPool}, stormNames(), func(_ *environment, contenders []contender) error {
		if err := b.warm(ctx, contenders); err != nil {
			return err
		}
		return interleave(ctx, contenders, b.rounds, func(ctx context.Context, c contender) error {
			if seen[c.name] == nil {
				seen[c.name] = &weather{}
			}
			return seen[c.name].watch(ctx, c, duplicates, 2*b.slice)
		})
	})
	return seen, err
}

func stormNames() []string {
	return []string{nameHandmade, nameGenerated, nameDBOS, nameHTTP, nameFiber}
}

// watch measures a quiet slice and one with a storm.
func (w *weather) watch(ctx context.Context, c contender, duplicates int, d time.Duration) error {
	calm, err := run(ctx, c, freshKeys(), otherCaller, d)
	if err != nil {
		return err
	}
	w.quiet = append(w.quiet, calm.latency...)

	var others slice
	var othersErr error
	var work sync.WaitGroup
	work.Go(func() { others, othersErr = run(ctx, c, freshKeys(), otherCaller, d) })
	for start := time.Now(); time.Since(start) < d; {
		w.burst(ctx, c, newOrder(uuid.NewString()).withPause(stormPause), duplicates)
	}
	work.Wait()
	w.meanwhile = append(w.meanwhile, others.latency...)
	return othersErr
}

// burst sends duplicates of o and waits for all answers.
func (w *weather) burst(ctx context.Context, c contender, o order, duplicates int) {
	var mu sync.Mutex
	var work sync.WaitGroup
	for range duplicates {
		work.Go(func() {
			start := time.Now()
			status, err := c.call(ctx, o)
			took := time.Since(start)
			mu.Lock()
			defer mu.Unlock()
			w.asked++
			w.duplicates = append(w.duplicates, took)
			if err == nil && status == 201 {
				w.answered++
			}
		})
	}
	work.Wait()
}

func (b *benchmark) printStorm(seen map[string]*weather, duplicates int) {
	t := table{head: []string{
		fmt.Sprintf("%d duplicates of one key", duplicates), "answered at first try", "p50 / p99",
		"other keys, quiet: p50 / p99", "other keys, meanwhile: p50 / p99", "p99 to quiet",
	}}
	for _, name := range stormNames() {
		w := seen[name]
		if w == nil || w.asked == 0 {
			continue
		}
		calm, rough := percentile(w.quiet, 0.99), percentile(w.meanwhile, 0.99)
		t.row(name,
			fmt.Sprintf("%.1f %%", 100*float64(w.answered)/float64(w.asked)),
			both(w.duplicates), both(w.quiet), both(w.meanwhile),
			fmt.Sprintf("%.1f", float64(rough)/float64(calm)))
	}
	b.print(t)
}

func both(latency []time.Duration) string {
	return millis(percentile(latency, 0.5)) + " / " + millis(percentile(latency, 0.99)) + " ms"
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()*1000) }
