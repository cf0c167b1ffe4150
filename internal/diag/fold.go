package diag

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// fold returns the diagnostics of one severity in groups that are printed together, in
// the order of the first of each group.
func fold(list List, severity Severity) []List {
	var folded []List
	index := map[[3]string]int{}
	for _, d := range list {
		if d.Severity != severity {
			continue
		}
		key, ok := foldKey(d)
		if at, seen := index[key]; ok && seen {
			folded[at] = append(folded[at], d)
			continue
		}
		if ok {
			index[key] = len(folded)
		}
		folded = append(folded, List{d})
	}
	return folded
}

// foldKey is equal for diagnostics that are printed together. Errors without a group
// are always printed separately: each of them must be fixed.
func foldKey(d Diagnostic) (key [3]string, ok bool) {
	switch {
	case d.Group != "":
		return [3]string{d.Group}, true
	case d.Severity == Warning:
		return [3]string{"", d.Message, d.Remedy}, true
	}
	return key, false
}

// summary lists the diagnostics that are not printed in full because they are like
// first, by item and place:
//
//	and 2 more: body.note (9:7), body.trace_id (10:7)
func summary(first Diagnostic, others List) string {
	if len(others) == 0 {
		return ""
	}
	names := make([]string, len(others))
	for i, d := range others {
		names[i] = placeIn(first.Pos.File, d.Pos)
		if d.Item != "" {
			names[i] = fmt.Sprintf("%s (%s)", oneLine(d.Item), names[i])
		}
	}
	return wrapped(fmt.Sprintf("and %d more:", len(others)), names)
}

// placeIn returns a position, without the file if it is file.
func placeIn(file string, pos Position) string {
	place := pos.String()
	if pos.File == file && pos.Line >= 1 {
		place = strings.TrimPrefix(place, file+":")
	}
	return place
}

// wrapped returns words, separated by commas, in lines of limited width.
func wrapped(introduction string, words []string) string {
	const width, indent = 100, "    "
	var out strings.Builder
	line := indent + introduction
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			out.WriteString(line + "\n")
			line = indent + " "
		}
		line += " " + word
	}
	out.WriteString(line + "\n")
	return out.String()
}
