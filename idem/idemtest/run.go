package idemtest

import (
	"net/http"
	"testing"
)

// Service is what [Run] tests: one operation of a handler, with a database of
// its own that nobody else uses meanwhile.
type Service struct {
	// Handler is the whole service, with its middlewares.
	Handler http.Handler
	// Request makes a request of the operation, without a key. Every variant
	// succeeds. Requests of one variant are equal, and of two mean something else.
	Request func(t testing.TB, variant int) *http.Request
	// Executions counts what the operation has done so far, in the database:
	// rows of the table that it inserts into, for instance.
	Executions func(t testing.TB) int
	// Break makes the business function fail, by an error or by a response that is
	// not final, until mend is called. nil leaves that check out.
	Break func(t testing.TB) (mend func())

	KeyHeader   string        // "" is Idempotency-Key
	KeyOptional bool          // a request without a key is executed
	NewKey      func() string // a key never used before; nil is a random UUID
	Duplicates  int           // how many come at once; 0 is 20
}

// Run sends the operation what clients send when networks fail, each as a
// subtest: a first request, its retry, a changed request with the same key,
// requests whose key is missing or malformed, duplicates at once, and a retry of
// what failed.
func Run(t *testing.T, s Service) {
	t.Helper()
	k := newKit(s)
	for _, c := range k.checks() {
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// check is one subtest.
type check struct {
	name string
	run  func(t testing.TB)
}

func (k *kit) checks() []check {
	all := []check{
		{"a retry gets the first answer", k.retry},
		{"a changed request is refused", k.mismatch},
		{"another key executes again", k.anotherKey},
		{"a malformed key is refused", k.malformedKey},
		{"two keys are refused", k.twoKeys},
		{"duplicates at once execute once", k.duplicates},
	}
	if k.Break != nil {
		all = append(all, check{"a failure frees the key", k.failure})
	}
	if !k.KeyOptional {
		all = append(all, check{"a missing key is refused", k.missingKey})
	}
	return all
}
