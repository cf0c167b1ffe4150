package idemtest

import (
	"net/http"
	"testing"
)

// Service is what [Run] tests: one operation of a handler, with a database of
// its own that nobody else uses meanwhile.
//
// Handler, Request and Executions are required. Each of the functions from Break to
// Expire supplies what one check needs and cannot find out by itself; where one is
// nil, that check is skipped, with a message that says so.
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
	// not final, until fix is called.
	Break func(t testing.TB) (fix func())
	// Same makes requests, without a key, that mean the same as variant 0 and are
	// written otherwise: with other values in ignored fields, with defaults written
	// out, with the members of an object in another order.
	Same func(t testing.TB) []*http.Request
	// FinalError makes a request, without a key, that is answered with an error whose
	// status is final, such as 402 with final: [2XX, 402]. Equal ones each time.
	FinalError func(t testing.TB) *http.Request
	// Expire ends the replay window of every key that was used so far, for instance by
	// UPDATE account_idempotency_keys SET replay_until = now().
	Expire func(t testing.TB)

	KeyHeader   string        // "" is Idempotency-Key
	KeyOptional bool          // a request without a key is executed
	NewKey      func() string // a key never used before; nil is a random UUID
	Duplicates  int           // how many come at once; 0 is 20
}

// Run sends the operation what clients send when networks fail, each as a
// subtest: a first request, its retry, a retry that is written otherwise, a changed
// request with the same key, requests whose key is missing, malformed or expired,
// duplicates at once, and retries of what failed, for now or for good.
func Run(t *testing.T, s Service) {
	t.Helper()
	k := newKit(s)
	for _, c := range k.checks() {
		t.Run(c.name, func(t *testing.T) {
			if c.needs != "" {
				t.Skip("SKIPPED: " + c.needs)
			}
			c.run(t)
		})
	}
}

// check is one subtest.
type check struct {
	name  string
	run   func(t testing.TB)
	needs string // what is to be supplied for it, if that is missing
}

func (k *kit) checks() []check {
	return []check{
		{"a retry gets the first answer", k.retry, ""},
		{
			"a retry that is written otherwise gets the first answer", k.sameMeaning,
			unless(k.Same != nil, "set Same to a function that makes requests of the same meaning as variant 0, with ignored fields changed or defaults written out"),
		},
		{"a changed request is refused", k.mismatch, ""},
		{"another key executes again", k.anotherKey, ""},
		k.withoutKey(),
		{"a malformed key is refused", k.malformedKey, ""},
		{"two keys are refused", k.twoKeys, ""},
		{"duplicates at once execute once", k.duplicates, ""},
		{
			"a failure frees the key", k.failure,
			unless(k.Break != nil, "set Break to a function that makes the business function fail, by an error or a response that is not final"),
		},
		{
			"a final error is recorded", k.finalError,
			unless(k.FinalError != nil, "set FinalError to a function that makes a request that is answered with a final error, if the operation's final: lists one"),
		},
		{
			"an expired key never executes again", k.expired,
			unless(k.Expire != nil, "set Expire to a function that ends the replay window of all keys: UPDATE <key table> SET replay_until = now()"),
		},
	}
}

// withoutKey is the check of requests that have no key.
func (k *kit) withoutKey() check {
	if k.KeyOptional {
		return check{"without a key it executes again", k.noKey, ""}
	}
	return check{"a missing key is refused", k.missingKey, ""}
}

func unless(supplied bool, needs string) string {
	if supplied {
		return ""
	}
	return needs
}
