package diag

import (
	"fmt"
	"slices"
	"strings"
)

// Nearest returns the candidate closest to name, or false if none is close. Letter
// case is ignored, and so is the order of the candidates, except between equally close
// ones.
func Nearest(name string, candidates []string) (string, bool) {
	if name == "" {
		return "", false
	}
	limit := max(1, len([]rune(name))/3)
	best, found := "", false
	for _, c := range candidates {
		if d := Distance(name, c); c != "" && d <= limit {
			best, found, limit = c, true, d-1
		}
	}
	return best, found
}

// DidYouMean returns the remedy for an unknown name: the closest known name, or the
// list of all if none is close and the list is short, or "".
func DidYouMean(name string, candidates []string) string {
	const few = 20
	if near, ok := Nearest(name, candidates); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch {
	case len(candidates) == 0 || len(candidates) > few:
		return ""
	case len(candidates) == 1:
		return fmt.Sprintf("the only name known here is %q", candidates[0])
	}
	sorted := slices.Sorted(slices.Values(candidates))
	return "use one of: " + strings.Join(sorted, ", ")
}

// Distance is the number of letters to insert, remove, replace or swap with their
// neighbour to get from a to b, ignoring case.
func Distance(a, b string) int {
	const longest = 256 // the time is quadratic, and longer names are not misspellings
	if len(a) > longest || len(b) > longest {
		return max(len(a), len(b))
	}
	return distance([]rune(strings.ToLower(a)), []rune(strings.ToLower(b)))
}

func distance(s, t []rune) int {
	var before []int
	last, row := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, make([]int, len(t)+1)
	}
	return last[len(t)]
}
