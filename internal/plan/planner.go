package plan

import (
	"maps"
	"slices"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Options are what the configuration says about the contract.
type Options struct {
	// Owner is the import path of the generated server.
	Owner string
	// Strict makes an undecided request field an error, unless the annotation
	// says otherwise.
	Strict bool
	// NullableType says that oapi-codegen generates with its option nullable-type,
	// so that the Go types of properties and list elements tell null from absent.
	NullableType bool
	// NoPointers says that oapi-codegen generates with its option
	// prefer-skip-optional-pointer: a missing value is the zero value of its type.
	NoPointers bool
	// GoTypes are the Go types that its option type-mapping has for types and formats,
	// where they are not the usual ones: "string uuid". The entry of a type alone,
	// "number *", is for the formats that have no entry of their own; "" is the usual.
	GoTypes map[string]string
}

// What an annotation leaves out, and the runtime has no default for.
const (
	defaultKeyName = "Idempotency-Key"
	defaultWindow  = 72 * time.Hour
)

// planner makes the contract of a document.
type planner struct {
	doc     *spec.Document
	options Options
	list    diag.List
	scopes  map[string]*model.Scope  // a malformed scope is nil
	columns map[string][]spec.Column // of scopes, as annotated
}

// defaults are the root's settings; empty ones without a root.
func (p *planner) defaults() spec.Settings {
	if p.doc.Root == nil {
		return spec.Settings{}
	}
	return p.doc.Root.Defaults
}

// pick returns the operation's value, else that of the defaults.
func pick[T any](operation, defaults spec.Value[T]) spec.Value[T] {
	if operation.Present() {
		return operation
	}
	return defaults
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
