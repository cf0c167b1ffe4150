// Package spec reads an OpenAPI document and its x-idempotent annotations and
// keeps the position of everything it read. It takes no decisions: no defaults,
// no choice of names, no check that a declared field exists. Those are
// internal/plan's.
//
// [Load] reads the file into a tree of [tree.Node], applies the overlay to that tree,
// follows $ref to local files, decodes the annotations and hands the result to
// kin-openapi. What came from the overlay carries the overlay's own positions.
package spec
