// Package idem makes the annotated operations of a service idempotent. It is what a
// service uses beside the code that idemgen generates from its OpenAPI document.
//
// A service makes one [Guard] for its database and gives it to the generated
// NewIdempotentServer, which runs each business function at most once per
// idempotency key and gives every retry the recorded response. A [Sweeper] deletes
// responses whose windows are over, and runs as long as the service does.
//
// # Business functions
//
// A business function gets a pgx.Tx, does all its database work through it, and
// returns a response or an error. A response whose status is final is recorded and
// committed; anything else is rolled back, and a retry runs again. The function cannot
// end the transaction: see [ErrTxOwned].
//
// # Logs
//
// The guard logs each problem that it answers: operation, code, instance, which is in the
// response too, step, and key_digest, which names the key without giving it away. The
// level is INFO for what the caller did, WARN for a database that cannot be asked, and
// ERROR for a fault of the service. See [WithLogger] and [WithLogKey].
//
// # Packages
//
// Package idemrt holds the protocol and what else generated code calls, and package
// fingerprint tells requests apart. Package idemtest tests a service. The module
// depends on the standard library, pgx, and golang.org/x/text, which pgx depends on too.
// It keeps no global state and starts no goroutine.
package idem

import "github.com/idemgen/idemgen/idem/idemrt"

// GeneratedCodeV1 is what generated files referred to before package idemrt existed.
// They do not compile any more, and the compiler says why: run idemgen generate.
var GeneratedCodeV1 idemrt.GeneratedFileIsOlderThanRuntimeRunIdemgenGenerate //nolint:gochecknoglobals // no constant, so that the compiler names its type
