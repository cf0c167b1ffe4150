// Package deploy tests what becomes of recorded requests when the fields that
// decide a request's meaning change: old and new generated code run as services
// on one PostgreSQL, as they do while a deploy is rolled out or taken back.
package deploy

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }
