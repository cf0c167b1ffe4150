// Package plan makes the decisions: it checks the annotations of a document against
// the document, applies defaults and chooses names. [Contract] does this for the
// document, and [Code] for the code that oapi-codegen and sqlc have generated.
//
// All problems are reported in one run, each with its position and how to fix it.
package plan
