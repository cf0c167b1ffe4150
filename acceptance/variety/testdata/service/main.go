// Command variety serves the API of api.yaml.
//
//	variety -database-url postgres://…
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

	"github.com/jackc/pgx/v5/pgxpool"

	server "example.com/variety/idem"
	"github.com/idemgen/idemgen/idem"
)

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *databaseURL); err != nil {
		slog.Error("variety failed", "error", err)
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

	guard, err := idem.New(pool, idem.WithMaxResponse(maxResponse))
	if err != nil {
		return err
	}
	s := &http.Server{Handler: handler(guard), ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return s.Shutdown(context.WithoutCancel(ctx))
	}
}

func handler(guard *idem.Guard) http.Handler {
	b := &business{}
	strict := server.NewStrictHandlerWithOptions(server.NewIdempotentServer(guard, b, b), nil, server.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  badRequest,
		ResponseErrorHandlerFunc: failed,
	})
	return server.HandlerWithOptions(strict, server.StdHTTPServerOptions{
		ErrorHandlerFunc: server.IdempotencyErrorHandler(guard, "", badRequest),
		Middlewares:      []server.MiddlewareFunc{server.IdempotencyBodyLimit(guard, "")},
	})
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Info("bad request", "error", err)
	http.Error(w, "bad request", http.StatusBadRequest)
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("operation failed", "error", err)
	http.Error(w, "something went wrong", http.StatusInternalServerError)
}
