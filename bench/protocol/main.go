// Command protocol measures the idempotency protocol beside what people use
// instead, on a throwaway PostgreSQL, and prints tables in Markdown.
//
//	go run ./protocol [-rounds 5] [-slice 400ms] [-records 10000000]
//
// Contenders take turns in short slices of time, so that whatever else the
// machine does meets all of them. Ratios are taken round by round; the tables
// show their median, minimum and maximum.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/idemgen/idemgen/pgserver"
)

// benchmark is one run.
type benchmark struct {
	out       io.Writer
	server    *pgserver.Server
	rounds    int
	slice     time.Duration
	callers   []int
	databases int
}

func main() {
	b := &benchmark{out: os.Stdout, callers: []int{1, 8, 32}}
	flag.IntVar(&b.rounds, "rounds", 5, "slices of each contender in each cell")
	flag.DurationVar(&b.slice, "slice", 400*time.Millisecond, "length of a slice")
	records := flag.Int64("records", 0, "keys in the table beforehand, to compare with an empty one")
	version := flag.String("postgres", "18", "PostgreSQL's major version")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := b.run(ctx, *version, *records)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "protocol:", err)
		os.Exit(1)
	}
}

// parameters are those of a server that keeps what it is told, and does nothing
// else at the time.
func parameters() map[string]string {
	return map[string]string{
		"fsync":              "on",
		"shared_buffers":     "4GB",
		"max_wal_size":       "32GB",
		"checkpoint_timeout": "1h",
		"max_connections":    "400",
	}
}

func (b *benchmark) run(ctx context.Context, version string, records int64) (err error) {
	b.server, err = pgserver.Start(ctx, pgserver.Options{Version: version, Parameters: parameters()})
	if err != nil {
		return err
	}
	defer func() {
		if stopErr := b.server.Stop(); err == nil {
			err = stopErr
		}
	}()
	fmt.Fprintf(b.out, "%d CPUs, %s, PostgreSQL %s with fsync, client and server on one machine; %d rounds of %v.\n\n",
		runtime.NumCPU(), runtime.Version(), b.server.Version(), b.rounds, b.slice)
	return b.measure(ctx, records)
}

func (b *benchmark) measure(ctx context.Context, records int64) error {
	for _, delay := range []time.Duration{0, time.Millisecond} {
		t, err := b.throughput(ctx, delay)
		if err != nil {
			return err
		}
		b.heading("%s (SELECT 1 takes %d µs)", place{delay: delay}.network(), t.roundTrip.Microseconds())
		b.printFirst(t)
		b.printAgain("replay", t.replay, t.replay)
		b.printAgain("mismatch", t.mismatch, t.replay)
		if delay == 0 {
			b.printShares(t, fingerprintCost())
		}
	}
	b.heading("A storm of duplicates, a business function of %v, a pool of %d", stormPause, stormPool)
	for _, duplicates := range []int{20, 32} {
		seen, err := b.storms(ctx, duplicates)
		if err != nil {
			return err
		}
		b.printStorm(seen, duplicates)
	}
	b.heading("What a request takes and leaves behind")
	if err := b.cpu(ctx); err != nil {
		return err
	}
	if err := b.counts(ctx); err != nil {
		return err
	}
	if err := b.space(ctx); err != nil {
		return err
	}
	if err := b.sweeping(ctx); err != nil {
		return err
	}
	if records > 0 {
		return b.history(ctx, records)
	}
	return nil
}
