package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadFile returns the content of a file that a position names.
type ReadFile func(name string) ([]byte, error)

// Print writes the diagnostics to w in their order, each on a line of its own.
// With read not nil, the line of the file and an arrow follow where the file can
// be read:
//
//	api.yaml:9:7: unknown key "scpoe" in x-idempotent; did you mean "scope"?
//	    9 |       scpoe: account
//	      |       ^
func Print(w io.Writer, list List, read ReadFile) error {
	var out strings.Builder
	files := map[string][]string{}
	for _, d := range list {
		out.WriteString(d.String() + "\n")
		if read == nil || !d.Pos.Valid() {
			continue
		}
		lines, ok := files[d.Pos.File]
		if !ok {
			if data, err := read(d.Pos.File); err == nil {
				lines = splitLines(data)
			}
			files[d.Pos.File] = lines
		}
		if d.Pos.Line <= len(lines) {
			out.WriteString(excerpt(lines[d.Pos.Line-1], d.Pos))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// excerpt returns a line and an arrow at its column. Lines too long to read, and
// columns outside of the line, have no excerpt.
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

// printable keeps the arrow in its column, and control characters of a file out
// of the terminal.
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
