package idem_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
)

// A service makes one guard for its pool and gives it to the generated
// NewIdempotentServer. A pool connects when it is first used.
func ExampleNew() {
	pool, err := pgxpool.New(context.Background(), "postgres://shop@localhost/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	guard, err := idem.New(pool,
		idem.WithLogger(slog.New(slog.DiscardHandler)),
		idem.WithMaxWaiters(64),
		idem.WithFinishTimeout(5*time.Second),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(guard != nil)
	// Output: true
}

// An option with a value that is not valid is reported when the guard is made.
func ExampleNew_mistake() {
	pool, err := pgxpool.New(context.Background(), "postgres://shop@localhost/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	_, err = idem.New(pool, idem.WithMaxWaiters(-1))
	fmt.Println(err)
	// Output: idem: WithMaxWaiters: -1 is negative; 0 lets no duplicate wait
}

// A service sweeps until it shuts down. The tables are those of the generated
// IdempotencyTables(); here there are none.
func ExampleSweeper_Run() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	pool, err := pgxpool.New(ctx, "postgres://shop@localhost/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	var tables []idem.Table
	sweeper, err := idem.NewSweeper(pool, tables,
		idem.WithRetention(90*24*time.Hour),
		idem.WithInterval(10*time.Minute),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		sweeper.Run(ctx)
	}()
	stop() // as an interrupt does
	<-done
	fmt.Println("stopped")
	// Output: stopped
}

// An option with a value that is not valid is reported when the sweeper is made.
func ExampleNewSweeper() {
	pool, err := pgxpool.New(context.Background(), "postgres://shop@localhost/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	_, err = idem.NewSweeper(pool, nil, idem.WithRetention(-time.Hour))
	fmt.Println(err)
	// Output: idem: WithRetention: -1h0m0s is not more than 0; leave the option out for the default
}

// A business function leaves its transaction to the guard.
func ExampleErrTxOwned() {
	business := func(ctx context.Context, tx pgx.Tx) error {
		if err := tx.Commit(ctx); errors.Is(err, idem.ErrTxOwned) {
			return fmt.Errorf("do not commit: %w", err)
		}
		return nil
	}
	fmt.Println(business(context.Background(), ownedTx{}))
	// Output: do not commit: idem: the guard ends this transaction: return a response or an error instead
}

// ownedTx ends as the tx of a business function does.
type ownedTx struct{ pgx.Tx }

func (ownedTx) Commit(context.Context) error { return idem.ErrTxOwned }
