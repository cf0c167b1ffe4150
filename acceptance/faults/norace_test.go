//go:build !race

package faults

func raceFlags() []string { return nil }
