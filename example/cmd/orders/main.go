// Command orders serves the shop's API.
//
//	orders [-listen 127.0.0.1:8080] [-database-url postgres://…]
//
// Without a database it starts a throwaway PostgreSQL and fills a sample shop.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/database"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/example/internal/service"
	"github.com/idemgen/idemgen/pgserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until ctx is over and returns the exit code: 0 fine, 1 trouble,
// 2 usage.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(stderr)
	listen := flags.String("listen", "127.0.0.1:8080", "address to serve on")
	databaseURL := flags.String("database-url", "", "PostgreSQL to use; empty starts a throwaway one with a sample shop")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "orders: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	if err := serve(ctx, *listen, *databaseURL, logger); err != nil {
		logger.Error("orders failed", "error", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, listen, databaseURL string, logger *slog.Logger) error {
	if databaseURL == "" {
		return serveSample(ctx, listen, logger)
	}
	pool, err := database.Open(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	return listenAndServe(ctx, listen, pool, logger)
}

// serveSample serves a sample shop from a throwaway database.
func serveSample(ctx context.Context, listen string, logger *slog.Logger) (err error) {
	server, err := pgserver.Start(ctx, pgserver.Options{Fetching: func(source string) {
		logger.Info("fetching PostgreSQL", "source", source)
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	logger.Info("started a throwaway database", "server", server.String())

	pool, err := database.Open(ctx, server.URL())
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := sample.Fill(ctx, pool); err != nil {
		return err
	}
	logger.Info("filled a sample shop", "token", sample.Token)
	return listenAndServe(ctx, listen, pool, logger)
}

func listenAndServe(ctx context.Context, listen string, pool *pgxpool.Pool, logger *slog.Logger) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	logger.Info("serving", "address", "http://"+listener.Addr().String())
	return service.Run(ctx, pool, listener, logger)
}
