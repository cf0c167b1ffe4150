package tree

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// EncodeYAML writes the tree as YAML: the entries of mappings in their order, and the
// comments that were read with their values. Blank lines are not kept, and neither
// are anchors: what aliases stood for is written out. Strings that a reader of YAML
// 1.1 or 1.2 would take for something else are in quotes.
//
// Where the library cannot write a comment so that the text still reads as the tree,
// the text has no comments at all, and commented is false.
func EncodeYAML(root *Node) (text []byte, commented bool, err error) {
	if text, err = encodeYAML(root, true); err == nil && readsAs(text, root) {
		return text, true, nil
	}
	if text, err = encodeYAML(root, false); err != nil {
		return nil, false, err
	}
	if !readsAs(text, root) {
		return nil, false, errors.New("the YAML that was written does not read as what it was written from")
	}
	return text, !hasComments(root), nil
}

func readsAs(text []byte, want *Node) bool {
	read, _ := parseYAML("", text)
	return read != nil && read.Equal(want)
}

func encodeYAML(root *Node, commented bool) (text []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("write YAML: %v", r)
		}
	}()
	document := &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{yamlEncoder{true, commented}.value(root)}}
	if commented {
		document.HeadComment, document.FootComment = root.comments.head, root.comments.foot
		document.Content[0].HeadComment, document.Content[0].FootComment = "", ""
	}
	indent, compact := layoutOf(root)
	var out bytes.Buffer
	dumper, err := yaml.NewDumper(&out, yaml.WithIndent(indent), yaml.WithCompactSeqIndent(compact), yaml.WithLineWidth(-1), yaml.WithUnicode())
	if err != nil {
		return nil, err
	}
	if err := dumper.Dump(document); err != nil {
		return nil, err
	}
	if err := dumper.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// layoutOf is the indentation of the text that a tree was read from, and whether
// lists start in the column of their key there.
func layoutOf(root *Node) (indent int, compact bool) {
	indent, compact = 0, false
	var look func(n *Node)
	look = func(n *Node) {
		for _, m := range n.Members {
			under := m.Value
			switch {
			case under.flow || under.Pos.Line <= m.Pos.Line:
			case under.Kind == Mapping && indent == 0:
				indent = under.Pos.Column - m.Pos.Column
			case under.Kind == Sequence:
				compact = under.Pos.Column == m.Pos.Column
				return
			}
			look(under)
		}
	}
	look(root)
	if indent < 2 || indent > 9 {
		indent = 2
	}
	return indent, compact
}

// YAML is the tree as the YAML library would have read it, with positions: the form
// that others decode, without a text in between. It is nil for nil.
func (n *Node) YAML() *yaml.Node {
	if n == nil {
		return nil
	}
	return yamlEncoder{}.value(n)
}

// yamlEncoder turns a tree into the library's.
type yamlEncoder struct {
	styled    bool // with quotation marks and such, for a text
	commented bool
}

func (e yamlEncoder) value(n *Node) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: scalarTag(n), Value: n.Text, Line: n.Pos.Line, Column: n.Pos.Column}
	switch n.Kind {
	case Mapping:
		y.Kind, y.Tag, y.Value = yaml.MappingNode, "!!map", ""
		y.Content = make([]*yaml.Node, 0, 2*len(n.Members))
		for _, m := range n.Members {
			name, value := e.name(m), e.value(m.Value)
			if behind := e.behind(value); behind != "" && name.LineComment == "" {
				name.LineComment = behind
			} else {
				name.HeadComment = joinComments("\n", name.HeadComment, behind)
			}
			y.Content = append(y.Content, name, value)
		}
	case Sequence:
		y.Kind, y.Tag, y.Value = yaml.SequenceNode, "!!seq", ""
		y.Content = make([]*yaml.Node, 0, len(n.Items))
		for _, item := range n.Items {
			value := e.value(item)
			value.HeadComment = joinComments("\n", value.HeadComment, e.behind(value))
			y.Content = append(y.Content, value)
		}
	default:
	}
	if e.styled {
		y.Style = e.style(n)
	}
	e.comment(y, n.comments)
	return y
}

// behind takes from a value what stood behind its braces or brackets, if it has none
// any more: the library would put it behind something else.
func (e yamlEncoder) behind(y *yaml.Node) string {
	if y.Kind == yaml.ScalarNode || y.Style&yaml.FlowStyle != 0 || len(y.Content) == 0 {
		return ""
	}
	comment := y.LineComment
	y.LineComment = ""
	return comment
}

// style is how a value is written: as it was read, as far as that is safe. Comments
// have no place inside of braces and brackets.
func (e yamlEncoder) style(n *Node) yaml.Style {
	switch {
	case n.Kind == String:
		return stringStyle(n)
	case n.flow && n.width(maxFlow) <= maxFlow && (!e.commented || !commentsUnder(n)):
		return yaml.FlowStyle
	}
	return 0
}

// maxFlow is how long a mapping or list in braces or brackets may be.
const maxFlow = 80

// width is about how long a value is on one line. Beyond most it stops to count.
func (n *Node) width(most int) int {
	width := len(n.Text) + 2
	for _, m := range n.Members {
		if width <= most {
			width += len(m.Name) + len(": ") + m.Value.width(most)
		}
	}
	for _, item := range n.Items {
		if width <= most {
			width += item.width(most)
		}
	}
	return width
}

func (e yamlEncoder) name(m *Member) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: m.Name, Line: m.Pos.Line, Column: m.Pos.Column}
	switch {
	case !e.styled:
	case strings.Contains(m.Name, "\n"):
		y.Style = yaml.DoubleQuotedStyle
	default:
		y.Style = stringStyle(NewString(m.Name))
	}
	e.comment(y, m.comments)
	return y
}

func (e yamlEncoder) comment(y *yaml.Node, c comments) {
	if e.commented {
		y.HeadComment, y.LineComment, y.FootComment = c.head, c.line, c.foot
	}
}

// hasComments reports whether there are comments at or under n.
func hasComments(n *Node) bool { return n.comments != (comments{}) || commentsUnder(n) }

func commentsUnder(n *Node) bool {
	for _, m := range n.Members {
		if m.comments != (comments{}) || hasComments(m.Value) {
			return true
		}
	}
	for _, item := range n.Items {
		if hasComments(item) {
			return true
		}
	}
	return false
}

func scalarTag(n *Node) string {
	switch n.Kind {
	case Null:
		return "!!null"
	case Bool:
		return "!!bool"
	case Int:
		return intTag(n.Text)
	case Float:
		return "!!float"
	default:
		return "!!str"
	}
}

// intTag is !!int for what fits into 64 bits; of larger ones YAML makes floats.
func intTag(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "!!int"
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return "!!int"
	}
	return "!!float"
}

// stringStyle is how a string is written: as it was read, as far as that is safe.
func stringStyle(n *Node) yaml.Style {
	switch {
	case isBlockText(n.Text):
		return yaml.LiteralStyle
	case strings.ContainsFunc(n.Text, needsEscape), n.quote == '"':
		return yaml.DoubleQuotedStyle
	case n.quote == '\'', !isPlain(n.Text):
		return yaml.SingleQuotedStyle
	}
	return 0
}

// plainText begins with a letter, $ or / and holds nothing that could mean something
// to a YAML parser in a block, apart from colons and number signs. In brackets and
// braces the library puts into quotes what needs them there.
var plainText = regexp.MustCompile(`^[\pL$/][\pL\pN _./$()+;=?!'"@<>|~^*&:,#%{}\[\]-]*$`)

// digitsFirst are texts that begin with a digit and that no reader takes for a number,
// such as a version of OpenAPI, a duration and a class of statuses.
var digitsFirst = regexp.MustCompile(`^(?:[0-9]+\.[0-9]+\.[0-9]+|[1-9][0-9]*[A-Za-z]+)$`)

// reserved are words that some YAML parser takes for something else than strings.
var reserved = regexp.MustCompile(`(?i)^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$`)

// isPlain reports whether every reader of YAML takes a text without quotes in a block
// for a string.
func isPlain(text string) bool {
	switch {
	case digitsFirst.MatchString(text):
		return true
	case !plainText.MatchString(text), reserved.MatchString(text):
		return false
	case strings.HasSuffix(text, " "), strings.HasSuffix(text, ":"):
		return false
	}
	return !strings.Contains(text, ": ") && !strings.Contains(text, " #")
}

// needsEscape reports whether a code point has no place in YAML but in an escape.
func needsEscape(r rune) bool {
	return r < ' ' || r == unicode.ReplacementChar || r == '\ufeff' || !unicode.IsPrint(r)
}

// isBlockText reports whether a string is written as a block of lines.
func isBlockText(text string) bool {
	if !strings.Contains(text, "\n") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.ContainsFunc(line, needsEscape) || strings.HasSuffix(line, " ") {
			return false
		}
	}
	return !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\n") && !strings.HasSuffix(text, "\n\n")
}
