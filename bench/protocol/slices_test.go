package main

import (
	"context"
	"testing"
	"time"
)

func TestRatiosAreTakenRoundByRound(t *testing.T) {
	got := ratios([]float64{1, 20, 300}, []float64{2, 20, 200})
	if want := (spread{min: 0.5, median: 1, max: 1.5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPercentile(t *testing.T) {
	latency := []time.Duration{5, 1, 4, 2, 3}
	if got := percentile(latency, 0.5); got != 3 {
		t.Errorf("median: got %d", got)
	}
	if got := percentile(latency, 0.99); got != 5 {
		t.Errorf("p99: got %d", got)
	}
	if got := percentile(nil, 0.5); got != 0 {
		t.Errorf("of nothing: got %d", got)
	}
}

func TestInterleaveTurns(t *testing.T) {
	all := []contender{{name: "a"}, {name: "b"}, {name: "c"}}
	var got string
	err := interleave(t.Context(), all, 3, func(_ context.Context, c contender) error {
		got += c.name
		return nil
	})
	if err != nil || got != "abcbcacab" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestTable(t *testing.T) {
	tab := table{head: []string{"a", "b"}}
	tab.row("1", "2")
	if got, want := tab.String(), "| a | b |\n| --- | --- |\n| 1 | 2 |\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}
