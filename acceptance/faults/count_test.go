package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
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
	c.print(&b, faultsFired)
	for _, k := range kinds {
		c.print(&b, k.String())
		missed := c.unstruck(k)
		fmt.Fprintf(&b, "\n\tat %d of %d points", len(k.points())-len(missed), len(k.points()))
		if len(missed) > 0 {
			fmt.Fprintf(&b, ", all but %v", missed)
		}
	}
	for _, group := range []string{faultsMissed, callsAnswered, others} {
		c.print(&b, group)
	}
	return b.String()
}

// print prints one group. The caller has mu.
func (c *counts) print(b *strings.Builder, group string) {
	sum := 0
	for _, n := range c.groups[group] {
		sum += n
	}
	fmt.Fprintf(b, "\n%s: %d", group, sum)
	for _, name := range slices.Sorted(maps.Keys(c.groups[group])) {
		fmt.Fprintf(b, "\n\t%6d %s", c.groups[group][name], name)
	}
}

// unstruck are the points of a kind that no fault has struck. The caller has mu.
func (c *counts) unstruck(k kind) []pgproxy.Point {
	return slices.DeleteFunc(k.points(), func(p pgproxy.Point) bool { return c.groups[k.String()][p.String()] > 0 })
}
