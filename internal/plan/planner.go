package plan

import (
	"maps"
	"slices"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// Options are the settings of the configuration that affect the contract.
type Options struct {
	// Owner is the import path of the generated server.
	Owner string
	// Strict makes an undecided request field an error, unless the annotation
	// says otherwise.
	Strict bool
	// NullableType is set if oapi-codegen generates with its option nullable-type, so
	// that the Go types of properties and list elements distinguish null from absent.
	NullableType bool
	// NoPointers is set if oapi-codegen generates with its option
	// prefer-skip-optional-pointer: a missing value is the zero value of its type.
	NoPointers bool
	// GoTypes are the Go types that its option type-mapping sets for types and
	// formats, where they differ from the defaults: "string uuid". The entry of a type
	// alone, "number *", applies to the formats without an entry of their own; "" is
	// the default.
	GoTypes map[string]string
}

// The defaults of settings for which the runtime has none.
const (
	defaultKeyName = "Idempotency-Key"
	defaultWindow  = 72 * time.Hour
)

// planner builds the contract of a document.
type planner struct {
	doc     *spec.Document
	options Options
	list    diag.List
	scopes  map[string]*model.Scope  // nil for a malformed scope
	columns map[string][]spec.Column // of scopes, as annotated
}

// defaults are the root's settings; empty if there is no root.
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
