package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/diag"
)

// Location says which part of a request a [FieldPath] begins in.
type Location string

// The locations.
const (
	InPath   Location = "path"
	InQuery  Location = "query"
	InHeader Location = "header"
	InCookie Location = "cookie"
	InBody   Location = "body"
)

// FieldPath names a field of a request, such as path.order_id, header.X-Tenant,
// body, body.ship_to.city, body.items[].sku or body["odd.name"].
type FieldPath struct {
	In Location
	// Steps lead from the location to the field. Only a body may have none.
	Steps []Step
}

// Step goes one level down: into the member with that name, or, with Each, into
// every element.
type Step struct {
	Name string
	Each bool
}

// String returns the canonical form: parsing it gives the same path, and two paths are
// the same if and only if their canonical forms are. Every element is written [], and
// names are quoted only where necessary.
func (p FieldPath) String() string {
	var b strings.Builder
	b.WriteString(string(p.In))
	for _, s := range p.Steps {
		switch {
		case s.Each:
			b.WriteString("[]")
		case isBareName(s.Name):
			b.WriteByte('.')
			b.WriteString(s.Name)
		default:
			b.WriteString(`["`)
			b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s.Name))
			b.WriteString(`"]`)
		}
	}
	return b.String()
}

// Child returns the path one step further down.
func (p FieldPath) Child(step Step) FieldPath {
	p.Steps = append(slices.Clone(p.Steps), step)
	return p
}

// Equal reports whether p and q name the same field as written. Header names are
// compared case-sensitively.
func (p FieldPath) Equal(q FieldPath) bool { return p.String() == q.String() }

// FieldPathError describes what is wrong with a field path.
type FieldPathError struct {
	// Offset is the position of the error, in code points from the start of the path.
	Offset          int
	Message, Remedy string
}

// Error returns the message and the remedy.
func (e *FieldPathError) Error() string {
	return diag.Errorf(diag.Position{}, e.Remedy, "%s", e.Message).String()
}

// ParseFieldPath reads a field path. Every element of a list is written [] or .*
// and a name with dots, brackets, quotation marks or spaces is written ["name"],
// with \" and \\ inside. An error is a [*FieldPathError].
func ParseFieldPath(text string) (FieldPath, error) {
	p := pathParser{text: []rune(text)}
	path, err := p.parse()
	if err != nil {
		return FieldPath{}, err
	}
	return path, nil
}

type pathParser struct {
	text []rune
	at   int
}

// parse returns a concrete error type, so that the caller can tell nil.
func (p *pathParser) parse() (FieldPath, *FieldPathError) {
	path, err := p.location()
	if err != nil {
		return path, err
	}
	for p.at < len(p.text) {
		step, err := p.step()
		if err != nil {
			return path, err
		}
		path.Steps = append(path.Steps, step)
	}
	switch {
	case path.In != InBody && len(path.Steps) == 0:
		return path, p.fail(p.at, fmt.Sprintf("write %s.name", path.In), "%s alone is not a field", path.In)
	case path.In != InBody && path.Steps[0].Each:
		return path, p.fail(len([]rune(string(path.In))), fmt.Sprintf("write %s.name", path.In),
			"%s is not a list", path.In)
	}
	return path, nil
}

func (p *pathParser) fail(offset int, remedy, format string, args ...any) *FieldPathError {
	return &FieldPathError{Offset: offset, Message: fmt.Sprintf(format, args...), Remedy: remedy}
}

func (p *pathParser) location() (FieldPath, *FieldPathError) {
	const remedy = "begin it with path., query., header., cookie. or body"
	word := string(p.text[:p.bareLength()])
	switch in := Location(word); in {
	case InPath, InQuery, InHeader, InCookie, InBody:
		p.at = len([]rune(word))
		return FieldPath{In: in}, nil
	}
	switch near, ok := diag.Nearest(word, []string{"path", "query", "header", "cookie", "body"}); {
	case len(p.text) == 0:
		return FieldPath{}, p.fail(0, remedy, "the field path is empty")
	case ok:
		return FieldPath{}, p.fail(0, fmt.Sprintf("did you mean %q?", near), "%q is not a part of a request", word)
	case word == "":
		return FieldPath{}, p.fail(0, remedy, "a field path does not begin with %q", p.text[0])
	}
	return FieldPath{}, p.fail(0, remedy, "%q is not a part of a request", word)
}

// bareLength returns the length, in code points, of the bare name that starts at the
// current position.
func (p *pathParser) bareLength() int {
	n := 0
	for _, r := range p.text[p.at:] {
		if !isBareRune(r) {
			break
		}
		n++
	}
	return n
}

func (p *pathParser) step() (Step, *FieldPathError) {
	switch r := p.text[p.at]; r {
	case '.':
		p.at++
		return p.dotted()
	case '[':
		return p.bracketed()
	default:
		return Step{}, p.fail(p.at, `write ["name"] for a name with such characters`, "%q is not allowed here", r)
	}
}

func (p *pathParser) dotted() (Step, *FieldPathError) {
	n := p.bareLength()
	if n == 0 {
		if p.at == len(p.text) {
			return Step{}, p.fail(p.at-1, "write the name of a field after it", "the path ends with a dot")
		}
		if p.text[p.at] == '.' {
			return Step{}, p.fail(p.at, "remove one of the dots", "a name is missing between two dots")
		}
		if p.text[p.at] == '[' {
			return Step{}, p.fail(p.at-1, "remove the dot", "there is a dot before the bracket")
		}
		return Step{}, p.fail(p.at, `write ["name"] for a name with such characters`, "%q is not allowed here", p.text[p.at])
	}
	name := string(p.text[p.at : p.at+n])
	p.at += n
	if name == "*" {
		return Step{Each: true}, nil
	}
	return Step{Name: name}, nil
}

func (p *pathParser) bracketed() (Step, *FieldPathError) {
	open := p.at
	p.at++
	switch {
	case p.at == len(p.text):
		return Step{}, p.fail(open, `write [] or ["name"]`, "the bracket is not closed")
	case p.text[p.at] == ']':
		p.at++
		return Step{Each: true}, nil
	case p.text[p.at] == '"':
		return p.quoted(open)
	case p.text[p.at] == '*' || unicode.IsDigit(p.text[p.at]):
		return Step{}, p.fail(open, "write [], which stands for every element",
			"a single element cannot be selected")
	default:
		return Step{}, p.fail(p.at, `write ["name"] for a name, or [] for every element`, "%q is not allowed here", p.text[p.at])
	}
}

func (p *pathParser) quoted(open int) (Step, *FieldPathError) {
	var name []rune
	for p.at++; p.at < len(p.text); p.at++ {
		switch r := p.text[p.at]; {
		case r == '\\' && p.at+1 < len(p.text) && (p.text[p.at+1] == '"' || p.text[p.at+1] == '\\'):
			p.at++
			name = append(name, p.text[p.at])
		case r == '\\':
			return Step{}, p.fail(p.at, `write \" or \\`, "a backslash is allowed only before a quotation mark or a backslash")
		case r == '"':
			return p.closed(open, string(name))
		default:
			name = append(name, r)
		}
	}
	return Step{}, p.fail(open, `end it with "]`, "the quoted name is not closed")
}

// closed reads the bracket after a quoted name.
func (p *pathParser) closed(open int, name string) (Step, *FieldPathError) {
	p.at++
	if p.at == len(p.text) || p.text[p.at] != ']' {
		return Step{}, p.fail(open, `end it with "]`, "the bracket is not closed")
	}
	p.at++
	if name == "" {
		return Step{}, p.fail(open, "write the name of a field", "the name is empty")
	}
	return Step{Name: name}, nil
}

// isBareName reports whether a name can be written after a dot.
func isBareName(name string) bool {
	return name != "" && name != "*" && !strings.ContainsFunc(name, func(r rune) bool { return !isBareRune(r) })
}

func isBareRune(r rune) bool {
	return !strings.ContainsRune(".[]\"'\\", r) && !unicode.IsSpace(r) && unicode.IsPrint(r) && r != unicode.ReplacementChar
}
