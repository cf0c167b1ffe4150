package diag

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// List collects diagnostics. The zero value is an empty list, ready for use. A
// List that has errors is itself an error; use [List.Err] to get it as one, so
// that a list of warnings does not look like a failure.
type List []Diagnostic //nolint:errname // it is a list first

// Errorf adds an error. The remedy is used as it is, not as a format.
func (l *List) Errorf(pos Position, remedy, format string, args ...any) {
	*l = append(*l, Errorf(pos, remedy, format, args...))
}

// Warnf adds a warning. The remedy is used as it is, not as a format.
func (l *List) Warnf(pos Position, remedy, format string, args ...any) {
	*l = append(*l, Warnf(pos, remedy, format, args...))
}

// Add adds diagnostics.
func (l *List) Add(diagnostics ...Diagnostic) { *l = append(*l, diagnostics...) }

// HasErrors reports whether the list holds anything but warnings.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Count says how many errors and warnings there are: "1 error, 2 warnings".
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

// Sort orders the list by file, line, column and message, and drops repetitions.
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

// Err returns the list, warnings included and sorted, or nil when it holds no
// error. The result is found by errors.As with a *List.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	sorted := slices.Clone(l)
	sorted.Sort()
	return sorted
}

// Error returns the diagnostics, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}
