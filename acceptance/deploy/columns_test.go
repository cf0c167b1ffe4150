package deploy

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// columnChange is a confirmed change of a scope's columns.
type columnChange struct {
	columns   string // what they are then
	now       string // of user_id in the previous table, if it was renamed
	scope     string // what the resolver returns then
	replayed  bool   // whether recorded requests are replayed; else they are 410
	responses string // in the document, before and after; "" for inline
}

var columnChanges = map[string]columnChange{
	"added":   {columns: "{name: tenant_id, type: int64}, {name: user_id, type: int64}, {name: region, type: string, maxLength: 8}", scope: `(tenantID, userID int64, region string, err error) { return 1, 2, "eu", nil }`, replayed: true},
	"renamed": {columns: "{name: tenant_id, type: int64}, {name: customer_id, type: int64}", now: ", now: customer_id", scope: "(tenantID, customerID int64, err error) { return 1, 2, nil }", replayed: true},
	"removed": {columns: "{name: tenant_id, type: int64}", scope: "(tenantID int64, err error) { return 1, nil }"},
	"partitioned": {
		columns: "{name: tenant_id, type: int64}, {name: user_id, type: int64}, {name: region, type: string, maxLength: 8}", scope: `(tenantID, userID int64, region string, err error) { return 1, 2, "eu", nil }`,
		replayed: true, responses: "\n      responses: {partition: day}",
	},
}

const (
	oldColumns = "{name: tenant_id, type: int64}, {name: user_id, type: int64}"
	oldScope   = "(tenantID, userID int64, err error) { return 1, 2, nil }"
	oneColumn  = "columns: [{name: tenant_id, type: int64}]" // as the document has it
)

// TestColumns changes the columns of a scope in use: the migration is applied while
// instances from before and after it serve the same clients.
func TestColumns(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("testdata", "api.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]releases{}
	for name, change := range columnChanges {
		built[name] = buildColumns(t, string(document), change)
	}
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for name, change := range columnChanges {
			t.Run(name, func(t *testing.T) {
				d := newDeployment(t, built[name], server)
				change.deploy(d, d.process(d.old), d.process(d.new))
			})
		}
	})
}

func buildColumns(t *testing.T, document string, change columnChange) releases {
	t.Helper()
	was := edit(t, document, []string{oneColumn, "columns: [" + oldColumns + "]" + change.responses})
	old := newModule(t, was, "")
	old.Write("tenants.go", resolver(old, oldScope))
	old.MustGenerate()

	next := newModule(t, edit(t, document, []string{oneColumn, "columns: [" + change.columns + "]" + change.responses}), lock(old))
	next.Write("api.yaml", edit(t, next.Read("api.yaml"), []string{"\npaths:", "\n      " + change.confirmation(t, next) + "\npaths:"}))
	next.Write("tenants.go", resolver(next, change.scope))
	printed := next.MustGenerate()
	_, migration, found := strings.Cut(printed, "needs this instead:\n\n")
	if !found {
		t.Fatalf("generate prints no SQL:\n%s", printed)
	}
	return releases{old: release{old, old.Build()}, new: release{next, next.Build()}, migration: migration}
}

// confirmation is what the document lacks, by the error that generate reports.
func (c columnChange) confirmation(t *testing.T, module consumer.Module) string {
	t.Helper()
	diagnostics, generated := module.Generate()
	_, text, reported := strings.Cut(diagnostics, "or confirm the change: add ")
	text, _, ends := strings.Cut(text, " to the scope")
	if generated || !reported || !ends {
		t.Fatalf("the change of the columns is not refused:\n%s", diagnostics)
	}
	return strings.Replace(text, "{name: user_id, type: int64}", "{name: user_id, type: int64"+c.now+"}", 1)
}

// resolver is tenants.go of the service with another scope.
func resolver(module consumer.Module, scope string) string {
	return strings.Replace(module.Read("tenants.go"), "(tenantID int64, err error) { return 1, nil }", scope, 1)
}

// deploy has both releases run, and migrates meanwhile.
func (c columnChange) deploy(d *deployment, old, next *consumer.Process) {
	d.populate()
	d.Process = old
	first := d.created("first", hundred)
	d.created("expired", hundred)
	d.exec("UPDATE tenant_idempotency_keys SET replay_until = now() - interval '1 hour' WHERE idempotency_key = 'expired'")
	d.Process = next
	d.unavailable("first", hundred)
	d.unavailable("fresh", hundred)
	d.executed(2)

	answers := d.busy(old, next, func() { d.exec(d.migration) })
	d.executed(2 + len(answers))

	answers["first"] = first
	for key, answer := range answers {
		d.Process = old
		d.unavailable(key, hundred)
		d.Process = next
		c.retries(d, answer, key)
	}
	d.problem("expired", hundred, http.StatusGone, "idempotency_expired")
	d.Process = old
	d.unavailable("fresh", hundred)
	d.executed(1 + len(answers))

	d.Process = next
	fresh := d.created("fresh", hundred)
	d.replays(fresh, "fresh", hundred)
	d.refuses("fresh", thousand)
	d.executed(2 + len(answers))
	c.sweeps(d)
}

// retries sends a request again that was executed before the migration or after it.
func (c columnChange) retries(d *deployment, first consumer.Answer, key string) {
	d.t.Helper()
	if !c.replayed && d.isPrevious(key) {
		d.problem(key, hundred, http.StatusGone, "idempotency_expired")
		d.problem(key, thousand, http.StatusGone, "idempotency_expired") // without comparison
		return
	}
	d.replays(first, key, hundred)
	d.refuses(key, thousand)
}

// sweeps has the previous table swept and purged as the others are.
func (c columnChange) sweeps(d *deployment) {
	d.t.Helper()
	d.exec("UPDATE tenant_idempotency_keys_1 SET replay_until = now() - interval '200 hours' WHERE idempotency_key = 'populated 1'")
	answer := d.Post("/sweep", "", "")
	want := "emptied 1, purged 1" // the expired one; the populated one is a tombstone
	if c.responses != "" {
		want = "emptied 0, purged 1"
	}
	if answer.Body != want {
		d.t.Errorf("got %+v, want %s", answer, want)
	}
	d.problem("expired", hundred, http.StatusGone, "idempotency_expired")
}

// populate gives the key table as many old keys as it takes to be worth an index.
func (d *deployment) populate() {
	d.t.Helper()
	d.exec(`INSERT INTO tenant_idempotency_keys (tenant_id, user_id, operation, idempotency_key, fingerprint, fingerprint_version, created_at, replay_until)
		SELECT 1, n % 100, 'createTransfer', 'populated ' || n, '', 1, now(), now() + interval '1 hour' FROM generate_series(1, 20000) AS n`)
}

// busy has clients send requests with keys of their own, to either release until it is
// executed, and calls migrate in the middle. It returns the answers by key.
func (d *deployment) busy(old, next *consumer.Process, migrate func()) map[string]consumer.Answer {
	d.t.Helper()
	const clients, before, after = 4, 10, 10
	var started, done sync.WaitGroup
	started.Add(clients)
	migrated := make(chan struct{})
	var mutex sync.Mutex
	answers := map[string]consumer.Answer{}
	for client := range clients {
		done.Go(func() {
			for i := range before + after {
				if i == before {
					started.Done()
				}
				key := fmt.Sprintf("client-%d-%d", client, i)
				answer := either(old, next, key)
				mutex.Lock()
				answers[key] = answer
				mutex.Unlock()
			}
			<-migrated
			key := fmt.Sprintf("client-%d-last", client)
			answer := either(old, next, key)
			mutex.Lock()
			answers[key] = answer
			mutex.Unlock()
		})
	}
	started.Wait()
	migrate()
	close(migrated)
	done.Wait()
	for key, answer := range answers {
		if answer.Status != http.StatusCreated || answer.Replayed {
			d.t.Errorf("%s: got %+v, want a 201 that is not replayed", key, answer)
		}
	}
	return answers
}

// either sends a request until a release answers it with something else than 503, which
// one of the two always will.
func either(old, next *consumer.Process, key string) consumer.Answer {
	for {
		for _, process := range []*consumer.Process{old, next} {
			if answer := process.Post("/transfers", key, hundred); answer.Status != http.StatusServiceUnavailable {
				return answer
			}
		}
	}
}

// isPrevious reports whether a key was recorded before the migration.
func (d *deployment) isPrevious(key string) bool {
	d.t.Helper()
	var previous bool
	err := d.database.QueryRow(d.t.Context(), "SELECT EXISTS (SELECT FROM tenant_idempotency_keys_1 WHERE idempotency_key = $1)", key).Scan(&previous)
	if err != nil {
		d.t.Fatal(err)
	}
	return previous
}

func (d *deployment) exec(sql string) {
	d.t.Helper()
	if _, err := d.database.Exec(d.t.Context(), sql); err != nil {
		d.t.Fatal(err)
	}
}
