// Command fingerprint measures generated fingerprint functions beside the ways of
// hashing a request that need no generated code, all in one process and in turns, and
// prints medians and ratios as a table in Markdown.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 9, "how often each is measured; the median is printed")
	each := flag.Duration("each", 100*time.Millisecond, "how long a measurement takes")
	testing.Init() // its flags say how long a benchmark runs
	flag.Parse()
	if err := run(os.Stdout, *rounds, *each); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, rounds int, each time.Duration) error {
	if err := flag.Set("test.benchtime", each.String()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s/%s, %d CPUs, median of %d rounds.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), rounds)
	fmt.Fprintln(out, "| body | way | ns/op | × raw | allocs/op | B/op |")
	fmt.Fprintln(out, "| --- | --- | --: | --: | --: | --: |")
	for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
		order, err := newOrder(size)
		if err != nil {
			return err
		}
		ways := order.ways()
		for _, way := range ways {
			if err := way.hash(); err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
		}
		for i, m := range measure(ways, rounds) {
			fmt.Fprintf(out, "| %s | %s | %d | %.2f | %d | %d |\n", sizeText(size), ways[i].name, m.time, m.ratio, m.allocs, m.bytes)
		}
	}
	return nil
}

func sizeText(size int) string {
	if size >= 1<<20 {
		return fmt.Sprintf("%d MB", size>>20)
	}
	return fmt.Sprintf("%d KB", size>>10)
}

// measured is the median of what was measured of one way.
type measured struct {
	time          int64   // nanoseconds
	ratio         float64 // to the first way, in the same round
	allocs, bytes int64
}

// measure measures all ways in turns, so that what else the machine does befalls
// them alike.
func measure(ways []way, rounds int) []measured {
	times, ratios := make([][]int64, len(ways)), make([][]float64, len(ways))
	medians := make([]measured, len(ways))
	for range rounds {
		var first int64
		for i, way := range ways {
			result := testing.Benchmark(way.benchmark)
			if i == 0 {
				first = result.NsPerOp()
			}
			times[i] = append(times[i], result.NsPerOp())
			ratios[i] = append(ratios[i], float64(result.NsPerOp())/float64(first))
			medians[i].allocs, medians[i].bytes = result.AllocsPerOp(), result.AllocedBytesPerOp()
		}
	}
	for i := range medians {
		medians[i].time, medians[i].ratio = median(times[i]), median(ratios[i])
	}
	return medians
}

func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}
