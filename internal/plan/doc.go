// Package plan decides: it checks the annotations of a document against the
// document, applies defaults and chooses names. [Contract] does so for what the
// document says, and [Code] for what oapi-codegen and sqlc have generated.
//
// Everything that is wrong is reported in one run, each with its position and
// how to mend it.
package plan
