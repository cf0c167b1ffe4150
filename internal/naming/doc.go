// Package naming derives Go and SQL identifiers from names in a document, and makes
// text from a document safe to print in Go or SQL.
package naming
