// Package idemtest helps a service to test that its operations are idempotent,
// over its own handler and its own database.
//
// [Run] sends an operation what clients send when networks fail: retries, also such as
// are written otherwise or come after the key's window, changed requests, bad keys, many
// duplicates at once, and retries of errors.
//
// [SingleConnection] finds business functions that use the pool where they were
// given a transaction.
package idemtest
