// Package expand writes the two documents that are derived from an annotated one, in
// the same format. The order of keys and the comments of YAML are kept.
//
// [Published] is for callers of the API. It describes the idempotency key with its
// constraints, the problem responses that can occur and the header of a replay.
// [Bound] is for code generators and validating middleware: in it, keys are plain
// optional headers, which the generated server checks itself.
package expand
