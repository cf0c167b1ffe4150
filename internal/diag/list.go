package diag

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// List collects diagnostics. The zero value is an empty list. A List with errors is
// itself an error; use [List.Err] to get it as an error, so that a list of only
// warnings does not look like a failure.
type List []Diagnostic //nolint:errname // it is a list first

// Errorf adds an error. The remedy is not a format.
func (l *List) Errorf(pos Position, remedy, format string, args ...any) {
	*l = append(*l, Errorf(pos, remedy, format, args...))
}

// Warnf adds a warning. The remedy is not a format.
func (l *List) Warnf(pos Position, remedy, format string, args ...any) {
	*l = append(*l, Warnf(pos, remedy, format, args...))
}

// Add adds diagnostics.
func (l *List) Add(diagnostics ...Diagnostic) { *l = append(*l, diagnostics...) }

// HasErrors reports whether the list has an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count returns the number of errors and warnings: "1 error, 2 warnings".
func (l List) Count() string {
	count := map[Severity]int{}
	for _, d := range l {
		count[d.Severity]++
	}
	var parts []string
	for _, severity := range []Severity{Error, Warning} {
		switch n := count[severity]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severity.String())
		default:
			parts = append(parts, strconv.Itoa(n)+" "+severity.String()+"s")
		}
	}
	return strings.Join(parts, ", ")
}

// Sort orders the list by file, line, column and message, and removes duplicates.
func (l *List) Sort() {
	slices.SortStableFunc(*l, compare)
	*l = slices.Compact(*l)
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		a.Pos.Compare(b.Pos),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Remedy, b.Remedy),
	)
}

// Err returns the list, warnings included and sorted, or nil if it has no error. Use
// errors.As with a *List to get the list.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	sorted := slices.Clone(l)
	sorted.Sort()
	return sorted
}

// Error returns the diagnostics, one per line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}
