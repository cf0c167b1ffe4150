package rewrite

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/spec"
)

func isScalar(n *spec.Node) bool { return n.Kind != spec.Mapping && n.Kind != spec.Sequence }

// key writes the name of an entry.
func (s *style) key(name string, flow bool) string {
	return s.scalar(&spec.Node{Kind: spec.String, Text: name}, flow)
}

// scalar writes a scalar on one line.
func (s *style) scalar(n *spec.Node, flow bool) string {
	switch {
	case n.Kind != spec.String:
		return n.Text
	case s.json:
		return quoteJSON(n.Text)
	case isPlain(n.Text, flow):
		return n.Text
	case s.quote == '\'' && !strings.ContainsFunc(n.Text, needsEscape):
		return "'" + strings.ReplaceAll(n.Text, "'", "''") + "'"
	case !strings.ContainsFunc(n.Text, needsEscape) && strings.ContainsAny(n.Text, `"\`):
		return "'" + strings.ReplaceAll(n.Text, "'", "''") + "'"
	}
	return quoteYAML(n.Text)
}

// plainText begins with a letter, $ or / and holds nothing that could mean
// something to a YAML parser, apart from colons and commas.
var plainText = regexp.MustCompile(`^[\pL$/][\pL\pN _./$()+;=?!'"@<>|~^*&:,#-]*$`)

// reserved are words that some YAML parser takes for something else than strings.
var reserved = regexp.MustCompile(`(?i)^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$`)

// isPlain reports whether a string needs no quotes.
func isPlain(text string, flow bool) bool {
	switch {
	case !plainText.MatchString(text), reserved.MatchString(text):
		return false
	case strings.HasSuffix(text, " "), strings.HasSuffix(text, ":"):
		return false
	case strings.Contains(text, ": "), strings.Contains(text, " #"):
		return false
	}
	return !flow || !strings.ContainsAny(text, ",:?#")
}

func needsEscape(r rune) bool {
	return r < ' ' || r == unicode.ReplacementChar || r == '\ufeff' || !unicode.IsPrint(r)
}

func quoteJSON(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // strings always encode
	return strings.TrimSuffix(b.String(), "\n")
}

// quoteYAML writes a JSON string in which everything that YAML takes for a line
// break, or does not allow, is escaped.
func quoteYAML(text string) string {
	var b strings.Builder
	for _, r := range quoteJSON(text) {
		switch {
		case r < 0x7f || !needsEscape(r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString(`\U` + hex(r, 8))
		default:
			b.WriteString(`\u` + hex(r, 4))
		}
	}
	return b.String()
}

func hex(r rune, digits int) string {
	text := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(text)) + text
}

// isBlockText reports whether a string is written as a block of lines.
func isBlockText(n *spec.Node) bool {
	if n.Kind != spec.String || !strings.Contains(strings.TrimSuffix(n.Text, "\n"), "\n") {
		return false
	}
	for line := range strings.SplitSeq(n.Text, "\n") {
		if strings.ContainsFunc(line, needsEscape) || strings.HasSuffix(line, " ") {
			return false
		}
	}
	return !strings.HasPrefix(n.Text, " ") && !strings.HasPrefix(n.Text, "\n") && !strings.HasSuffix(n.Text, "\n\n")
}

// blockText writes a string as a literal block.
func (s *style) blockText(text string, column int) string {
	header := " |-"
	if strings.HasSuffix(text, "\n") {
		header = " |"
	}
	var b strings.Builder
	b.WriteString(header)
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			b.WriteString(s.lineBreak)
			continue
		}
		b.WriteString(s.newLine(column) + line)
	}
	return b.String()
}
