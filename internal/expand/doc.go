// Package expand writes the two documents that follow from an annotated one, into
// the text of that one: comments, order and style stay.
//
// [Published] is for callers of the API. It states the idempotency key with its
// constraints, the problem responses that can occur and the header of a replay.
// [Bound] is for code generators and validating middleware: in it, keys are plain
// optional headers, which the generated server checks itself.
package expand
