// Package expand writes the two documents that follow from an annotated one, in the
// format of that one. The order of keys stays, and so do the comments of YAML.
//
// [Published] is for callers of the API. It states the idempotency key with its
// constraints, the problem responses that can occur and the header of a replay.
// [Bound] is for code generators and validating middleware: in it, keys are plain
// optional headers, which the generated server checks itself.
package expand
