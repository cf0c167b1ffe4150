package explain

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// Explanation is a request's fingerprint and where it comes from.
type Explanation struct {
	Request string  // the name of the request's file
	Fields  []Field // in the order in which they are encoded; ignored ones at the end
	// Encoding is the canonical form, and Fingerprint its SHA-256.
	Encoding    []byte
	Fingerprint [sha256.Size]byte
}

// Field is one declared value of a request.
type Field struct {
	Path  string // "body.items[0].sku"
	Type  string // "integer int32"; "" for an ignored field
	Value string // in one spelling; "" for an absent and for an ignored one
	Why   string // [Given], [Default], …
}

// Explain computes the fingerprint of a request of an operation. What the service
// would refuse, and what idemgen generate refuses, is a [diag.List].
func Explain(op *model.Operation, r *Request) (*Explanation, error) {
	declared, err := declaredOf(op, r)
	if err != nil {
		return nil, err
	}
	if err := refuse(op, declared.roots).Err(); err != nil {
		return nil, err
	}
	roots, err := decode(declared, r)
	if err != nil {
		return nil, err
	}
	e := newEncoding(op.Name, op.Fingerprint.Version)
	for _, root := range roots {
		e.member(root, root.node.Full)
	}
	for _, path := range op.Fingerprint.Ignored {
		e.fields = append(e.fields, Field{Path: path, Why: Ignored})
	}
	return &Explanation{Request: r.file, Fields: e.fields, Encoding: e.out, Fingerprint: sha256.Sum256(e.out)}, nil
}

// decode fills in what is declared.
func decode(declared declared, r *Request) ([]*slot, error) {
	d := decoder{source: r.source}
	roots := newSlots(declared.roots)
	for _, root := range roots {
		if root.node.Path == "body" {
			d.body(root, r.body)
			continue
		}
		root.open()
		for _, s := range root.members {
			d.received(s, root.node.Path, r)
		}
	}
	for _, root := range roots {
		d.checkDecoded(root, root.node.Full)
	}
	if declared.hashContentType {
		roots = append([]*slot{declared.label()}, roots...)
	}
	return roots, d.list.Err()
}

// body decodes the body. No body is an empty one, where it is optional.
func (d *decoder) body(root *slot, v *value) {
	switch {
	case v != nil:
		d.into(root, v, root.node.Full)
	case root.node.Required:
		d.fail(&value{}, root.node.Full, "", "is missing, and a request without it is refused")
	}
}

// received decodes a parameter of the request. One that is null was not sent.
func (d *decoder) received(s *slot, in string, r *Request) {
	v := r.parameter(in, s.node.Name)
	before := len(d.list)
	if v != nil && v.kind != null {
		d.parameter(s, in, v, s.node.Full)
	} else {
		v = &value{}
	}
	if s.node.Required && s.state == missing && len(d.list) == before {
		d.fail(v, s.node.Full, "", "is missing, and a request without it is refused")
	}
}

// Find returns the operation with that operationId or stored name. The error
// names the nearest.
func Find(contract *model.Contract, name string) (*model.Operation, error) {
	var names []string
	for _, op := range contract.Operations {
		names = append(names, op.ID, op.Name)
	}
	for _, key := range []func(*model.Operation) string{
		func(op *model.Operation) string { return op.ID },
		func(op *model.Operation) string { return op.Name },
	} {
		i := slices.IndexFunc(contract.Operations, func(op *model.Operation) bool { return key(op) == name })
		if i >= 0 {
			return contract.Operations[i], nil
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	return nil, &UnknownOperationError{name, diag.DidYouMean(name, slices.Compact(names))}
}

// UnknownOperationError is the name of an operation that is not there or not
// annotated.
type UnknownOperationError struct {
	Name, Remedy string
}

// Error returns the message and the remedy.
func (e *UnknownOperationError) Error() string {
	return strings.TrimSuffix("no annotated operation is called "+quote(e.Name)+"; "+e.Remedy, "; ")
}

// Difference is a field that two requests do not have in common.
type Difference struct {
	Path string
	// A and B are the values; "" where a request does not have the field at all.
	A, B string
}

// Compare returns the fields in which two requests of one operation differ. There
// are none if and only if their fingerprints are the same.
func Compare(a, b *Explanation) []Difference {
	var differences []Difference
	others := map[string]Field{}
	for _, f := range b.Fields {
		others[f.Path] = f
	}
	for _, f := range a.Fields {
		other := others[f.Path]
		delete(others, f.Path)
		if f.shown() != other.shown() {
			differences = append(differences, Difference{f.Path, f.shown(), other.shown()})
		}
	}
	for _, f := range b.Fields {
		if _, left := others[f.Path]; left {
			differences = append(differences, Difference{Path: f.Path, B: f.shown()})
		}
	}
	return differences
}

// shown is the value, or the word for it where there is none.
func (f Field) shown() string {
	if f.Value == "" {
		return f.Why
	}
	return f.Value
}
