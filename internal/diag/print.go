package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadFile returns the content of the file of a position.
type ReadFile func(name string) ([]byte, error)

// Print writes the diagnostics to w, one per line: errors first, then warnings, each
// in the order of the list. If read is not nil and the file can be read, the line of
// the file and an arrow follow:
//
//	api.yaml:9:7: unknown key "scpoe" in x-idempotent; did you mean "scope"?
//	    9 |       scpoe: account
//	      |       ^
//
// Diagnostics of one group, and warnings that differ only in position, are printed as
// the first of them and a list of the others. If there is more than one diagnostic,
// the last line counts them.
func Print(w io.Writer, list List, read ReadFile) error {
	var out strings.Builder
	p := printer{out: &out, read: read, files: map[string][]string{}}
	for _, severity := range []Severity{Error, Warning} {
		for _, folded := range fold(list, severity) {
			p.print(folded)
		}
	}
	if len(list) > 1 {
		out.WriteString(list.Count() + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// printer prints diagnostics with excerpts of the files that they point at.
type printer struct {
	out   *strings.Builder
	read  ReadFile
	files map[string][]string // lines of the files that were read
}

// print prints the first of several grouped diagnostics, and a summary of the others.
func (p *printer) print(folded List) {
	first, others := folded[0], folded[1:]
	p.out.WriteString(first.String() + "\n")
	p.out.WriteString(p.excerpt(first.Pos))
	p.out.WriteString(summary(first, others))
}

// excerpt returns the line of a position and an arrow, or "" if the file cannot be
// read or has no such line.
func (p *printer) excerpt(pos Position) string {
	if p.read == nil || !pos.Valid() {
		return ""
	}
	lines, ok := p.files[pos.File]
	if !ok {
		if data, err := p.read(pos.File); err == nil {
			lines = splitLines(data)
		}
		p.files[pos.File] = lines
	}
	if pos.Line > len(lines) {
		return ""
	}
	return excerpt(lines[pos.Line-1], pos)
}

// excerpt returns a line and an arrow at its column. Very long lines, and columns
// outside the line, have no excerpt.
func excerpt(line string, pos Position) string {
	const longest = 160
	if !utf8.ValidString(line) || utf8.RuneCountInString(line) > longest || pos.Column > utf8.RuneCountInString(line)+1 {
		return ""
	}
	number := fmt.Sprintf("%5d", pos.Line)
	arrow := strings.Repeat(" ", pos.Column-1) + "^"
	return number + " | " + strings.Map(printable, line) + "\n" +
		strings.Repeat(" ", len(number)) + " | " + arrow + "\n"
}

// printable keeps the arrow in its column, and keeps control characters of the file
// out of the terminal.
func printable(r rune) rune {
	if r < ' ' || (r >= 0x7f && r <= 0x9f) {
		return ' '
	}
	return r
}

func splitLines(data []byte) []string {
	s := strings.ReplaceAll(string(data), "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(s, "\r", "\n"), "\n")
}
