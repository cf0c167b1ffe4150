// Package payouts tests idemgen on real input: PayPal's description of its
// Payouts API, untouched, with an overlay of ours that makes one operation
// idempotent. What is generated is compiled into a service with a business
// function of its own, which runs in a process of its own on a real PostgreSQL.
package payouts

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(command.Main(pgtest.Main(m))) }
