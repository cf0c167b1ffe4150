package model_test

import (
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

func TestSpan(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"72h":     72 * time.Hour,
		"1h30m":   90 * time.Minute,
		"1h0m5s":  time.Hour + 5*time.Second,
		"10m":     10 * time.Minute,
		"1m30s":   90 * time.Second,
		"3s":      3 * time.Second,
		"2.5s":    2500 * time.Millisecond,
		"500ms":   500 * time.Millisecond,
		"100h10m": 100*time.Hour + 10*time.Minute,
	} {
		if got := model.Span(d); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
