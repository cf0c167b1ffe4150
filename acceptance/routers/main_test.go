// Package routers runs one suite over what idemgen generates for each of
// oapi-codegen's nine strict servers: the same API, the same business function, the
// framework's own router, a real PostgreSQL. All nine are compiled into one program,
// which runs as a process of its own for each framework.
package routers

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }
