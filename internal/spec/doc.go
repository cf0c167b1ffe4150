// Package spec reads an OpenAPI document and its x-idempotent annotations and keeps
// the position of every value. It makes no decisions: applying defaults, choosing
// names and checking that declared fields exist are the work of internal/plan.
//
// [Load] reads the file into a tree of [tree.Node], applies the overlay to that tree,
// follows $ref to local files, decodes the annotations and passes the result to
// kin-openapi. Values from the overlay have positions in the overlay.
package spec
