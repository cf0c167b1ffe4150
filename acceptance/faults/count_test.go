package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// counts are what a run counts, by group and name.
type counts struct {
	mu     sync.Mutex
	groups map[string]map[string]int
	began  time.Time
}

func newCounts() *counts {
	return &counts{groups: map[string]map[string]int{}, began: time.Now()}
}

const (
	faultsFired   = "faults"
	faultsAt      = "at"
	faultsMissed  = "armed, and the point was not reached"
	callsAnswered = "calls"
	others        = "totals"
)

func (c *counts) add(group, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.groups[group] == nil {
		c.groups[group] = map[string]int{}
	}
	c.groups[group][name]++
}

// sum is the number of all in a group.
func (c *counts) sum(group string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.groups[group] {
		n += m
	}
	return n
}

// String is the report at the end of a run.
func (c *counts) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "in %s", time.Since(c.began).Round(time.Second))
	for _, group := range []string{faultsFired, faultsAt, faultsMissed, callsAnswered, others} {
		sum := 0
		for _, n := range c.groups[group] {
			sum += n
		}
		if group == others {
			fmt.Fprintf(&b, "\n%s", group)
		} else {
			fmt.Fprintf(&b, "\n%s: %d", group, sum)
		}
		for _, name := range slices.Sorted(maps.Keys(c.groups[group])) {
			fmt.Fprintf(&b, "\n\t%6d %s", c.groups[group][name], name)
		}
	}
	return b.String()
}
