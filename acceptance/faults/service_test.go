package faults

import (
	_ "embed"
	"path/filepath"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
)

// service is the service as a program, and the SQL that its database needs.
type service struct {
	program string
	schemas []string
}

//go:embed driver.sql
var driverSchema string

// shared is the service that all tests of the process use.
var shared struct {
	folder string // of its module
	once   sync.Once
	service
}

// buildService generates and compiles the service on the first call.
func buildService(t *testing.T) service {
	t.Helper()
	shared.once.Do(func() {
		module := consumer.NewIn(t, shared.folder, "example.com/faults", filepath.Join("testdata", "service"))
		module.MustGenerate()
		shared.service = service{
			program: module.Build(),
			schemas: []string{module.Read("schema/idempotency.sql"), module.Read("business.sql"), driverSchema},
		}
	})
	if shared.program == "" {
		t.Fatal("the service could not be built; the first test that needed it says why")
	}
	return shared.service
}
