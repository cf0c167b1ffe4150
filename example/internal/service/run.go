package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/idem"
)

// grace is how long requests may still take once the service is to end.
const grace = 10 * time.Second

// Run serves the API on listener, and sweeps expired keys, until ctx is over.
// Requests that have begun are answered before it returns. It closes listener.
func Run(ctx context.Context, pool *pgxpool.Pool, listener net.Listener, logger *slog.Logger) error {
	handler, err := NewHandler(ctx, pool, logger)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	sweeper, err := idem.NewSweeper(pool, orderapi.IdempotencyTables(), idem.WithLogger(logger))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	ctx, stop := context.WithCancel(ctx)
	var sweeping sync.WaitGroup
	sweeping.Go(func() { sweeper.Run(ctx) })
	defer sweeping.Wait()
	defer stop()
	return serve(ctx, listener, handler, logger)
}

// serve serves until ctx is over and then lets requests finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, logger *slog.Logger) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	logger.Info("shutting down")
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return fmt.Errorf("shut down: %w", errors.Join(err, server.Close()))
	}
	return nil
}
