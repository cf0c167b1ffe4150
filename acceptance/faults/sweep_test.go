package faults

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// turn leaves the sweepers no day, so that they make them while clients ask.
func (d *driver) turn() error {
	return d.ask(func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, "SELECT turn()")
		return err
	})
}

// age gives the sweepers something to empty, rotate and purge, again and again until
// ctx is over.
func (d *driver) age(ctx context.Context) {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		var aged bool
		err := d.ask(func(ctx context.Context, conn *pgxpool.Conn) error {
			return conn.QueryRow(ctx, "SELECT age()").Scan(&aged)
		})
		if err != nil {
			d.fail(err)
			return
		}
		if aged {
			d.counts.add(others, "times that the sweepers were given something to empty, rotate and purge")
		}
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		}
	}
}

// awaitSwept returns once the sweepers have done all that there is to do.
func (d *driver) awaitSwept(ctx context.Context) error {
	return d.awaitNone(ctx, "things that no sweeper does", "SELECT records + partitions + keys + days FROM unswept")
}
