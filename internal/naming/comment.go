package naming

import (
	"strings"
	"unicode"
)

// Comment returns text in a form that is safe in one line of a Go or SQL comment:
// without line breaks, control or invisible formatting characters, ends of a block
// comment, and text that a tool would read as a directive.
func Comment(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	text = strings.ReplaceAll(text, "*/", "* /")
	text = strings.ReplaceAll(text, "/*", "/ *")
	if directive(text) {
		return "“" + text + "”"
	}
	return text
}

func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	default:
		return r
	}
}

// directive reports whether text at the start of a comment line has a meaning for the
// go command, a linter, sqlc or a reader of generated code.
func directive(text string) bool {
	for _, prefix := range []string{
		"Code generated ", "Deprecated:", "go:", "nolint", "lint:", "+build", "name:", "-", "@",
	} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
