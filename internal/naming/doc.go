// Package naming makes Go and SQL identifiers out of the words of a document, and
// keeps text from a document harmless where it is printed into Go or SQL.
package naming
