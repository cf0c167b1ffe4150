package pgtest

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/idemgen/idemgen/pgserver"
)

// AttachOrStart is attachOrStart for tests from outside.
func AttachOrStart(t *testing.T, version string) *pgserver.Server {
	t.Helper()
	server, err := attachOrStart(version)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func TestNoServer(t *testing.T) {
	notFound := fmt.Errorf("nothing: %w", pgserver.ErrNotFound)
	tests := []struct {
		name    string
		version string
		require string
		err     error
		want    string
	}{
		{"nothing there", "", "", notFound, "skip"},
		{"nothing there, but required", "", "1", notFound, "fail"},
		{"a demanded version is missing", "18", "", notFound, "fail"},
		{"it does not start", "", "", errors.New("disk full"), "fail"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("IDEMGEN_REQUIRE", tt.require)
			outcome := &outcome{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				missing(outcome, tt.version, tt.err)
			}()
			<-done
			if outcome.is != tt.want {
				t.Errorf("the test would %q, want %q", outcome.is, tt.want)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	t.Setenv("IDEMGEN_POSTGRES", " 15, 18 ")
	if got := fmt.Sprint(versions()); got != "[15 18]" {
		t.Errorf("got %s", got)
	}
}

// outcome records how a test ends instead of ending it.
type outcome struct {
	testing.TB
	is string
}

func (o *outcome) Helper() {}

func (o *outcome) Fatalf(string, ...any) {
	o.is = "fail"
	runtime.Goexit()
}

func (o *outcome) Skipf(string, ...any) {
	o.is = "skip"
	runtime.Goexit()
}
