package idemrt

import (
	"errors"
	"fmt"
)

// statusSet is a set of statuses, as ranges.
type statusSet []statusRange

type statusRange struct{ first, last int }

// newStatusSet reads patterns: a status such as "201", or a class such as "2XX".
func newStatusSet(patterns []string) (statusSet, error) {
	if len(patterns) == 0 {
		return nil, errors.New("no status is final")
	}
	set := make(statusSet, len(patterns))
	for i, p := range patterns {
		if len(p) != 3 || p[0] < '1' || p[0] > '5' {
			return nil, badPattern(p)
		}
		class := 100 * int(p[0]-'0')
		switch {
		case p[1:] == "XX":
			set[i] = statusRange{class, class + 99}
		case isDigit(p[1]) && isDigit(p[2]):
			status := class + 10*int(p[1]-'0') + int(p[2]-'0')
			set[i] = statusRange{status, status}
		default:
			return nil, badPattern(p)
		}
	}
	return set, nil
}

func badPattern(p string) error {
	return fmt.Errorf("%q is neither a status such as 201 nor a class of them such as 2XX", p)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (s statusSet) has(status int) bool {
	for _, r := range s {
		if r.first <= status && status <= r.last {
			return true
		}
	}
	return false
}

// reaches reports whether a status of the set is at least status.
func (s statusSet) reaches(status int) bool {
	for _, r := range s {
		if r.last >= status {
			return true
		}
	}
	return false
}
