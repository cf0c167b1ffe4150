// Command corpus serves those operations of other people's APIs that are idempotent,
// each API under its name.
//
//	corpus -database-url postgres://…
//
// It prints its address once it serves, and ends with SIGTERM.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
)

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *databaseURL); err != nil {
		slog.Error("corpus failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, databaseURL string) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	guard, err := idem.New(pool)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	for _, api := range []interface {
		register(*http.ServeMux, *idem.Guard)
	}{adyen{}, bankfeeds{}, ledger{}, paygate{}, payouts{}, projects{}, vault{}, verify{}} {
		api.register(mux, guard)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())

	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

// tenant is who calls.
var tenant = pgtype.UUID{Bytes: [16]byte{1}, Valid: true}

// executed is the answer of every operation: which execution it was.
type executed struct{ id int64 }

// execute is the business side of every operation.
func execute(ctx context.Context, tx pgx.Tx, operation string, tenant pgtype.UUID) (executed, error) {
	var e executed
	err := tx.QueryRow(ctx, "INSERT INTO executions (operation, tenant) VALUES ($1, $2) RETURNING id", operation, tenant).Scan(&e.id)
	return e, err
}

func (e executed) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	return json.NewEncoder(w).Encode(map[string]int64{"execution": e.id})
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Info("bad request", "error", err)
	http.Error(w, err.Error(), http.StatusBadRequest)
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("operation failed", "error", err)
	http.Error(w, "something went wrong", http.StatusInternalServerError)
}
