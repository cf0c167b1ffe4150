package idemrt

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	shortestPause = 5 * time.Millisecond
	longestPause  = 100 * time.Millisecond
)

// pauses are what a call waits between two tries while a key is in flight in
// another instance: longer each time, and jittered, so that instances do not
// ask in step.
type pauses struct {
	next time.Duration
}

// wait pauses. It reports false, possibly early, when ctx's deadline leaves no
// time for another try.
func (p *pauses) wait(ctx context.Context) bool {
	pause := p.pause()
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		if left < 2*shortestPause {
			return false
		}
		pause = min(pause, left/2)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pause returns the next pause, between half and one and a half of its nominal length.
func (p *pauses) pause() time.Duration {
	nominal := max(p.next, shortestPause)
	p.next = min(2*nominal, longestPause)
	return nominal/2 + rand.N(nominal) //nolint:gosec // no secret
}
