package spec

import (
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// decoder reads an annotation strictly: it reports unknown keys and values of the
// wrong type, and returns everything that is valid.
type decoder struct {
	tree.Decoder
	before int // number of problems at the start
}

func newDecoder(list *diag.List) *decoder { return &decoder{tree.Decoder{Problems: list}, len(*list)} }

// malformed reports whether this decoder has reported anything.
func (d *decoder) malformed() bool { return len(*d.Problems) > d.before }

// object checks that n is a mapping with known keys only.
func (d *decoder) object(n *tree.Node, what, kind string) bool {
	return d.Mapping(n, what, Keys()[kind]...)
}

// read reads the member of n with that name, if there is one.
func read[T any](n *tree.Node, name string, parse func(*tree.Node) (T, bool)) Value[T] {
	m := n.Member(name)
	if m == nil {
		return Value[T]{}
	}
	v := Value[T]{Pos: m.Value.Pos, Key: m.Pos}
	v.V, v.OK = parse(m.Value)
	return v
}

// list reads each item of a list; malformed items are left out.
func list[T any](d *decoder, what string, parse func(*tree.Node) (T, bool)) func(*tree.Node) ([]T, bool) {
	return func(n *tree.Node) ([]T, bool) {
		content, ok := d.Sequence(n, what)
		if !ok {
			return nil, false
		}
		items := make([]T, 0, len(content))
		for _, item := range content {
			if v, ok := parse(item); ok {
				items = append(items, v)
			}
		}
		return items, true
	}
}

// item wraps the value of a list item together with its positions.
func item[T any](parse func(*tree.Node) (T, bool)) func(*tree.Node) (Value[T], bool) {
	return func(n *tree.Node) (Value[T], bool) {
		v, ok := parse(n)
		return Value[T]{V: v, OK: ok, Pos: n.Pos, Key: n.Pos}, ok
	}
}

// named adds the name that messages use to a reader.
func named[T any](parse func(*tree.Node, string) (T, bool), what string) func(*tree.Node) (T, bool) {
	return func(n *tree.Node) (T, bool) { return parse(n, what) }
}

func (d *decoder) text(what string) func(*tree.Node) (string, bool) { return named(d.Text, what) }

func (d *decoder) boolean(what string) func(*tree.Node) (bool, bool) { return named(d.Bool, what) }

func (d *decoder) integer(what string) func(*tree.Node) (int64, bool) { return named(d.Integer, what) }

func (d *decoder) duration(what string) func(*tree.Node) (time.Duration, bool) {
	return named(d.Duration, what)
}

// date reads a calendar date, which YAML may take for a timestamp.
func (d *decoder) date(what string) func(*tree.Node) (time.Time, bool) {
	return func(n *tree.Node) (time.Time, bool) {
		const remedy = "write a date such as 2026-12-01"
		if n.Kind != tree.String {
			d.WrongType(n, what, "a date", remedy)
			return time.Time{}, false
		}
		day, err := time.Parse(time.DateOnly, n.Text)
		if err != nil {
			d.Errorf(n.Pos, remedy, "%s: %q is not a date", what, n.Text)
		}
		return day, err == nil
	}
}

func (d *decoder) size(what string) func(*tree.Node) (int64, bool) {
	return func(n *tree.Node) (int64, bool) {
		if n.Kind != tree.String && n.Kind != tree.Int && n.Kind != tree.Float {
			d.WrongType(n, what, "a size", "write a number of bytes such as 1MiB")
			return 0, false
		}
		v, message, remedy := parseSize(n.Text)
		if message != "" {
			d.Errorf(n.Pos, remedy, "%s: %s", what, message)
		}
		return v, message == ""
	}
}

// status reads a status or a class of statuses, which YAML may take for a number.
func (d *decoder) status(what string) func(*tree.Node) (string, bool) {
	return func(n *tree.Node) (string, bool) {
		if (n.Kind == tree.String || n.Kind == tree.Int) && statusText.MatchString(n.Text) {
			return n.Text, true
		}
		remedy := statusRemedy(n.Text)
		if n.Kind == tree.Mapping || n.Kind == tree.Sequence || n.Kind == tree.Null {
			d.WrongType(n, what, "a status", remedy)
		} else {
			d.Errorf(n.Pos, remedy, "%s: %q is not a status", what, n.Text)
		}
		return "", false
	}
}

// path reads a field path; errors point at the character that is wrong.
func (d *decoder) path(what string) func(*tree.Node) (FieldPath, bool) {
	return func(n *tree.Node) (FieldPath, bool) {
		if n.Kind != tree.String {
			d.WrongType(n, what, "a field path", "write a path such as body.currency")
			return FieldPath{}, false
		}
		path, err := ParseFieldPath(n.Text)
		var problem *FieldPathError
		if errors.As(err, &problem) {
			d.Errorf(n.RunePos(problem.Offset), problem.Remedy, "%s %q: %s", what, n.Text, problem.Message)
			return FieldPath{}, false
		}
		return path, true
	}
}

func (d *decoder) root(m *tree.Member) *Root {
	r := &Root{Pos: m.Pos}
	n := m.Value
	if d.extension(n, "scopes and defaults", "{scopes: {...}}") && d.object(n, "the root's x-idempotent", "root") {
		r.Scopes = read(n, "scopes", d.scopes).V
		r.Defaults = read(n, "defaults", d.defaults).V
		r.Accept = read(n, "accept", list(d, "accept", item(d.text("an accepted change"))))
	}
	r.Malformed = d.malformed()
	return r
}

func (d *decoder) annotation(m *tree.Member) *Annotation {
	a := &Annotation{Pos: m.Pos}
	n := m.Value
	if d.extension(n, "scope and fingerprint", "{scope: ..., fingerprint: [...]}") && d.object(n, "x-idempotent", "operation") {
		a.Scope = read(n, "scope", d.text("scope"))
		a.Name = read(n, "name", d.text("name"))
		a.Fingerprint = read(n, "fingerprint", d.fingerprint)
		a.Settings = d.settings(n)
	}
	a.Malformed = d.malformed()
	return a
}

// extension checks that x-idempotent is idemgen's annotation: other tools use the name
// for a boolean.
func (d *decoder) extension(n *tree.Node, content, form string) bool {
	if n.Kind == tree.Mapping {
		return true
	}
	remedy := "write x-idempotent: " + form + ", in an overlay if you cannot change the document"
	d.WrongType(n, "x-idempotent", "a mapping with "+content, remedy)
	return false
}

func (d *decoder) scopes(n *tree.Node) ([]Scope, bool) {
	if n.Kind != tree.Mapping {
		d.WrongType(n, "scopes", "a mapping from names to scopes", "write {caller: {columns: [{name: tenant_id, type: uuid}]}}")
		return nil, false
	}
	var scopes []Scope
	for _, m := range n.Members {
		scopes = append(scopes, d.scope(m))
	}
	return scopes, true
}

func (d *decoder) scope(m *tree.Member) Scope {
	s := Scope{Name: m.Name, Pos: m.Pos}
	before := len(*d.Problems)
	if what := fmt.Sprintf("scope %q", m.Name); d.object(m.Value, what, "scope") {
		s.Columns = read(m.Value, "columns", list(d, "columns", d.column))
		s.Table = read(m.Value, "table", d.text("table"))
		s.Responses = read(m.Value, "responses", d.responses)
		s.Previous = read(m.Value, "previous", list(d, "previous", d.previous))
	}
	s.Malformed = len(*d.Problems) > before
	return s
}

func (d *decoder) responses(n *tree.Node) (Responses, bool) {
	if n.Kind != tree.Mapping {
		d.WrongType(n, "responses", tree.Mapping.String(), "write {partition: day}")
		return Responses{}, false
	}
	if !d.object(n, "responses", "responses") {
		return Responses{}, false
	}
	return Responses{
		Partition: read(n, "partition", d.text("partition")),
		Table:     read(n, "table", d.text("table")),
	}, true
}

func (d *decoder) column(n *tree.Node) (Column, bool) {
	if !d.object(n, "a column", "column") {
		return Column{}, false
	}
	return Column{
		Pos:       n.Pos,
		Name:      read(n, "name", d.text("name")),
		Type:      read(n, "type", d.text("type")),
		MaxLength: read(n, "maxLength", d.integer("maxLength")),
		From:      read(n, "from", d.path("from")),
	}, true
}

// previous reads a table that held the scope's keys before its columns changed.
func (d *decoder) previous(n *tree.Node) (Previous, bool) {
	if !d.object(n, "a previous table", "previous") {
		return Previous{}, false
	}
	return Previous{
		Pos:     n.Pos,
		Table:   read(n, "table", d.text("table")),
		Columns: read(n, "columns", list(d, "columns", d.oldColumn)),
	}, true
}

func (d *decoder) oldColumn(n *tree.Node) (Column, bool) {
	if !d.object(n, "a column of a previous table", "oldColumn") {
		return Column{}, false
	}
	return Column{
		Pos:       n.Pos,
		Name:      read(n, "name", d.text("name")),
		Type:      read(n, "type", d.text("type")),
		MaxLength: read(n, "maxLength", d.integer("maxLength")),
		Now:       read(n, "now", d.text("now")),
	}, true
}

func (d *decoder) defaults(n *tree.Node) (Settings, bool) {
	if !d.object(n, "defaults", "defaults") {
		return Settings{}, false
	}
	return d.settings(n), true
}

func (d *decoder) settings(n *tree.Node) Settings {
	return Settings{
		Key:      read(n, "key", d.key),
		Final:    read(n, "final", list(d, "final", item(d.status("final")))),
		Replay:   read(n, "replay", d.replay),
		InFlight: read(n, "inFlight", d.inFlight),
		Status:   read(n, "status", d.statuses),
		MaxBody:  read(n, "maxBody", d.size("maxBody")),
		Mode:     read(n, "mode", d.text("mode")),
		Strict:   read(n, "strict", d.boolean("strict")),
	}
}

func (d *decoder) key(n *tree.Node) (Key, bool) {
	if !d.object(n, "key", "key") {
		return Key{}, false
	}
	return Key{
		In:        read(n, "in", d.text("in")),
		Name:      read(n, "name", d.text("name")),
		Required:  read(n, "required", d.boolean("required")),
		MinLength: read(n, "minLength", d.integer("minLength")),
		MaxLength: read(n, "maxLength", d.integer("maxLength")),
		Pattern:   read(n, "pattern", d.text("pattern")),
		Format:    read(n, "format", d.text("format")),
	}, true
}

func (d *decoder) replay(n *tree.Node) (Replay, bool) {
	if !d.object(n, "replay", "replay") {
		return Replay{}, false
	}
	return Replay{
		Window:  read(n, "window", d.duration("window")),
		Headers: read(n, "headers", list(d, "headers", item(d.text("a header name")))),
	}, true
}

func (d *decoder) inFlight(n *tree.Node) (InFlight, bool) {
	if !d.object(n, "inFlight", "inFlight") {
		return InFlight{}, false
	}
	return InFlight{
		Wait:       read(n, "wait", d.duration("wait")),
		RetryAfter: read(n, "retryAfter", d.duration("retryAfter")),
	}, true
}

func (d *decoder) statuses(n *tree.Node) (Status, bool) {
	if !d.object(n, "status", "status") {
		return Status{}, false
	}
	return Status{
		Mismatch: read(n, "mismatch", d.integer("mismatch")),
		InFlight: read(n, "inFlight", d.integer("inFlight")),
		Expired:  read(n, "expired", d.integer("expired")),
	}, true
}

// fingerprint reads both forms: a bare list of fields, and a mapping.
func (d *decoder) fingerprint(n *tree.Node) (Fingerprint, bool) {
	fields := list(d, "fields", d.field)
	if n.Kind == tree.Sequence {
		v, ok := fields(n)
		return Fingerprint{Fields: Value[[]Field]{V: v, OK: ok, Pos: n.Pos, Key: n.Pos}}, true
	}
	if n.Kind != tree.Mapping {
		d.WrongType(n, "fingerprint", "a list of fields", "write ["+n.Example()+"], or a mapping with fields and ignore")
		return Fingerprint{}, false
	}
	if !d.object(n, "fingerprint", "fingerprint") {
		return Fingerprint{}, false
	}
	return Fingerprint{
		Version: read(n, "version", d.integer("version")),
		Since:   read(n, "since", d.date("since")),
		Retired: read(n, "retired", list(d, "retired", item(d.integer("a retired version")))),
		Fields:  read(n, "fields", fields),
		Ignore:  read(n, "ignore", list(d, "ignore", item(d.path("ignored field")))),
	}, true
}

// field reads both forms of a field: a path, and a mapping.
func (d *decoder) field(n *tree.Node) (Field, bool) {
	f := Field{Pos: n.Pos}
	if n.Kind != tree.Mapping {
		path, ok := d.path("field")(n)
		f.Path = Value[FieldPath]{V: path, OK: ok, Pos: n.Pos, Key: n.Pos}
		return f, ok
	}
	if !d.object(n, "a field", "field") {
		return f, false
	}
	if n.Member("field") == nil {
		d.Errorf(n.Pos, "write {field: body.items, order: ignored}", "this entry has no field")
		return f, false
	}
	f.Path = read(n, "field", d.path("field"))
	f.Order = read(n, "order", d.text("order"))
	f.Normalize = read(n, "normalize", d.normalize)
	return f, f.Path.OK
}

// normalize reads one normalisation or a list of them.
func (d *decoder) normalize(n *tree.Node) ([]Value[string], bool) {
	one := item(d.text("a normalisation"))
	if n.Kind == tree.Sequence {
		return list(d, "normalize", one)(n)
	}
	v, ok := one(n)
	return []Value[string]{v}, ok
}
