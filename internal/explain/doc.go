// Package explain computes the fingerprint of a request that is given as JSON, and
// says of every declared field what went into it and why.
//
// It interprets the document, and follows docs/fingerprint.md; it shares no code
// with the runtime or with what is generated. The two must agree, so that each
// can be tested against the other.
package explain
