package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
)

// parseYAML reads the one YAML document in data.
func parseYAML(file string, data []byte) (root *Node, list diag.List) {
	start := diag.Position{File: file, Line: 1, Column: 1}
	defer func() {
		if r := recover(); r != nil { // the parser has panicked on odd input before
			root, list = nil, nil
			list.Errorf(start, fixYAML, "this is not YAML that can be read: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			list.Errorf(start, "write its content", "the file is empty")
			return nil, list
		}
		list.Add(yamlError(file, data, err))
		return nil, list
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		list.Errorf(yamlPos(file, &second), "keep one document in the file", "a second YAML document begins here")
		return nil, list
	case !errors.Is(err, io.EOF):
		list.Add(yamlError(file, data, err))
		return nil, list
	}
	c := converter{file: file, list: &list, active: map[*yaml.Node]bool{}}
	root = c.convert(&document, 0)
	return root, list
}

func yamlPos(file string, n *yaml.Node) diag.Position {
	return diag.Position{File: file, Line: max(n.Line, 1), Column: max(n.Column, 1)}
}

const (
	fixYAML  = "fix the YAML"
	nestLess = "nest the values less deeply"
)

// yamlError turns an error of the YAML parser into a diagnostic.
func yamlError(file string, data []byte, err error) diag.Diagnostic {
	pos := diag.Position{File: file, Line: 1, Column: 1}
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return diag.Errorf(pos, fixYAML, "this is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	pos.Line, pos.Column = max(load.Mark.Line, 1), max(load.Mark.Column, 1)
	if column, path, ok := bareFieldPath(data, pos); ok {
		pos.Column = column
		starred := strings.ReplaceAll(path, "[]", ".*")
		return diag.Errorf(pos,
			fmt.Sprintf("quote it: '%s', write %s, or use a list with one field a line", path, starred),
			"%s cannot stand bare inside brackets or braces: YAML reads its [] as a list", path)
	}
	message := load.Message
	if load.ContextMsg != "" && load.ContextMark.Line > 0 {
		message = fmt.Sprintf("%s, %s that began at line %d", message, load.ContextMsg, load.ContextMark.Line)
	}
	return diag.Errorf(pos, fixYAML, "this is not YAML: %s", message)
}

var (
	pathBeforeMark = regexp.MustCompile(`[\pL\pN_.\-]+(?:\[\][\pL\pN_.\-]*)*$`)
	pathAtMark     = regexp.MustCompile(`^(?:\[\][\pL\pN_.\-]*)+`)
)

// bareFieldPath finds the field path that broke a flow list such as
// [body.items[].sku]: the parser stops at the bracket inside the path. It
// returns the column where the path starts.
func bareFieldPath(data []byte, pos diag.Position) (column int, path string, ok bool) {
	lines := bytes.Split(data, []byte("\n"))
	if pos.Line > len(lines) {
		return 0, "", false
	}
	line := []rune(string(bytes.TrimRight(lines[pos.Line-1], "\r")))
	if pos.Column-1 >= len(line) {
		return 0, "", false
	}
	before := pathBeforeMark.FindString(string(line[:pos.Column-1]))
	after := pathAtMark.FindString(string(line[pos.Column-1:]))
	if before == "" || after == "" {
		return 0, "", false
	}
	return pos.Column - len([]rune(before)), before + after, true
}

// converter turns YAML nodes into ours: aliases and merge keys are resolved,
// names are strings, and what JSON has no word for is refused.
type converter struct {
	file     string
	list     *diag.List
	active   map[*yaml.Node]bool // anchors being expanded
	inAlias  int
	expanded int
	gaveUp   bool
}

func (c *converter) convert(n *yaml.Node, depth int) *Node {
	pos := yamlPos(c.file, n)
	if !c.within(pos, depth) {
		return &Node{Kind: Null, Text: "null", Pos: pos}
	}
	switch n.Kind {
	case yaml.DocumentNode:
		root := c.convert(n.Content[0], depth)
		root.comments = joined(commentsOf(n), root.comments)
		return root
	case yaml.AliasNode:
		return c.alias(n, depth)
	case yaml.MappingNode:
		return c.mapping(n, depth)
	case yaml.SequenceNode:
		node := &Node{Kind: Sequence, Pos: pos, flow: onOneLine(n), comments: commentsOf(n)}
		for _, item := range n.Content {
			node.Items = append(node.Items, c.convert(item, depth+1))
		}
		return node
	default:
		return c.scalar(n)
	}
}

func commentsOf(n *yaml.Node) comments { return comments{n.HeadComment, n.LineComment, n.FootComment} }

// joined are the comments of a document and of the value that it consists of.
func joined(outer, inner comments) comments {
	return comments{joinComments("\n\n", outer.head, inner.head), inner.line, joinComments("\n\n", inner.foot, outer.foot)}
}

// joinComments joins those that are there.
func joinComments(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// onOneLine reports whether a mapping or list stands in braces or brackets, and on
// one line as far as its values show.
func onOneLine(n *yaml.Node) bool {
	return n.Style&yaml.FlowStyle != 0 && !slices.ContainsFunc(n.Content, func(under *yaml.Node) bool { return under.Line != n.Line })
}

// within enforces the limits; after the first breach everything is cut short.
func (c *converter) within(pos diag.Position, depth int) bool {
	if c.inAlias > 0 {
		c.expanded++
	}
	switch {
	case c.gaveUp:
		return false
	case depth > MaxDepth:
		c.list.Errorf(pos, nestLess, "values are nested deeper than %d", MaxDepth)
	case c.expanded > maxExpanded:
		c.list.Errorf(pos, "write it with fewer aliases", "aliases expand to more than %d values", maxExpanded)
	default:
		return true
	}
	c.gaveUp = true
	return false
}

func (c *converter) alias(n *yaml.Node, depth int) *Node {
	if n.Alias == nil || c.active[n.Alias] {
		c.list.Errorf(yamlPos(c.file, n), "write the value out", "alias *%s stands inside of what it names", n.Value)
		return &Node{Kind: Null, Text: "null", Pos: yamlPos(c.file, n)}
	}
	c.active[n.Alias] = true
	c.inAlias++
	node := c.convert(n.Alias, depth+1)
	c.inAlias--
	delete(c.active, n.Alias)
	return node
}

func (c *converter) mapping(n *yaml.Node, depth int) *Node {
	if n.Anchor != "" && !c.active[n] {
		c.active[n] = true
		defer delete(c.active, n)
	}
	node := &Node{Kind: Mapping, Pos: yamlPos(c.file, n), flow: onOneLine(n), comments: commentsOf(n)}
	var merged []*Member
	seen := map[string]*Member{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], c.convert(n.Content[i+1], depth+1)
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			merged = append(merged, c.merged(key, value)...)
			continue
		}
		name, ok := c.name(key)
		if !ok {
			continue
		}
		m := &Member{Name: name, Pos: yamlPos(c.file, key), Value: value, comments: commentsOf(key)}
		if first := seen[name]; first != nil {
			c.list.Add(duplicate(m, first))
			continue
		}
		seen[name] = m
		node.Members = append(node.Members, m)
	}
	for _, m := range merged {
		if seen[m.Name] == nil {
			seen[m.Name] = m
			node.Members = append(node.Members, m)
		}
	}
	return node
}

func duplicate(m, first *Member) diag.Diagnostic {
	return diag.Errorf(m.Pos, "remove one of the two", "key %q is already set at line %d", m.Name, first.Pos.Line)
}

// name returns the text of a mapping's key.
func (c *converter) name(key *yaml.Node) (string, bool) {
	for depth := 0; key.Kind == yaml.AliasNode && key.Alias != nil && depth < MaxDepth; depth++ {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		c.list.Errorf(yamlPos(c.file, key), "use a plain name", "a key must not be a list or a mapping")
		return "", false
	}
	return key.Value, true
}

// merged returns the entries that a merge key (<<) brings in, the first of a name
// taking precedence.
func (c *converter) merged(key *yaml.Node, value *Node) []*Member {
	var all []*Member
	sources := []*Node{value}
	if value.Kind == Sequence {
		sources = value.Items
	}
	for _, s := range sources {
		if s.Kind != Mapping {
			c.list.Errorf(yamlPos(c.file, key), "write the entries out", "the merge key << wants a mapping or a list of mappings, not %s", s.Kind)
			return nil
		}
		all = append(all, s.Members...)
	}
	return all
}

func (c *converter) scalar(n *yaml.Node) *Node {
	node := &Node{Kind: String, Text: n.Value, Pos: yamlPos(c.file, n), comments: commentsOf(n)}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		node.quote = '"'
	case n.Style&yaml.SingleQuotedStyle != 0:
		node.quote = '\''
	}
	switch n.ShortTag() {
	case "!!null":
		node.Kind, node.Text = Null, "null"
	case "!!bool":
		node.Kind, node.Text = Bool, strconv.FormatBool(strings.EqualFold(n.Value, "true"))
	case "!!int":
		c.integer(node)
	case "!!float":
		c.float(node)
	}
	return node
}

// integer writes an integer of any of YAML's notations as JSON does.
func (c *converter) integer(node *Node) {
	text := strings.ReplaceAll(node.Text, "_", "")
	if i, ok := new(big.Int).SetString(text, 0); ok {
		node.Kind, node.Text = Int, i.String()
		return
	}
	c.float(node)
}

// float writes a number as JSON does, with every digit that the source has.
func (c *converter) float(node *Node) {
	text := strings.TrimPrefix(strings.ReplaceAll(node.Text, "_", ""), "+")
	text = leadingZeros.ReplaceAllString(text, "$1$2")
	if !jsonNumber.MatchString(text) || !inRange(text) {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			c.list.Add(unfitNumber(node))
			f = 0
		}
		text = strconv.FormatFloat(f, 'g', -1, 64)
	}
	node.Kind, node.Text = Float, text
	if !strings.ContainsAny(text, ".eE") {
		node.Kind = Int // among them are those too long for the YAML library's integers
	}
}

// leadingZeros finds those in front of a digit.
var leadingZeros = regexp.MustCompile(`^(-?)0+([0-9])`)

// inRange reports whether a number fits into a float64, which is what most
// readers of JSON keep numbers in.
func inRange(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

func unfitNumber(n *Node) diag.Diagnostic {
	return diag.Errorf(n.Pos, "quote it if it is text", "%s is not a number that JSON can hold", n.Text)
}

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)
