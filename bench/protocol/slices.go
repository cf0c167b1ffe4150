package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// slice is what happened in one slice of time.
type slice struct {
	calls   int
	took    time.Duration
	latency []time.Duration
}

func (s slice) rate() float64 { return float64(s.calls) / s.took.Seconds() }

// task is what callers do over and over in a slice.
type task struct {
	next func() order
	want int // status; 0 is any
}

// freshKeys makes every call a first execution.
func freshKeys() task {
	return task{next: func() order { return newOrder(uuid.NewString()) }, want: 201}
}

// run keeps callers busy with t for d. What was begun is finished, and counts.
func run(ctx context.Context, c contender, t task, callers int, d time.Duration) (slice, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	start := time.Now()
	parts := make([]slice, callers)
	var work sync.WaitGroup
	for i := range parts {
		work.Go(func() {
			for time.Since(start) < d && ctx.Err() == nil {
				if err := parts[i].once(ctx, c, t); err != nil {
					stop(fmt.Errorf("%s: %w", c.name, err))
				}
			}
		})
	}
	work.Wait()
	all := slice{took: time.Since(start)}
	for _, part := range parts {
		all.calls += part.calls
		all.latency = append(all.latency, part.latency...)
	}
	return all, context.Cause(ctx)
}

func (s *slice) once(ctx context.Context, c contender, t task) error {
	o := t.next()
	start := time.Now()
	status, err := c.call(ctx, o)
	if err != nil {
		return err
	}
	s.latency = append(s.latency, time.Since(start))
	s.calls++
	if t.want != 0 && status != t.want {
		return fmt.Errorf("answered %d, not %d", status, t.want)
	}
	return nil
}

// spread is a median and the extremes around it.
type spread struct{ min, median, max float64 }

func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	sorted := slices.Sorted(slices.Values(values))
	return spread{min: sorted[0], median: sorted[len(sorted)/2], max: sorted[len(sorted)-1]}
}

// ratios divides round by round, so that what disturbed both cancels out.
func ratios(these, base []float64) spread {
	var all []float64
	for i := range min(len(these), len(base)) {
		all = append(all, these[i]/base[i])
	}
	return spreadOf(all)
}

// percentile of latencies, which it sorts.
func percentile(latency []time.Duration, p float64) time.Duration {
	if len(latency) == 0 {
		return 0
	}
	slices.Sort(latency)
	return latency[min(len(latency)-1, int(p*float64(len(latency))))]
}

// interleave gives every contender one slice in each round, in turning order.
func interleave(ctx context.Context, contenders []contender, rounds int, measure func(context.Context, contender) error) error {
	for round := range rounds {
		for i := range contenders {
			c := contenders[(i+round)%len(contenders)]
			if err := measure(ctx, c); err != nil {
				return errors.Join(err, ctx.Err())
			}
		}
	}
	return nil
}
