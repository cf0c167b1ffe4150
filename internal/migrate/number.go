package migrate

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// numbered matches the names of files of a folder of migrations: their number, and what
// stands between it and the rest of the name.
var numbered = regexp.MustCompile(`^([0-9]+)([^0-9A-Za-z.]*)`)

// first is what the first file of a folder begins with. Atlas takes files in the order of
// their names and numbers its own by time, in 14 digits.
var first = map[Style]string{Goose: "00001_", GolangMigrate: "000001_", Atlas: "00000000000001_", Plain: "0001_"}

// OrderError reports a folder in which the next file would not be the last by name.
type OrderError struct {
	Next string // how the next file's name would begin: "10_"
	Last string // a file whose name sorts behind it: "9_orders.sql"
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("the next migration would be numbered %s, and by name %s comes behind that", strings.TrimRight(e.Next, "_-"), e.Last)
}

// NextIn returns how the name of the next file begins in a folder with files of these
// names: with the highest number plus 1, in the width and with the separator of the file
// that has the highest.
//
// The error is an [OrderError]: sqlc reads files in the order of their names, and would
// read a change before the table that is changed.
func NextIn(names []string, style Style) (string, error) {
	highest, width, separator := uint64(0), 0, ""
	for _, name := range names {
		m := numbered.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		n, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil || n == math.MaxUint64 || width > 0 && n < highest {
			continue
		}
		highest, width, separator = n, len(m[1]), m[2]
	}
	if width == 0 {
		return first[style], nil
	}
	if separator == "" {
		separator = "_"
	}
	next := fmt.Sprintf("%0*d%s", width, highest+1, separator)
	last := ""
	for _, name := range names {
		if numbered.MatchString(name) {
			last = max(last, name)
		}
	}
	if last > next {
		return "", &OrderError{Next: next, Last: last}
	}
	return next, nil
}
