package database

import (
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

func TestKeyTablesAreTheGeneratedOnes(t *testing.T) {
	generated, err := os.ReadFile("../../../schema/idempotency.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(generated), keyTables); diff != "" {
		t.Errorf("idempotency.sql is out of date; run go generate in this folder (-generated +copied):\n%s", diff)
	}
}

func TestMigrateManyAtOnce(t *testing.T) {
	address := pgtest.Database(t, pgtest.Server(t))
	var processes sync.WaitGroup
	for range 4 {
		processes.Go(func() {
			pool, err := Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			pool.Close()
		})
	}
	processes.Wait()

	pool, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var tables int
	const query = "SELECT count(*) FROM information_schema.tables WHERE table_name IN ('orders', 'account_idempotency_keys', 'provider_idempotency_keys')"
	if err := pool.QueryRow(t.Context(), query).Scan(&tables); err != nil {
		t.Fatal(err)
	}
	if tables != 3 {
		t.Errorf("%d of 3 tables are there", tables)
	}
}
