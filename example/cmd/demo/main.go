// Command demo starts the orders service on a throwaway PostgreSQL, plays the
// life of idempotency keys over HTTP and prints each request with its answer.
// It exits 1 if anything is not as told.
package main

import (
	"context"
	"errors"
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
	code := run(ctx, os.Stdout, os.Stderr, isTerminal(os.Stdout))
	stop()
	os.Exit(code)
}

// run plays the story and returns the exit code.
func run(ctx context.Context, stdout, stderr io.Writer, colour bool) int {
	t := &teller{out: stdout, colour: colour}
	if err := play(ctx, t, stderr); err != nil {
		fmt.Fprintln(stderr, "demo:", err)
		return 1
	}
	return t.end()
}

func play(ctx context.Context, t *teller, stderr io.Writer) (err error) {
	t.say("Starting a throwaway PostgreSQL and the orders service ...")
	server, err := pgserver.Start(ctx, pgserver.Options{Fetching: func(source string) {
		t.say("There is none on this machine; fetching one from %s ...", source)
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	pool, err := database.Open(ctx, server.URL())
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := sample.Fill(ctx, pool); err != nil {
		return err
	}
	return withService(ctx, pool, stderr, func(address string) error {
		t.say("%s; the service is at %s.", server, address)
		return newStory(t, pool, address).play(ctx)
	})
}

// withService runs the service on a free port for as long as use takes.
func withService(ctx context.Context, pool *pgxpool.Pool, stderr io.Writer, use func(address string) error) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	serviceCtx, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- service.Run(serviceCtx, pool, listener, logger) }()
	err = use("http://" + listener.Addr().String())
	stop()
	return errors.Join(err, <-served)
}
