package routers

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// patience bounds what a working service does at once.
const patience = time.Minute

// service is a running service with a database of its own.
type service struct {
	t *testing.T
	framework
	process  *consumer.Process
	database *pgxpool.Pool
	client   *http.Client
}

func start(t *testing.T, p program, f framework) *service {
	t.Helper()
	database := pgtest.Pool(t, p.schemas...)
	transport := &http.Transport{MaxIdleConnsPerHost: 32}
	process := consumer.Start(t, p.path, "-framework", f.name, "-database-url", database.Config().ConnString())
	t.Cleanup(transport.CloseIdleConnections)
	return &service{t: t, framework: f, process: process, database: database, client: &http.Client{Transport: transport}}
}

// call is a request to create an order, as most tests send it.
type call struct {
	account string   // "ann" if empty
	act     string   // what is to become of the order
	sku     string   // "teapot" if empty
	keys    []string // each is a header line of its own
	body    string   // instead of act and sku
}

func order(act, key string) call { return call{act: act, keys: []string{key}} }

func (c call) request(ctx context.Context, url string) (*http.Request, error) {
	body := c.body
	if body == "" {
		content, err := json.Marshal(map[string]string{"act": c.act, "sku": or(c.sku, "teapot")})
		if err != nil {
			return nil, err
		}
		body = string(content)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Account", or(c.account, "ann"))
	if c.keys != nil {
		request.Header["Idempotency-Key"] = c.keys
	}
	return request, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// answer is what a client gets.
type answer struct {
	Status   int
	Replayed bool
	Header   http.Header // without those that differ from answer to answer
	Body     string
}

// problem is the code of a problem, or "".
func (a answer) problem() string {
	var body struct{ Code string }
	if a.Header.Get("Content-Type") != "application/problem+json" || json.Unmarshal([]byte(a.Body), &body) != nil {
		return ""
	}
	return body.Code
}

// try sends a call, which may come to nothing.
func (s *service) try(ctx context.Context, c call) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := c.request(ctx, s.process.URL("/v1/shops/main/orders"))
	if err != nil {
		return answer{}, err
	}
	return s.send(request)
}

func (s *service) send(request *http.Request) (answer, error) {
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	content, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	a := answer{
		Status:   response.StatusCode,
		Replayed: response.Header.Get("Idempotent-Replayed") == "true",
		Header:   response.Header,
		Body:     string(content),
	}
	a.Header.Del("Date")
	a.Header.Del("Idempotent-Replayed")
	return a, nil
}

// do sends a call that must be answered.
func (s *service) do(c call) answer {
	s.t.Helper()
	a, err := s.try(s.t.Context(), c)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// expect sends a call whose answer must have a status, and not be a replay.
func (s *service) expect(status int, c call) answer {
	s.t.Helper()
	a := s.do(c)
	if a.Status != status || a.Replayed {
		s.t.Fatalf("%+v: want status %d, not replayed; got %+v", c, status, a)
	}
	return a
}

// refused sends a call that must be answered with a problem.
func (s *service) refused(status int, problem string, c call) {
	s.t.Helper()
	a := s.expect(status, c)
	if a.problem() != problem {
		s.t.Errorf("%+v: want problem %s; got %+v", c, problem, a)
	}
}

// reserve sends a request to the operation that waits only shortly.
func (s *service) reserve(ctx context.Context, sku, key string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, s.process.URL("/v1/shops/main/reservations/"+sku), nil)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("X-Account", "ann")
	request.Header.Set("Idempotency-Key", key)
	return s.send(request)
}

// query returns the one number that a statement results in.
func (s *service) query(sql string) (n int) {
	s.t.Helper()
	if err := s.database.QueryRow(s.t.Context(), sql).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// orders demands a number of orders.
func (s *service) orders(want int) {
	s.t.Helper()
	if got := s.query("SELECT count(*) FROM orders"); got != want {
		s.t.Errorf("%d orders, want %d", got, want)
	}
}

// hold keeps those business functions waiting that wait, until it is told to let
// them go on.
func (s *service) hold() (release func()) {
	s.t.Helper()
	conn, err := s.database.Acquire(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := conn.Exec(s.t.Context(), "SELECT pg_advisory_lock(4711)"); err != nil {
		conn.Release()
		s.t.Fatal(err)
	}
	held := true
	release = func() {
		if !held {
			return
		}
		held = false
		defer conn.Release()
		if _, err := conn.Exec(context.WithoutCancel(s.t.Context()), "SELECT pg_advisory_unlock(4711)"); err != nil {
			s.t.Error(err)
		}
	}
	s.t.Cleanup(release)
	return release
}

// waiting returns when a number of business functions wait.
func (s *service) waiting(want int) {
	s.t.Helper()
	s.until("a business function waits", func() bool {
		return s.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 4711 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())") == want
	})
}

// until asks again until something is so.
func (s *service) until(what string, holds func() bool) {
	s.t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	enough := time.After(patience)
	for !holds() {
		select {
		case <-again.C:
		case <-enough:
			s.t.Fatalf("not in time: %s", what)
		}
	}
}
