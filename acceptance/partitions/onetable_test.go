package partitions

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/acceptance/internal/logbuffer"
)

// oneTableProgram is the service before its responses were partitioned, compiled, and
// the SQL that was generated for it.
type oneTableProgram struct {
	path            string
	schema, queries string
}

// buildOneTable generates and compiles the service. Its document is that of the
// partitioned one, with an overlay.
func buildOneTable(t *testing.T) oneTableProgram {
	t.Helper()
	module := consumer.New(t, "example.com/onetable", filepath.Join("testdata", "onetable"))
	module.Write("openapi.yaml", readFile(t, "service/openapi.yaml"))
	module.MustGenerate()
	return oneTableProgram{
		path:    module.Build(),
		schema:  module.Read("schema/idempotency.sql"),
		queries: module.Read("queries/idempotency.sql"),
	}
}

// oneTable is the service before its responses were partitioned, in a process of its own.
type oneTable struct {
	*service
	queries string
}

// start starts the service on a database that has its tables.
func (p oneTableProgram) start(t *testing.T, pool *pgxpool.Pool) oneTable {
	t.Helper()
	process := consumer.Start(t, p.path, "-database-url", pool.Config().ConnString())
	address, err := url.Parse(process.URL("/"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(address)
	transport := &http.Transport{}
	proxy.Transport = transport
	t.Cleanup(transport.CloseIdleConnections)
	return oneTable{&service{t: t, pool: pool, handler: proxy, log: &logbuffer.Buffer{}}, p.queries}
}

// tombstone deletes the response of a key, by the query that was generated for that.
func (o oneTable) tombstone(key string) {
	o.t.Helper()
	tag, err := o.pool.Exec(o.t.Context(), statements(o.queries)["TombstoneAccountKey"], account, "createPayment", key)
	if err != nil || tag.RowsAffected() != 1 {
		o.t.Fatalf("got %d tombstones, %v; want 1", tag.RowsAffected(), err)
	}
}
