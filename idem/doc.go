// Package idem is the runtime of code that idemgen generates: it runs a
// business function at most once per idempotency key and gives every retry the
// recorded answer.
//
// [Guard.Execute] is the protocol. One call takes one connection and, on its
// first execution, two round trips around the business function:
//
//	BEGIN; INSERT the key     the claim
//	… the business function, in the same transaction …
//	record; COMMIT            the finish
//
// An operation whose final statuses include errors has a savepoint between claim
// and business, so that such a response undoes what was written and is recorded.
//
// The unique key of the table decides who executes. Everything that is not
// committed leaves no trace, so a crash, a panic or a lost connection frees the
// key by itself; there is no lease to wait for. Duplicates in one process wait
// at a gate, without a connection; duplicates in other processes ask again in
// jittered pauses. Nobody sleeps inside the database until a winner is through. A
// claim can wait there for a sweep or a purge that has its row just then, one
// statement long, and never beyond its deadline.
//
// A COMMIT that is not answered is not guessed about: the call claims its key
// again, on a new connection, and learns what became of it.
//
// [Hasher] computes fingerprints, [LimitBodies] bounds request bodies and
// [Sweeper] empties expired records. The package depends on the standard
// library and pgx, keeps no global state and starts no goroutine.
package idem

// GeneratedCodeV1 is what generated code refers to, so that code and runtime
// of different generations do not compile together.
const GeneratedCodeV1 = true
