package deploy

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// Requests. What the comment calls the same is so by fingerprint version 1.
const (
	hundred     = `{"amount": 100}`
	sameHundred = `{"note": "again", "currency": "EUR", "amount": 100, "purpose": "rent"}`
	hundredCHF  = `{"amount": 100, "currency": "CHF"}`
	thousand    = `{"amount": 1000}`

	rent       = `{"amount": 700, "purpose": "rent"}`
	rentCHF    = `{"purpose": "rent", "currency": "CHF", "amount": 700}` // the same by version 2
	noPurpose  = `{"amount": 700}`
	smallTalk  = `{"amount": 700, "purpose": "rent", "note": "hello"}` // the same by version 2
	otherMoney = `{"amount": 7, "purpose": "rent"}`
)

func TestDeploy(t *testing.T) {
	built := build(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for name, run := range map[string]func(*deployment){
			"rolled out":   rolledOut,
			"rolled back":  rolledBack,
			"side by side": sideBySide,
			"retired":      retired,
		} {
			t.Run(name, func(t *testing.T) { run(newDeployment(t, built, server)) })
		}
	})
}

// rolledOut retries with the new code what the old code has recorded.
func rolledOut(d *deployment) {
	first := d.start(d.old).created("key-1", hundred)
	d.stop()

	d.start(d.new)
	d.replays(first, "key-1", hundred)
	d.replays(first, "key-1", sameHundred) // version 1 does not know purpose, and its default is EUR
	d.refuses("key-1", thousand)
	d.refuses("key-1", hundredCHF)
	d.executed(1)

	second := d.created("key-2", rent)
	d.replays(second, "key-2", rentCHF) // version 2's default
	d.refuses("key-2", noPurpose)       // version 2 knows purpose
	d.executed(2)
}

// rolledBack meets with the old code what the new code has recorded.
func rolledBack(d *deployment) {
	first := d.start(d.old).created("key-1", hundred)
	d.stop()
	second := d.start(d.new).created("key-2", rent)
	d.stop()

	d.start(d.old)
	d.unavailable("key-2", rent)
	d.unavailable("key-2", otherMoney)
	d.replays(first, "key-1", hundred)
	d.executed(2)
	third := d.created("key-3", hundred)
	d.stop()

	d.start(d.new)
	d.replays(second, "key-2", smallTalk)
	d.replays(first, "key-1", hundred)
	d.replays(third, "key-3", sameHundred)
	d.refuses("key-3", thousand)
	d.executed(3)
}

// sideBySide has both run at once, and a client whose retries reach either.
func sideBySide(d *deployment) {
	old, next := d.process(d.old), d.process(d.new)
	d.Process = old
	first := d.created("key-1", hundred)
	d.Process = next
	second := d.created("key-2", rent)
	for range 3 {
		d.Process = old
		d.replays(first, "key-1", hundred)
		d.unavailable("key-2", rent)
		d.Process = next
		d.replays(first, "key-1", hundred)
		d.replays(second, "key-2", rent)
	}
	d.executed(2)
}

// retired has code without version 1 meet a record of it.
func retired(d *deployment) {
	d.start(d.old).created("key-1", hundred)
	d.stop()
	second := d.start(d.new).created("key-2", rent)
	d.stop()

	d.start(d.retired)
	d.problem("key-1", hundred, http.StatusGone, "idempotency_expired")
	d.problem("key-1", thousand, http.StatusGone, "idempotency_expired") // without comparison
	d.replays(second, "key-2", rent)
	d.refuses("key-2", otherMoney)
	d.executed(2)
	d.created("key-4", hundred)
	d.executed(3)
}

// deployment is a database and the release that serves on it.
type deployment struct {
	releases
	*consumer.Process
	t        *testing.T
	database *pgxpool.Pool
}

func newDeployment(t *testing.T, built releases, server *pgserver.Server) *deployment {
	t.Helper()
	module := built.old.module
	return &deployment{
		releases: built,
		t:        t,
		database: pgtest.PoolOn(t, server, module.Read("schema/idempotency.sql"), module.Read("business.sql")),
	}
}

// start has a release serve.
func (d *deployment) start(r release) *deployment {
	d.t.Helper()
	d.Process = d.process(r)
	return d
}

func (d *deployment) process(r release) *consumer.Process {
	d.t.Helper()
	return consumer.Start(d.t, r.program, "-database-url", d.database.Config().ConnString())
}

func (d *deployment) stop() { d.Process.Stop() }

func (d *deployment) post(key, body string) consumer.Answer {
	d.t.Helper()
	return d.Post("/transfers", key, body)
}

// created sends a request that must be executed.
func (d *deployment) created(key, body string) consumer.Answer {
	d.t.Helper()
	answer := d.post(key, body)
	if answer.Status != http.StatusCreated || answer.Replayed {
		d.t.Fatalf("got %+v, want a 201 that is not replayed", answer)
	}
	return answer
}

// replays sends a request that must get the answer of the first.
func (d *deployment) replays(first consumer.Answer, key, body string) {
	d.t.Helper()
	first.Replayed = true
	if diff := cmp.Diff(first, d.post(key, body)); diff != "" {
		d.t.Errorf("not the first answer: -want +got\n%s", diff)
	}
}

// refuses sends a request that is another one than the first with its key.
func (d *deployment) refuses(key, body string) {
	d.t.Helper()
	d.problem(key, body, http.StatusUnprocessableEntity, "idempotency_key_reused")
}

// unavailable sends a request that only a newer release can judge.
func (d *deployment) unavailable(key, body string) {
	d.t.Helper()
	answer := d.problem(key, body, http.StatusServiceUnavailable, "idempotency_unavailable")
	if answer.Header.Get("Retry-After") == "" {
		d.t.Errorf("no Retry-After in %v", answer.Header)
	}
}

func (d *deployment) problem(key, body string, status int, code string) consumer.Answer {
	d.t.Helper()
	answer := d.post(key, body)
	var problem struct{ Code string }
	if err := json.Unmarshal([]byte(answer.Body), &problem); err != nil {
		d.t.Errorf("no problem: %+v", answer)
	}
	if answer.Status != status || problem.Code != code || answer.Replayed {
		d.t.Errorf("got %+v, want %d %s", answer, status, code)
	}
	return answer
}

// executed demands that the business function has run that often, whether or not
// it was rolled back.
func (d *deployment) executed(want int) {
	d.t.Helper()
	var runs, rows int
	err := d.database.QueryRow(d.t.Context(),
		"SELECT (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM executions), (SELECT count(*) FROM transfers)").Scan(&runs, &rows)
	if err != nil {
		d.t.Fatal(err)
	}
	if runs != want || rows != want {
		d.t.Errorf("executed %d times, with %d transfers; want %d of each", runs, rows, want)
	}
}
