package spec

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

// decoder reads an annotation strictly: unknown keys and values of a wrong type
// are reported, and what could be read is returned.
type decoder struct {
	list      *diag.List
	malformed bool
}

func (d *decoder) errorf(pos diag.Position, remedy, format string, args ...any) {
	d.malformed = true
	d.list.Errorf(pos, remedy, format, args...)
}

// wrongType reports that what is of another type than wanted.
func (d *decoder) wrongType(n *Node, what, wanted, remedy string) {
	if n.Kind == Null {
		d.errorf(n.Pos, remedy, "%s is empty; it wants %s", what, wanted)
		return
	}
	d.errorf(n.Pos, remedy, "%s is %s, not %s", what, n.Kind, wanted)
}

// object checks that n is a mapping with known keys only.
func (d *decoder) object(n *Node, what, kind string) bool {
	if n.Kind != Mapping {
		d.wrongType(n, what, Mapping.String(), "")
		return false
	}
	keys := Keys()[kind]
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Name) {
			d.errorf(m.Pos, diag.DidYouMean(m.Name, keys), "unknown key %q in %s", m.Name, what)
		}
	}
	return true
}

// read reads the member of n with that name, if there is one.
func read[T any](n *Node, name string, parse func(*Node) (T, bool)) Value[T] {
	m := n.Member(name)
	if m == nil {
		return Value[T]{}
	}
	v := Value[T]{Pos: m.Value.Pos, Key: m.Pos}
	v.V, v.OK = parse(m.Value)
	return v
}

// list reads each item of a list; malformed items are left out.
func list[T any](d *decoder, what string, parse func(*Node) (T, bool)) func(*Node) ([]T, bool) {
	return func(n *Node) ([]T, bool) {
		if n.Kind != Sequence {
			d.wrongType(n, what, Sequence.String(), "write ["+example(n)+"]")
			return nil, false
		}
		items := make([]T, 0, len(n.Items))
		for _, item := range n.Items {
			if v, ok := parse(item); ok {
				items = append(items, v)
			}
		}
		return items, true
	}
}

// example is what to put into brackets to turn a scalar into a list.
func example(n *Node) string {
	if n.Kind == Mapping || n.Kind == Null {
		return "..."
	}
	return n.Text
}

// item makes a value with positions of a list's item.
func item[T any](parse func(*Node) (T, bool)) func(*Node) (Value[T], bool) {
	return func(n *Node) (Value[T], bool) {
		v, ok := parse(n)
		return Value[T]{V: v, OK: ok, Pos: n.Pos, Key: n.Pos}, ok
	}
}

func (d *decoder) text(what string) func(*Node) (string, bool) {
	return func(n *Node) (string, bool) {
		switch {
		case n.Kind == String && n.Text == "":
			d.errorf(n.Pos, "", "%s is empty", what)
		case n.Kind == String:
			return n.Text, true
		case n.Kind == Mapping, n.Kind == Sequence, n.Kind == Null:
			d.wrongType(n, what, String.String(), "")
		default:
			d.wrongType(n, what, String.String(), fmt.Sprintf("quote it: '%s'", n.Text))
		}
		return "", false
	}
}

func (d *decoder) boolean(what string) func(*Node) (bool, bool) {
	return func(n *Node) (bool, bool) {
		if n.Kind != Bool {
			d.wrongType(n, what, Bool.String(), "write true or false")
			return false, false
		}
		return n.Text == "true", true
	}
}

func (d *decoder) integer(what string) func(*Node) (int64, bool) {
	return func(n *Node) (int64, bool) {
		if n.Kind != Int && !n.Overflows() {
			remedy := ""
			if allDigits.MatchString(n.Text) {
				remedy = "write " + n.Text + " without quotation marks and without a fraction"
			}
			d.wrongType(n, what, Int.String(), remedy)
			return 0, false
		}
		i, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil || i < 0 {
			d.errorf(n.Pos, "", "%s is out of range: %s", what, n.Text)
			return 0, false
		}
		return i, true
	}
}

func (d *decoder) duration(what string) func(*Node) (time.Duration, bool) {
	return func(n *Node) (time.Duration, bool) {
		if n.Kind != String && n.Kind != Int && n.Kind != Float {
			d.wrongType(n, what, "a duration", "write a number with h, m, s or ms, such as 72h")
			return 0, false
		}
		v, message, remedy := parseDuration(n.Text)
		if message != "" {
			d.errorf(n.Pos, remedy, "%s: %s", what, message)
		}
		return v, message == ""
	}
}

// date reads a calendar date, which YAML may take for a timestamp.
func (d *decoder) date(what string) func(*Node) (time.Time, bool) {
	return func(n *Node) (time.Time, bool) {
		const remedy = "write a date such as 2026-12-01"
		if n.Kind != String {
			d.wrongType(n, what, "a date", remedy)
			return time.Time{}, false
		}
		day, err := time.Parse(time.DateOnly, n.Text)
		if err != nil {
			d.errorf(n.Pos, remedy, "%s: %q is not a date", what, n.Text)
		}
		return day, err == nil
	}
}

func (d *decoder) size(what string) func(*Node) (int64, bool) {
	return func(n *Node) (int64, bool) {
		if n.Kind != String && n.Kind != Int && n.Kind != Float {
			d.wrongType(n, what, "a size", "write a number of bytes such as 1MiB")
			return 0, false
		}
		v, message, remedy := parseSize(n.Text)
		if message != "" {
			d.errorf(n.Pos, remedy, "%s: %s", what, message)
		}
		return v, message == ""
	}
}

// status reads a status or a class of statuses, which YAML may take for a number.
func (d *decoder) status(what string) func(*Node) (string, bool) {
	return func(n *Node) (string, bool) {
		if (n.Kind == String || n.Kind == Int) && statusText.MatchString(n.Text) {
			return n.Text, true
		}
		remedy := statusRemedy(n.Text)
		if n.Kind == Mapping || n.Kind == Sequence || n.Kind == Null {
			d.wrongType(n, what, "a status", remedy)
		} else {
			d.errorf(n.Pos, remedy, "%s: %q is not a status", what, n.Text)
		}
		return "", false
	}
}

// path reads a field path; errors point at the character that is wrong.
func (d *decoder) path(what string) func(*Node) (FieldPath, bool) {
	return func(n *Node) (FieldPath, bool) {
		if n.Kind != String {
			d.wrongType(n, what, "a field path", "write a path such as body.currency")
			return FieldPath{}, false
		}
		path, err := ParseFieldPath(n.Text)
		var problem *FieldPathError
		if errors.As(err, &problem) {
			d.errorf(n.runePos(problem.Offset), problem.Remedy, "%s %q: %s", what, n.Text, problem.Message)
			return FieldPath{}, false
		}
		return path, true
	}
}

func (d *decoder) root(m *Member) *Root {
	r := &Root{Pos: m.Pos}
	n := m.Value
	if d.extension(n, "scopes and defaults", "{scopes: {...}}") && d.object(n, "the root's x-idempotent", "root") {
		r.Scopes = read(n, "scopes", d.scopes).V
		r.Defaults = read(n, "defaults", d.defaults).V
		r.Accept = read(n, "accept", list(d, "accept", item(d.text("an accepted change"))))
	}
	r.Malformed = d.malformed
	return r
}

func (d *decoder) annotation(m *Member) *Annotation {
	a := &Annotation{Pos: m.Pos}
	n := m.Value
	if d.extension(n, "scope and fingerprint", "{scope: ..., fingerprint: [...]}") && d.object(n, "x-idempotent", "operation") {
		a.Scope = read(n, "scope", d.text("scope"))
		a.Name = read(n, "name", d.text("name"))
		a.Fingerprint = read(n, "fingerprint", d.fingerprint)
		a.Settings = d.settings(n)
	}
	a.Malformed = d.malformed
	return a
}

// extension checks that x-idempotent is ours: others use the name for a boolean.
func (d *decoder) extension(n *Node, content, form string) bool {
	if n.Kind == Mapping {
		return true
	}
	remedy := "write x-idempotent: " + form + ", in an overlay if the document is not yours"
	d.wrongType(n, "x-idempotent", "a mapping with "+content, remedy)
	return false
}

func (d *decoder) scopes(n *Node) ([]Scope, bool) {
	if n.Kind != Mapping {
		d.wrongType(n, "scopes", "a mapping from names to scopes", "")
		return nil, false
	}
	var scopes []Scope
	for _, m := range n.Members {
		scopes = append(scopes, d.scope(m))
	}
	return scopes, true
}

func (d *decoder) scope(m *Member) Scope {
	s := Scope{Name: m.Name, Pos: m.Pos}
	before := d.malformed
	d.malformed = false
	if what := fmt.Sprintf("scope %q", m.Name); d.object(m.Value, what, "scope") {
		s.Columns = read(m.Value, "columns", list(d, "columns", d.column))
		s.Table = read(m.Value, "table", d.text("table"))
		s.Responses = read(m.Value, "responses", d.responses)
		s.Previous = read(m.Value, "previous", list(d, "previous", d.previous))
	}
	s.Malformed = d.malformed
	d.malformed = before || d.malformed
	return s
}

func (d *decoder) responses(n *Node) (Responses, bool) {
	if n.Kind != Mapping {
		d.wrongType(n, "responses", Mapping.String(), "write {partition: day}")
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

func (d *decoder) column(n *Node) (Column, bool) {
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

// previous reads a table that held the scope's keys before.
func (d *decoder) previous(n *Node) (Previous, bool) {
	if !d.object(n, "a previous table", "previous") {
		return Previous{}, false
	}
	return Previous{
		Pos:     n.Pos,
		Table:   read(n, "table", d.text("table")),
		Columns: read(n, "columns", list(d, "columns", d.oldColumn)),
	}, true
}

func (d *decoder) oldColumn(n *Node) (Column, bool) {
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

func (d *decoder) defaults(n *Node) (Settings, bool) {
	if !d.object(n, "defaults", "defaults") {
		return Settings{}, false
	}
	return d.settings(n), true
}

func (d *decoder) settings(n *Node) Settings {
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

func (d *decoder) key(n *Node) (Key, bool) {
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

func (d *decoder) replay(n *Node) (Replay, bool) {
	if !d.object(n, "replay", "replay") {
		return Replay{}, false
	}
	return Replay{
		Window:  read(n, "window", d.duration("window")),
		Headers: read(n, "headers", list(d, "headers", item(d.text("a header name")))),
	}, true
}

func (d *decoder) inFlight(n *Node) (InFlight, bool) {
	if !d.object(n, "inFlight", "inFlight") {
		return InFlight{}, false
	}
	return InFlight{
		Wait:       read(n, "wait", d.duration("wait")),
		RetryAfter: read(n, "retryAfter", d.duration("retryAfter")),
	}, true
}

func (d *decoder) statuses(n *Node) (Status, bool) {
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
func (d *decoder) fingerprint(n *Node) (Fingerprint, bool) {
	fields := list(d, "fields", d.field)
	if n.Kind == Sequence {
		v, ok := fields(n)
		return Fingerprint{Fields: Value[[]Field]{V: v, OK: ok, Pos: n.Pos, Key: n.Pos}}, true
	}
	if n.Kind != Mapping {
		d.wrongType(n, "fingerprint", "a list of fields", "write ["+example(n)+"], or a mapping with fields and ignore")
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
func (d *decoder) field(n *Node) (Field, bool) {
	f := Field{Pos: n.Pos}
	if n.Kind != Mapping {
		path, ok := d.path("field")(n)
		f.Path = Value[FieldPath]{V: path, OK: ok, Pos: n.Pos, Key: n.Pos}
		return f, ok
	}
	if !d.object(n, "a field", "field") {
		return f, false
	}
	if n.Member("field") == nil {
		d.errorf(n.Pos, "write {field: body.items, order: ignored}", "this entry names no field")
		return f, false
	}
	f.Path = read(n, "field", d.path("field"))
	f.Order = read(n, "order", d.text("order"))
	f.Normalize = read(n, "normalize", d.normalize)
	return f, f.Path.OK
}

// normalize reads one normalisation or a list of them.
func (d *decoder) normalize(n *Node) ([]Value[string], bool) {
	one := item(d.text("a normalisation"))
	if n.Kind == Sequence {
		return list(d, "normalize", one)(n)
	}
	v, ok := one(n)
	return []Value[string]{v}, ok
}
