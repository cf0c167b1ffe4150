package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/internal/diag"
)

// parseJSON reads the one JSON value in data. JSON is nearly YAML, but YAML
// parsers refuse its escaped surrogate pairs, and JSON's own errors are clearer.
func parseJSON(file string, data []byte) (*Node, diag.List) {
	p := &jsonParser{file: file, data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	p.decoder.UseNumber()
	p.place.line, p.place.column = 1, 1
	root := p.value(0)
	if !p.list.HasErrors() {
		p.end()
	}
	if p.list.HasErrors() {
		return nil, p.list
	}
	p.list = append(p.list, p.later...)
	return root, p.list
}

type jsonParser struct {
	file    string
	data    []byte
	decoder *json.Decoder
	list    diag.List                          // errors that end the reading
	later   diag.List                          // errors that do not
	place   struct{ offset, line, column int } // of the last position asked for
}

// next returns the next token and its position.
func (p *jsonParser) next() (json.Token, diag.Position) {
	offset := int(p.decoder.InputOffset())
	for offset < len(p.data) && strings.IndexByte(" \t\r\n,:", p.data[offset]) >= 0 {
		offset++
	}
	pos := p.position(offset)
	token, err := p.decoder.Token()
	if err != nil {
		p.fail(err, pos)
		return nil, pos
	}
	return token, pos
}

// position turns an offset into a position. Offsets are asked for in order.
func (p *jsonParser) position(offset int) diag.Position {
	at := &p.place
	for at.offset < offset {
		r, size := utf8.DecodeRune(p.data[at.offset:])
		at.offset += size
		switch {
		case r == '\n' || (r == '\r' && !bytes.HasPrefix(p.data[at.offset:], []byte("\n"))):
			at.line, at.column = at.line+1, 1
		case r != '\r':
			at.column++
		}
	}
	return diag.Position{File: p.file, Line: at.line, Column: at.column}
}

const fixJSON = "fix the JSON"

func (p *jsonParser) fail(err error, pos diag.Position) {
	if p.list.HasErrors() {
		return
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		p.list.Errorf(pos, fixJSON, "this is not JSON: the file ends too early")
	case errors.As(err, &syntax):
		if offset := int(syntax.Offset) - 1; offset > p.place.offset {
			pos = p.position(min(offset, len(p.data)))
		}
		p.list.Errorf(pos, fixJSON, "this is not JSON: %v", err)
	default:
		p.list.Errorf(pos, fixJSON, "this is not JSON: %v", err)
	}
}

// end reports anything that follows the value.
func (p *jsonParser) end() {
	offset := int(p.decoder.InputOffset())
	if rest := bytes.TrimLeft(p.data[offset:], " \t\r\n"); len(rest) > 0 {
		p.list.Errorf(p.position(len(p.data)-len(rest)), fixJSON, "this is not JSON: something follows the value")
	}
}

func (p *jsonParser) value(depth int) *Node {
	token, pos := p.next()
	return p.valueOf(token, pos, depth)
}

func (p *jsonParser) valueOf(token json.Token, pos diag.Position, depth int) *Node {
	node := &Node{Kind: Null, Text: "null", Pos: pos}
	switch t := token.(type) {
	case json.Delim:
		if depth > MaxDepth {
			p.list.Errorf(pos, nestLess, "values are nested deeper than %d", MaxDepth)
			return node
		}
		if t == '{' {
			p.object(node, depth)
		} else {
			p.array(node, depth)
		}
	case string:
		node.Kind, node.Text, node.quote = String, t, '"'
	case json.Number:
		node.Kind, node.Text = Int, t.String()
		if strings.ContainsAny(node.Text, ".eE") {
			node.Kind = Float
		}
		if !inRange(node.Text) {
			p.later.Add(unfitNumber(node))
		}
	case bool:
		node.Kind, node.Text = Bool, strconv.FormatBool(t)
	}
	return node
}

func (p *jsonParser) object(node *Node, depth int) {
	node.Kind, node.Text = Mapping, ""
	seen := map[string]*Member{}
	for !p.list.HasErrors() {
		token, pos := p.next()
		name, ok := token.(string)
		if !ok { // the closing brace, or an error
			return
		}
		m := &Member{Name: name, Pos: pos, Value: p.value(depth + 1)}
		if first := seen[name]; first != nil {
			p.later.Add(duplicate(m, first))
			continue
		}
		seen[name] = m
		node.Members = append(node.Members, m)
	}
}

func (p *jsonParser) array(node *Node, depth int) {
	node.Kind, node.Text = Sequence, ""
	for !p.list.HasErrors() {
		token, pos := p.next()
		if token == json.Delim(']') || p.list.HasErrors() {
			return
		}
		node.Items = append(node.Items, p.valueOf(token, pos, depth+1))
	}
}
