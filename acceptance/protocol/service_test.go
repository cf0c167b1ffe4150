package protocol_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/internal/logbuffer"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/fingerprint"
	"github.com/idemgen/idemgen/idem/idemrt"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(serviceEnv); address != "" {
		serveOrders(address)
		return
	}
	goleak.VerifyTestMain(pgtest.Main(m))
}

// The types of the operation, as generated code has them.
type (
	scope   struct{}
	request struct{ key *string }
	outcome interface {
		write(w http.ResponseWriter) error
	}
	definition = idemrt.Definition[scope, request, outcome]
)

var operation = definition{
	Name:          "createOrder",
	Key:           idemrt.KeyRule{Name: "Idempotency-Key", Required: true},
	KeyOf:         func(r request) *string { return r.key },
	Final:         []string{"2XX", "402"},
	Window:        time.Hour,
	ReplayHeaders: []string{"Location"},
	Wait:          20 * time.Second, // no test that passes waits as long
	Render:        outcome.write,
	Answer:        func(a *idemrt.Answer) outcome { return answered{a} },
}

// answered is an answer as a response.
type answered struct{ *idemrt.Answer }

func (a answered) write(w http.ResponseWriter) error { return a.Send(w) }

// execute runs one call. The code knows the versions of known.
func execute(ctx context.Context, guard *idem.Guard, op *definition, keys idemrt.Keys, key *string, known []fingerprint.Fingerprint, fn business) (*idemrt.Answer, error) {
	d := *op
	d.Fingerprints = idemrt.Versions[request]{}
	for _, f := range known {
		d.Fingerprints[f.Version] = func(request) fingerprint.Fingerprint { return f }
	}
	response, err := idemrt.Run(ctx, guard.Engine(), d.Operation(), keys, scope{}, request{key},
		func(ctx context.Context, tx pgx.Tx, _ scope, _ request) (outcome, error) { return fn(ctx, tx) })
	if err != nil {
		return nil, err
	}
	return response.(answered).Answer, nil
}

// execute runs one call of the service.
func (s *service) execute(ctx context.Context, key *string, known []fingerprint.Fingerprint, fn business) (*idemrt.Answer, error) {
	return execute(ctx, s.guard, s.op, s.keys, key, known, fn)
}

// successOnly is the same operation, without errors that are final, and so without
// a savepoint.
func successOnly() *definition {
	op := operation
	op.Final = []string{"2XX"}
	return &op
}

// impatient is the same operation, with less time.
func impatient() *definition {
	op := operation
	op.Wait = 200 * time.Millisecond
	return &op
}

// service is one service: a database, a pool and a guard.
type service struct {
	t     *testing.T
	site  site
	pool  *pgxpool.Pool
	guard *idem.Guard
	keys  idemrt.Keys
	log   *logbuffer.Buffer
	op    *definition
}

func newService(t *testing.T, configure ...func(*pgxpool.Config)) *service {
	t.Helper()
	return newServiceAt(t, newSite(t, pgtest.Server(t)), configure...)
}

func newServiceAt(t *testing.T, here site, configure ...func(*pgxpool.Config)) *service {
	t.Helper()
	s := &service{
		t: t, site: here, pool: here.open(t, configure...), log: &logbuffer.Buffer{}, op: &operation,
		keys: keys{provider: strings.ToLower(rand.Text()), queries: readQueries(t)},
	}
	s.guard = s.newGuard(s.pool)
	return s
}

// admin opens a pool that stands beside the services.
func (s *service) admin() *pgxpool.Pool {
	s.t.Helper()
	return openPool(s.t, s.site.direct)
}

func (s *service) newGuard(pool *pgxpool.Pool, options ...idem.GuardOption) *idem.Guard {
	s.t.Helper()
	logger := slog.New(slog.NewJSONHandler(s.log, nil))
	guard, err := idem.New(pool, append([]idem.GuardOption{idem.WithLogger(logger)}, options...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return guard
}

// instance returns another instance of the service, on the same database.
func (s *service) instance(configure ...func(*pgxpool.Config)) *service {
	other := *s
	other.pool = s.site.open(s.t, configure...)
	other.guard = s.newGuard(other.pool)
	return &other
}

func (s *service) with(op *definition) *service {
	other := *s
	other.op = op
	return &other
}

type business = func(context.Context, pgx.Tx) (outcome, error)

// reply is what a client sees, or the error that the service gets.
type reply struct {
	Status   int
	Header   http.Header
	Body     string
	Code     string // of a problem
	Replayed bool
	Err      error
}

// call executes and sends the answer.
func (s *service) call(ctx context.Context, key, meaning string, fn business) reply {
	return s.sent(s.execute(ctx, &key, fingerprints(meaning), fn))
}

// sent is what a client gets of an answer.
func (s *service) sent(answer *idemrt.Answer, err error) reply {
	if err != nil {
		return reply{Err: err}
	}
	w := httptest.NewRecorder()
	if err := answer.Send(w); err != nil {
		return reply{Err: err}
	}
	r := reply{Status: w.Code, Header: w.Header(), Body: w.Body.String(), Replayed: w.Header().Get("Idempotent-Replayed") == "true"}
	if w.Header().Get("Content-Type") == "application/problem+json" {
		var p struct{ Code string }
		if json.Unmarshal(w.Body.Bytes(), &p) == nil {
			r.Code = p.Code
		}
	}
	return r
}

// create calls with a business function that writes one order and says so.
func (s *service) create(key string) reply {
	return s.call(s.t.Context(), key, "a", creates("order"))
}

func fingerprints(meaning string) []fingerprint.Fingerprint {
	h := fingerprint.NewHasher("createOrder", 1)
	h.Field("body.note")
	h.String(meaning)
	return []fingerprint.Fingerprint{h.Sum()}
}

func creates(note string) business {
	return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		if err := insert(ctx, tx, note); err != nil {
			return nil, err
		}
		return responds(201, `{"note":"`+note+`"}`+"\n"), nil
	}
}

func insert(ctx context.Context, tx pgx.Tx, note string) error {
	_, err := tx.Exec(ctx, "INSERT INTO orders (note) VALUES ($1)", note)
	return err
}

// rendered is a response by how it is rendered.
type rendered func(w http.ResponseWriter) error

func (r rendered) write(w http.ResponseWriter) error { return r(w) }

// reported is a response of a status and a body.
type reported struct {
	status int
	body   string
}

func (r reported) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Location", "/orders/1")
	w.Header().Set("Set-Cookie", "session=secret")
	w.WriteHeader(r.status)
	_, err := io.WriteString(w, r.body)
	return err
}

func responds(status int, body string) outcome { return reported{status, body} }

// orders counts what business functions committed.
func (s *service) orders() int {
	s.t.Helper()
	return s.count("SELECT count(*) FROM orders")
}

func (s *service) records() int {
	s.t.Helper()
	return s.count("SELECT count(*) FROM provider_idempotency_keys")
}

func (s *service) count(sql string) (n int) {
	s.t.Helper()
	if err := s.pool.QueryRow(context.Background(), sql).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *service) wantReply(got reply, status int, code string) {
	s.t.Helper()
	if got.Err != nil || got.Status != status || got.Code != code {
		s.t.Fatalf("got %d %q %s, error %v; want %d %q\nlog:\n%s", got.Status, got.Code, got.Body, got.Err, status, code, s.log)
	}
}

func (s *service) wantState(orders, records int) {
	s.t.Helper()
	if o, r := s.orders(), s.records(); o != orders || r != records {
		s.t.Fatalf("got %d orders and %d records, want %d and %d\nlog:\n%s", o, r, orders, records, s.log)
	}
}

// wantLogged checks that the guards of s said part.
func (s *service) wantLogged(part string) {
	s.t.Helper()
	if !strings.Contains(s.log.String(), part) {
		s.t.Errorf("%s is not in the log:\n%s", part, s.log)
	}
}

// wantIdle waits until the pool has every connection back.
func (s *service) wantIdle() {
	s.t.Helper()
	for s.pool.Stat().AcquiredConns() != 0 {
		runtime.Gosched()
	}
}

// wantFirst checks that the next call with key is a first execution.
func (s *service) wantFirst(key, note string) {
	s.t.Helper()
	got := s.call(s.t.Context(), key, "a", creates(note))
	s.wantReply(got, 201, "")
	if got.Replayed {
		s.t.Fatal("the call was replayed; want it executed")
	}
}

// background runs calls that a test starts and waits for later.
func background(call func() reply) <-chan reply {
	done := make(chan reply, 1)
	go func() { done <- call() }()
	return done
}

// held is a business function that says when it runs and stops until it is let go.
type held struct {
	started chan struct{}
	letGo   chan error
}

func newHeld() *held {
	return &held{started: make(chan struct{}, 64), letGo: make(chan error, 64)}
}

func (h *held) creates(note string) business {
	return func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		if err := insert(ctx, tx, note); err != nil {
			return nil, err
		}
		h.started <- struct{}{}
		if err := <-h.letGo; err != nil {
			return nil, err
		}
		return responds(201, fmt.Sprintf(`{"note":%q}`, note)), nil
	}
}
