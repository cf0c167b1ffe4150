// Package idem is the runtime of code that idemgen generates: it runs a
// business function at most once per idempotency key and gives every retry the
// recorded answer.
//
// [Guard.Execute] is the protocol. One call takes one connection and, on its
// first execution, two round trips around the business function:
//
//	BEGIN; INSERT the key; SAVEPOINT       the claim
//	… the business function, in the same transaction …
//	RELEASE SAVEPOINT; record; COMMIT      the finish
//
// The unique key of the table decides who executes. Everything that is not
// committed leaves no trace, so a crash, a panic or a lost connection frees the
// key by itself; there is no lease to wait for. Duplicates in one process wait
// at a gate, without a connection; duplicates in other processes ask again in
// jittered pauses. Nobody ever sleeps inside the database.
//
// [Hasher] computes fingerprints, [LimitBodies] bounds request bodies and
// [Sweeper] empties expired records. The package depends on the standard
// library and pgx, keeps no global state and starts no goroutine.
package idem

// GeneratedCodeV1 is what generated code refers to, so that code and runtime
// of different generations do not compile together.
const GeneratedCodeV1 = true
