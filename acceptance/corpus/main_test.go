// Package corpus tests idemgen on real descriptions, untouched, with overlays of ours
// that make every operation idempotent which is worth it. What is generated for all
// of them is compiled into one service, which runs on a real PostgreSQL.
package corpus

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }
