//go:build race

package faults

// raceFlags make the service look for data races when the tests do.
func raceFlags() []string { return []string{"-race"} }
