// Command transfers moves money, and is deployed in several versions.
//
//	transfers -database-url postgres://…
//
// It prints its address once it serves, and ends with SIGTERM.
package main

import (
	"context"
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
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/transfers/api"
	"github.com/idemgen/idemgen/idem"
)

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *databaseURL); err != nil {
		slog.Error("transfers failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, databaseURL string) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())

	guard, err := idem.New(pool)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: newHandler(guard, pool), ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

func newHandler(guard *idem.Guard, pool *pgxpool.Pool) http.Handler {
	strict := api.NewStrictHandlerWithOptions(
		api.NewIdempotentServer(guard, tenants{}, transfers{}), nil,
		api.StrictHTTPServerOptions{RequestErrorHandlerFunc: badRequest, ResponseErrorHandlerFunc: failed})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sweep", func(w http.ResponseWriter, r *http.Request) { sweep(w, r, pool) })
	return api.HandlerWithOptions(strict, api.StdHTTPServerOptions{
		BaseRouter:       mux,
		ErrorHandlerFunc: api.IdempotencyErrorHandler(guard, "", badRequest),
		Middlewares:      []api.MiddlewareFunc{api.IdempotencyBodyLimit(guard, "")},
	})
}

// sweep makes one pass over the key tables and answers with what it did.
func sweep(w http.ResponseWriter, r *http.Request, pool *pgxpool.Pool) {
	sweeper, err := idem.NewSweeper(pool, api.IdempotencyTables(), idem.WithRetention(100*time.Hour))
	if err != nil {
		failed(w, r, err)
		return
	}
	swept, err := sweeper.Sweep(r.Context())
	if err != nil {
		failed(w, r, err)
		return
	}
	fmt.Fprintf(w, "emptied %d, purged %d", swept.Emptied, swept.Purged)
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Info("bad request", "error", err)
	http.Error(w, "bad request", http.StatusBadRequest)
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("operation failed", "error", err)
	http.Error(w, "something went wrong", http.StatusInternalServerError)
}

// transfers is the business side.
type transfers struct{}

// CreateTransfer books a transfer.
func (transfers) CreateTransfer(ctx context.Context, tx pgx.Tx, _ api.TenantScope, request api.CreateTransferRequestObject) (api.CreateTransferResponseObject, error) {
	var id int64
	err := tx.QueryRow(ctx, "INSERT INTO transfers VALUES (nextval('executions'), $1) RETURNING transfer_id", request.Body.Amount).Scan(&id)
	if err != nil {
		return nil, err
	}
	return api.CreateTransfer201JSONResponse{Id: id}, nil
}
