package service_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/service"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// TestRunLetsRequestsFinish ends the service while a request waits for a row
// that the test holds.
func TestRunLetsRequestsFinish(t *testing.T) {
	pool := samplePool(t, pgtest.Server(t))
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	blocker, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blocker.Exec(t.Context(), "SELECT FROM stock WHERE sku = 'cup' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := signalWriter{when: "shutting down", seen: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx, pool, listener, slog.New(slog.NewTextHandler(log, nil))) }()

	statuses := make(chan int, 1)
	go func() { statuses <- orderOneCup(t, "http://"+listener.Addr().String()) }()
	awaitBlocked(t, pool)
	stop()
	<-log.seen
	if err := blocker.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status := <-statuses; status != http.StatusCreated {
		t.Errorf("status %d, want 201", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
}

func orderOneCup(t *testing.T, base string) int {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/orders", strings.NewReader(oneCup))
	if err != nil {
		t.Error(err)
		return 0
	}
	r.Header = asAda("Idempotency-Key", "k")
	var client http.Client
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}

// awaitBlocked polls until a statement in the pool's database waits for a row.
func awaitBlocked(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for {
		var blocked bool
		const query = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
		if err := pool.QueryRow(t.Context(), query).Scan(&blocked); err != nil {
			t.Fatal(err)
		}
		if blocked {
			return
		}
	}
}

// A signalWriter closes seen when a certain text is first written.
type signalWriter struct {
	when string
	seen chan struct{}
}

func (w signalWriter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.when)) {
		close(w.seen)
	}
	return len(p), nil
}
