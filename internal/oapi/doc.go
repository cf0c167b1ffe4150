// Package oapi drives oapi-codegen and reads what it wrote.
//
// [Bind] turns a freshly loaded document into the bound one, in which keys are
// plain optional headers; [BoundYAML] prints it; [Run] has oapi-codegen generate
// models and strict server from it. [Load] reads the generated Go, [Resolve]
// finds the Go expression of every declared field in it, walking the document's
// tree and the Go types side by side, and [TypeCheck] looks at everything
// together before it is written.
package oapi
