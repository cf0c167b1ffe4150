package render

import (
	"bytes"
	"go/format"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120 // of a line of Go
	tabColumns = 4
)

// wrap breaks the lines of formatted Go source that are longer than maxColumns, at
// brackets and between words of comments, and formats it again. A line that has
// neither stays as it is.
func wrap(source []byte) ([]byte, error) {
	for {
		lines := strings.Split(string(source), "\n")
		wrapped := false
		var out bytes.Buffer
		for i, line := range lines {
			if i > 0 {
				out.WriteByte('\n')
			}
			broken := line
			if columns(line) > maxColumns {
				broken = breakLine(line)
			}
			wrapped = wrapped || broken != line
			out.WriteString(broken)
		}
		if !wrapped {
			return source, nil
		}
		formatted, err := format.Source(out.Bytes())
		if err != nil {
			return nil, err
		}
		source = formatted
	}
}

// columns is how wide a line is.
func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
}

func breakLine(line string) string {
	text := strings.TrimLeft(line, "\t")
	indent := line[:len(line)-len(text)]
	if strings.HasPrefix(text, "// ") {
		return breakComment(indent, text)
	}
	tokens := tokensOf(text)
	if text := strings.TrimSuffix(text, ","); strings.HasPrefix(text, "case ") {
		return breakCase(indent, text, tokens)
	}
	if pair, ok := pairToBreak(indent, text, tokens); ok {
		return breakPair(indent, text, tokens, pair)
	}
	return breakCondition(indent, text, tokens)
}

// breakComment fills the words of a comment into lines.
func breakComment(indent, text string) string {
	words := strings.Fields(strings.TrimPrefix(text, "//"))
	return fill(indent+"// ", words, " ")
}

// fill joins items into lines that each begin with start.
func fill(start string, items []string, separator string) string {
	var lines []string
	line := start
	for i, item := range items {
		switch {
		case i == 0:
			line += item
		case columns(line+separator+item) < maxColumns: // a comma may follow
			line += separator + item
		default:
			lines = append(lines, line+strings.TrimRight(separator, " "))
			line = start + item
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// breakCase fills the values of a case into lines.
func breakCase(indent, text string, tokens []goToken) string {
	values, _ := split(text, tokens, len("case "), strings.LastIndex(text, ":"))
	if len(values) < 2 {
		return indent + text
	}
	filled := fill(indent+"\t", values, ", ")
	return indent + "case " + strings.TrimLeft(filled, "\t") + text[strings.LastIndex(text, ":"):]
}

// breakCondition fills the operands of && and || into lines.
func breakCondition(indent, text string, tokens []goToken) string {
	var operands []string
	start := 0
	for _, t := range tokens {
		if t.tok == token.LAND || t.tok == token.LOR {
			end := t.at + len("&&")
			operands = append(operands, strings.TrimSpace(text[start:end]))
			start = end
		}
	}
	operands = append(operands, strings.TrimSpace(text[start:]))
	if len(operands) == 1 {
		return indent + text
	}
	filled := fill(indent+"\t", operands, " ")
	return indent + strings.TrimLeft(filled, "\t")
}

// goToken is one token of a line.
type goToken struct {
	tok token.Token
	at  int
}

func tokensOf(text string) []goToken {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var tokens []goToken
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return tokens
		}
		tokens = append(tokens, goToken{tok, file.Offset(pos)})
	}
}

// bracketPair is a pair of brackets on one line.
type bracketPair struct {
	open, end int // offsets
	tok       token.Token
	depth     int // of pairs that are around it on the line
}

// pairsOf are the pairs of a line that are opened and closed on it.
func pairsOf(tokens []goToken) []bracketPair {
	var pairs []bracketPair
	var open []goToken
	for _, t := range tokens {
		switch t.tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open = append(open, t)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(open) == 0 {
				continue
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			pairs = append(pairs, bracketPair{last.at, t.at, last.tok, len(open)})
		}
	}
	for i := range pairs { // what is never closed is around nothing
		pairs[i].depth -= len(open)
	}
	return pairs
}

// pairToBreak chooses the longest pair that is in no other. Where that ends with a
// composite literal that begins early enough, the literal is broken instead.
func pairToBreak(indent, text string, tokens []goToken) (bracketPair, bool) {
	pairs := pairsOf(tokens)
	var chosen bracketPair
	for _, p := range pairs {
		if p.depth <= 0 && p.end-p.open > chosen.end-chosen.open {
			chosen = p
		}
	}
	if chosen.end-chosen.open < 2 {
		return chosen, false
	}
	if literal, ok := literalAtEnd(pairs, chosen); ok && columns(indent+text[:literal.open+1]) <= maxColumns {
		return literal, true
	}
	return chosen, true
}

// literalAtEnd is the innermost composite literal with which what is in p ends, also
// as the last argument of a call.
func literalAtEnd(pairs []bracketPair, p bracketPair) (literal bracketPair, ok bool) {
	for end := p.end - 1; ; end-- {
		i := slices.IndexFunc(pairs, func(inner bracketPair) bool {
			return inner.end == end && inner.open > p.open && inner.end-inner.open > 1
		})
		if i < 0 {
			return literal, ok
		}
		if pairs[i].tok == token.LBRACE {
			literal, ok = pairs[i], true
		}
	}
}

// breakPair puts what is between two brackets on lines of its own.
func breakPair(indent, text string, tokens []goToken, p bracketPair) string {
	head, tail := text[:p.open+1], text[p.end:]
	content := strings.TrimSpace(text[p.open+1 : p.end])
	if p.tok == token.LBRACE && strings.HasPrefix(content, "return ") { // a function's body
		return indent + head + "\n" + indent + "\t" + content + "\n" + indent + tail
	}
	items, ok := split(text, tokens, p.open+1, p.end)
	if !ok {
		return indent + text
	}
	return indent + head + "\n" + fill(indent+"\t", items, ", ") + ",\n" + indent + tail
}

// split cuts a part of a line at the commas that are in no brackets of their own. It
// does not cut what has a statement in it.
func split(text string, tokens []goToken, from, to int) (items []string, ok bool) {
	depth, start := 0, from
	for _, t := range tokens {
		if t.at < from || t.at >= to {
			continue
		}
		switch t.tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.COMMA:
			if depth == 0 {
				items = append(items, strings.TrimSpace(text[start:t.at]))
				start = t.at + 1
			}
		case token.SEMICOLON:
			if depth == 0 {
				return nil, false
			}
		}
	}
	if last := strings.TrimSpace(text[start:to]); last != "" {
		items = append(items, last)
	}
	return items, len(items) > 0
}
