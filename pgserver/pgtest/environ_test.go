package pgtest_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// A parallel test whose runs are parallel too, as those of the protocol are.
func TestEachInParallel(t *testing.T) {
	t.Parallel()
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		t.Parallel()
		pgtest.PoolOn(t, server, "CREATE TABLE things (n int)")
		for range 2 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				pgtest.PoolOn(t, server, "CREATE TABLE things (n int)")
			})
		}
	})
}

// TestEnvironments runs the test above in a process of its own with each combination
// of the variables that pgtest reads: what a newcomer has, what CI has, and what lies
// between.
func TestEnvironments(t *testing.T) {
	server := pgtest.Own(t, pgserver.Options{})
	demands := map[string][]string{
		"":                               {"postgres"},
		server.Major():                   {"postgres" + server.Major()},
		strings.Join(twoOf(server), ","): subtests(twoOf(server)),
	}
	for demanded, runs := range demands {
		for _, address := range []string{"", server.URL()} {
			for _, require := range []string{"", "1"} {
				name := fmt.Sprintf("versions=%s,attach=%t,require=%s", demanded, address != "", require)
				t.Run(name, func(t *testing.T) {
					got := runsOf(t, "IDEMGEN_POSTGRES="+demanded, "TEST_DATABASE_URL="+address, "IDEMGEN_REQUIRE="+require)
					if diff := cmp.Diff(runs, got); diff != "" {
						t.Errorf("runs of TestEachInParallel: -want +got\n%s", diff)
					}
				})
			}
		}
	}
}

// twoOf returns two versions to demand: those that this process is to test on, or
// else the one that is there, twice.
func twoOf(server *pgserver.Server) []string {
	demanded := strings.Split(os.Getenv("IDEMGEN_POSTGRES"), ",")
	if len(demanded) >= 2 {
		return demanded[:2]
	}
	return []string{server.Major(), server.Major()}
}

// subtests names the runs on two versions, as package testing makes names unique.
func subtests(versions []string) []string {
	if versions[0] == versions[1] {
		return []string{"postgres" + versions[0], "postgres" + versions[1] + "#01"}
	}
	return []string{"postgres" + versions[0], "postgres" + versions[1]}
}

var run = regexp.MustCompile(`(?m)^ *--- PASS: TestEachInParallel/([^/ ]+) `)

// runsOf runs TestEachInParallel in a process with the given variables and
// returns the names of its runs that passed.
func runsOf(t *testing.T, variables ...string) []string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestEachInParallel$", "-test.v")
	cmd.Env = append(os.Environ(), variables...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var names []string
	for _, match := range run.FindAllSubmatch(out, -1) {
		names = append(names, string(match[1]))
	}
	slices.Sort(names)
	return names
}
