package idem_test

import (
	"context"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
)

// A service makes one guard for its pool and gives it to the generated
// NewIdempotentServer.
func ExampleNew() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	guard := idem.New(pool,
		idem.WithLogger(slog.Default()),
		idem.WithLogKey([]byte(os.Getenv("LOG_KEY"))),
	)
	_ = guard
}

// A service sweeps until it shuts down. The tables are the generated
// IdempotencyTables().
func ExampleSweeper_Run() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Print(err)
		return
	}
	defer pool.Close()
	var tables []idem.Table
	sweeper, err := idem.NewSweeper(pool, tables, idem.SweeperOptions{Retention: 90 * 24 * time.Hour})
	if err != nil {
		log.Print(err)
		return
	}
	sweeper.Run(ctx)
}
