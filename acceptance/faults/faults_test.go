package faults

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/idemgen/idemgen/acceptance/faults/history"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// few is how many faults a run has unless IDEMGEN_FAULTS says otherwise.
const few = 300

// seed returns the seed of the run and prints it.
func seed(t *testing.T) uint64 {
	t.Helper()
	s := *seedFlag
	for s == 0 {
		s = rand.Uint64()
	}
	t.Logf("-seed %d", s)
	return s
}

func wanted(t *testing.T) int {
	t.Helper()
	text := os.Getenv("IDEMGEN_FAULTS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("IDEMGEN_FAULTS is %q, want a number of faults", text)
	}
	return n
}

// The generated protocol keeps its promise whatever breaks.
func TestFaults(t *testing.T) {
	c := campaign{kinds: kinds, counts: newCounts(), logf: t.Logf}
	for _, server := range pgtest.OwnEach(t, pgserver.Options{}) {
		t.Logf("on %s", server)
		c.drivers = append(c.drivers, newDriver(t, server, generated, c.counts))
	}
	err := c.run(t.Context(), seed(t), wanted(t))
	t.Logf("%d faults wanted\n%s", wanted(t), c.counts)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.drivers {
		d.checkAll(t)
	}
	c.checkStruck(t)
}

// The checks can fail: each defect is found, and a protocol without one is not
// accused, whichever operation it is under.
func TestTheDriverFindsDefects(t *testing.T) {
	server := pgtest.Own(t, pgserver.Options{})
	for _, test := range []struct {
		protocol string
		faults   int                  // at which nothing was found, or by which the defect must be
		broken   func(err error) bool // whether it was; nil if there is none
	}{
		{"correct", 100, nil},
		{"claim-committed-early", 200, either(neither, breaks(history.Order))},
		{"recorded-after-commit", 200, neither},
		{"failure-assumed", 300, breaks(history.Order)},
		{"key-freed", 300, breaks(history.SameAnswer, history.OneRow, history.Order)},
	} {
		for _, k := range kinds {
			t.Run(test.protocol+"/"+k.operation, func(t *testing.T) {
				c := campaign{kinds: []kind{k}, counts: newCounts(), logf: t.Logf}
				c.drivers = []*driver{newDriver(t, server, test.protocol, c.counts)}
				err := c.run(t.Context(), seed(t), test.faults)
				switch {
				case test.broken == nil && err != nil:
					t.Errorf("nothing is wrong with it, and yet: %v", err)
				case test.broken != nil && err == nil:
					t.Errorf("%d faults have not shown the defect\n%s", test.faults, c.counts)
				case test.broken != nil && !test.broken(err):
					t.Errorf("what was found is something else: %v", err)
				case err != nil:
					t.Logf("found by %d faults: %.600s", c.counts.sum(faultsFired), err)
				}
			})
		}
	}
}

func neither(err error) bool { return errors.Is(err, errNeither) }

func either(a, b func(error) bool) func(error) bool {
	return func(err error) bool { return a(err) || b(err) }
}

func breaks(rules ...history.Rule) func(error) bool {
	return func(err error) bool {
		violation, ok := errors.AsType[*history.ViolationError](err)
		return ok && slices.Contains(rules, violation.Rule)
	}
}
