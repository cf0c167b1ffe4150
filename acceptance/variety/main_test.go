// Package variety tests what descriptions have that a tidy one has not: keys in
// bodies, optional keys and oddly named ones, several content types, operationIds
// that are no identifiers, tables that need quotes, and responses of every kind. One
// service is generated, compiled and driven over HTTP against PostgreSQL.
package variety

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }
