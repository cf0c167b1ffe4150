package idem

import "github.com/idemgen/idemgen/idem/idemrt"

// Errors of the runtime that a service can meet. Use [errors.Is].
var (
	// ErrTxOwned is returned by Commit and Rollback of a business function's tx. The
	// transaction ends when the function returns: a response commits it if its status
	// is final, an error rolls it back.
	ErrTxOwned = idemrt.ErrTxOwned

	// ErrUnknownOutcome is returned by a generated method, for a call without an
	// idempotency key whose COMMIT was not acknowledged: whether the writes were
	// committed is not known. With a key the runtime finds out.
	ErrUnknownOutcome = idemrt.ErrUnknownOutcome
)
