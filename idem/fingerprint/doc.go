// Package fingerprint computes the fingerprint of a request: a digest of the fields
// that an annotation declares, by which a retry is told from another request that
// uses the same idempotency key.
//
// Generated code calls a [Hasher], field by field. docs/fingerprint.md specifies the
// encoding, and docs/fingerprint-vectors.json has test vectors for it, so that other
// languages can compute the same digests.
//
// The encoding is stable: a stored fingerprint stays valid when the service is
// built with a later release of this package. The package depends on the standard
// library and on golang.org/x/text, which pgx depends on too.
package fingerprint
