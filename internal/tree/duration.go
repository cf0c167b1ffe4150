package tree

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// parseDuration reads a duration such as 72h, 30s or 1h30m.
func parseDuration(text string) (d time.Duration, message, remedy string) {
	switch d, err := time.ParseDuration(text); {
	case err == nil && d >= 0 && durationText.MatchString(text):
		return d, "", ""
	case strings.HasPrefix(text, "-"):
		return 0, strconv.Quote(text) + " is negative", "write a duration such as 72h or 30s"
	case allDigits.MatchString(text):
		return 0, strconv.Quote(text) + " has no unit", "write " + text + "s for seconds, or use m or h"
	case longUnits.MatchString(text):
		return 0, strconv.Quote(text) + " is not a duration: days and longer differ in length", "write hours, such as 72h"
	case durationText.MatchString(text):
		return 0, strconv.Quote(text) + " is too long", fmt.Sprintf("write at most %dh", int64(math.MaxInt64/time.Hour))
	}
	return 0, strconv.Quote(text) + " is not a duration", "write a number with h, m, s or ms, such as 72h, 30s or 1h30m"
}

var (
	durationText = regexp.MustCompile(`^(?:[0-9]+(?:\.[0-9]+)?(?:h|m|s|ms))+$`)
	allDigits    = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)?$`)
	longUnits    = regexp.MustCompile(`^[0-9]+(?:\.[0-9]+)? ?(?:d|w|y|days?|weeks?|months?|years?)$`)
)
