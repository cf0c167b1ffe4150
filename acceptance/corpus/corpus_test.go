package corpus

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// TestCorpus sends every annotated operation a request, the same once more, and one
// with the same key that means something else.
func TestCorpus(t *testing.T) {
	program := build(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		database := pgtest.PoolOn(t, server, program.schemas...)
		process := consumer.Start(t, program.path, "-database-url", database.Config().ConnString())
		for _, d := range descriptions {
			for _, o := range d.operations {
				t.Run(d.pkg+" "+o.name, func(t *testing.T) {
					c := client{t: t, base: process.URL("/" + d.pkg), operation: o}
					c.drive(database)
				})
			}
		}
	})
}

// client sends requests of one operation.
type client struct {
	t    *testing.T
	base string
	operation
}

type answer struct {
	Status      int
	Replayed    bool
	ContentType string
	Body        string
}

func (c client) drive(database *pgxpool.Pool) {
	first := c.send(c.first)
	if first.Status != http.StatusCreated || first.Replayed {
		c.t.Fatalf("got %+v, want a 201 that is not replayed", first)
	}
	again := first
	again.Replayed = true
	if diff := gocmp.Diff(again, c.send(c.first)); diff != "" {
		c.t.Errorf("the retry: -want +got\n%s", diff)
	}
	c.expectReused(c.send(request{
		path:   cmp.Or(c.other.path, c.first.path),
		header: cmp.Or(c.other.header, c.first.header),
		body:   cmp.Or(c.other.body, c.first.body),
	}))
	if diff := gocmp.Diff(again, c.send(c.first)); diff != "" {
		c.t.Errorf("the retry after another meaning was refused: -want +got\n%s", diff)
	}
	var executions int
	err := database.QueryRow(c.t.Context(), "SELECT count(*) FROM executions WHERE operation = $1", c.name).Scan(&executions)
	if err != nil {
		c.t.Fatal(err)
	}
	if executions != 1 {
		c.t.Errorf("executed %d times", executions)
	}
}

func (c client) expectReused(got answer) {
	c.t.Helper()
	var problem struct{ Code string }
	if err := json.Unmarshal([]byte(got.Body), &problem); err != nil {
		c.t.Fatalf("no problem: %+v", got)
	}
	if got.Status != http.StatusUnprocessableEntity || problem.Code != "idempotency_key_reused" {
		c.t.Errorf("another meaning: got %+v, want 422 idempotency_key_reused", got)
	}
}

func (c client) send(r request) answer {
	c.t.Helper()
	sent, err := http.NewRequestWithContext(c.t.Context(), c.method, c.base+r.path, strings.NewReader(r.body))
	if err != nil {
		c.t.Fatal(err)
	}
	sent.Close = true
	sent.Header.Set(c.key, "key-1")
	if c.header != "" {
		sent.Header.Set(c.header, r.header)
	}
	switch {
	case c.form:
		sent.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	case r.body != "":
		sent.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(sent)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{
		Status:      response.StatusCode,
		Replayed:    response.Header.Get("Idempotent-Replayed") == "true",
		ContentType: response.Header.Get("Content-Type"),
		Body:        string(content),
	}
}
