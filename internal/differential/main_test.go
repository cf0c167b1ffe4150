// Package differential proves that the fingerprint functions which idemgen generates
// and explain, which share no code that encodes, compute the same. It draws documents
// of everything that can be declared, has the real generator make a service of them,
// and sends requests through its strict server, so that they are decoded as they are
// in production. A third opinion, the meaning of a request as drawn, says which
// requests must have the same fingerprint and which must not.
package differential

import (
	"os"
	"testing"

	"github.com/idemgen/idemgen/internal/sqlc"
)

func TestMain(m *testing.M) {
	if code, ok := sqlc.Child(os.Args[1:]); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
