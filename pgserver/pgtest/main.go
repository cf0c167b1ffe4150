package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/pgserver"
)

// servers are the process's servers by demanded version; "" is any.
//
//nolint:gochecknoglobals // one server for each test process; only TestMain knows when the process ends
var servers struct {
	mu      sync.Mutex
	running bool // Main's tests run, so somebody will stop what is started
	started map[string]func() (*pgserver.Server, error)
}

// Tests are a package's tests together with the servers they use.
type Tests struct{ tests interface{ Run() int } }

// Main wraps the tests of m.
func Main(m *testing.M) Tests { return Tests{tests: m} }

// Run runs the tests, stops the servers that they started and returns the
// exit code.
func (m Tests) Run() int {
	servers.mu.Lock()
	servers.running = true
	servers.started = make(map[string]func() (*pgserver.Server, error))
	servers.mu.Unlock()

	code := m.tests.Run()

	servers.mu.Lock()
	defer servers.mu.Unlock()
	servers.running = false
	for _, get := range servers.started {
		server, err := get()
		if err != nil {
			continue
		}
		if err := server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "pgtest:", err)
			code = max(code, 1)
		}
	}
	return code
}

// shared returns the process's server of a version and starts it for the
// first test that asks.
func shared(t testing.TB, version string) *pgserver.Server {
	t.Helper()
	servers.mu.Lock()
	if !servers.running {
		servers.mu.Unlock()
		t.Fatal("TestMain must run its tests by pgtest.Main, which stops the PostgreSQL servers")
	}
	get, ok := servers.started[version]
	if !ok {
		get = sync.OnceValues(func() (*pgserver.Server, error) { return attachOrStart(version) })
		servers.started[version] = get
	}
	servers.mu.Unlock()
	server, err := get()
	if err != nil {
		missing(t, version, err)
	}
	return server
}

// attachOrStart takes the server that TEST_DATABASE_URL names if it has the
// version, and else starts one.
func attachOrStart(version string) (*pgserver.Server, error) {
	if address := os.Getenv("TEST_DATABASE_URL"); address != "" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		server, err := pgserver.Attach(ctx, address)
		if err != nil {
			return nil, fmt.Errorf("TEST_DATABASE_URL: %w", err)
		}
		if version == "" || server.Major() == version {
			return server, nil
		}
	}
	return start(pgserver.Options{Version: version})
}

func start(options pgserver.Options) (*pgserver.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return pgserver.Start(ctx, options)
}
