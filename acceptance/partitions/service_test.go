package partitions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/logbuffer"
	"github.com/idemgen/idemgen/acceptance/partitions/service/idemdb"
	"github.com/idemgen/idemgen/acceptance/partitions/service/paymentapi"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// account is whose keys all of them are.
const account = 7

// service is a service over HTTP: a pool, the generated handler and its log.
type service struct {
	t       *testing.T
	pool    *pgxpool.Pool
	handler http.Handler
	log     *logbuffer.Buffer
	// before runs in the business function, ahead of its own statement.
	before func(ctx context.Context, tx pgx.Tx) error
}

// newService makes a service on a fresh database.
func newService(t *testing.T, server *pgserver.Server) *service {
	t.Helper()
	return newServiceOn(t, pgtest.PoolOn(t, server, readFile(t, splitSchema), paymentsTable))
}

// newServiceOn makes a service, or another instance of it, on a database that has the
// tables.
func newServiceOn(t *testing.T, pool *pgxpool.Pool) *service {
	t.Helper()
	s := &service{t: t, pool: pool, log: &logbuffer.Buffer{}}
	guard := s.guard()
	server := paymentapi.NewIdempotentServer(guard, s, s)
	s.handler = paymentapi.HandlerWithOptions(
		paymentapi.NewStrictHandlerWithOptions(server, nil, paymentapi.StrictHTTPServerOptions{
			RequestErrorHandlerFunc: failed, ResponseErrorHandlerFunc: failed,
		}),
		paymentapi.StdHTTPServerOptions{
			ErrorHandlerFunc: paymentapi.IdempotencyErrorHandler(guard, "", failed),
			Middlewares:      []paymentapi.MiddlewareFunc{paymentapi.IdempotencyBodyLimit(guard, "")},
		})
	return s
}

func (s *service) guard() *idem.Guard {
	s.t.Helper()
	guard, err := idem.New(s.pool, idem.WithLogger(slog.New(slog.NewTextHandler(s.log, nil))))
	if err != nil {
		s.t.Fatal(err)
	}
	return guard
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	w.WriteHeader(http.StatusInternalServerError)
	fmt.Fprint(w, err)
}

// AccountScope implements [paymentapi.ScopeResolver].
func (s *service) AccountScope(context.Context) (accountID int64, err error) { return account, nil }

// CreatePayment writes one payment. Those of 402 are declined.
func (s *service) CreatePayment(ctx context.Context, tx pgx.Tx, _ paymentapi.AccountScope, request paymentapi.CreatePaymentRequestObject) (paymentapi.CreatePaymentResponseObject, error) {
	if s.before != nil {
		if err := s.before(ctx, tx); err != nil {
			return nil, err
		}
	}
	payment := paymentapi.Payment{Amount: request.Body.Amount, Note: request.Body.Note}
	execution, err := pay(ctx, tx, payment.Amount, payment.Note)
	if err != nil {
		return nil, err
	}
	payment.Execution = execution
	if payment.Amount == 402 {
		return paymentapi.CreatePayment402JSONResponse(payment), nil
	}
	return paymentapi.CreatePayment201JSONResponse{
		Body:    payment,
		Headers: paymentapi.CreatePayment201ResponseHeaders{Location: fmt.Sprintf("/payments/%d", execution)},
	}, nil
}

func pay(ctx context.Context, tx pgx.Tx, amount int64, note *string) (execution int64, err error) {
	if note == nil {
		note = new(string)
	}
	err = tx.QueryRow(ctx, "INSERT INTO payments (amount, note) VALUES ($1, $2) RETURNING execution", amount, *note).Scan(&execution)
	return execution, err
}

// reply is what a client sees.
type reply struct {
	Status   int
	Location string
	Body     string
	Code     string // of a problem
	Replayed bool
}

// pay calls the operation.
func (s *service) pay(key string, amount int64) reply {
	body := strings.NewReader(fmt.Sprintf(`{"amount":%d,"note":"of %s"}`, amount, key))
	request := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, "/payments", body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, request)
	r := reply{
		Status:   w.Code,
		Location: w.Header().Get("Location"),
		Body:     w.Body.String(),
		Replayed: w.Header().Get("Idempotent-Replayed") == "true",
	}
	if w.Header().Get("Content-Type") == "application/problem+json" {
		var p struct{ Code string }
		if json.Unmarshal(w.Body.Bytes(), &p) == nil {
			r.Code = p.Code
		}
	}
	return r
}

// first makes a payment that must be executed.
func (s *service) first(key string, amount int64) reply {
	s.t.Helper()
	got := s.pay(key, amount)
	if got.Status != 201 || got.Replayed || !strings.Contains(got.Body, fmt.Sprintf(`"amount":%d`, amount)) {
		s.t.Fatalf("%s: got %+v, want a first execution\nlog:\n%s", key, got, s.log)
	}
	return got
}

// wantReplay checks that a retry is given the answer that the first call was.
func (s *service) wantReplay(key string, amount int64, first reply) {
	s.t.Helper()
	first.Replayed = true
	if got := s.pay(key, amount); got != first {
		s.t.Errorf("%s: got %+v, want %+v\nlog:\n%s", key, got, first, s.log)
	}
}

// wantRefused checks that a call is answered with a problem.
func (s *service) wantRefused(key string, amount int64, status int, code string) {
	s.t.Helper()
	if got := s.pay(key, amount); got.Status != status || got.Code != code {
		s.t.Errorf("%s: got %+v, want %d %s\nlog:\n%s", key, got, status, code, s.log)
	}
}

// wantClosed checks that a key without a response is not executed again, and is not
// given away to another request.
func (s *service) wantClosed(key string, amount int64) {
	s.t.Helper()
	s.wantRefused(key, amount, 410, "idempotency_expired")
	s.wantRefused(key, amount+1, 422, "idempotency_key_reused")
}

func (s *service) wantPayments(want int) {
	s.t.Helper()
	if got := one[int](s.t, s.pool, "SELECT count(*) FROM payments"); got != want {
		s.t.Errorf("got %d payments, want %d\nlog:\n%s", got, want, s.log)
	}
}

func (s *service) responses() int {
	s.t.Helper()
	return one[int](s.t, s.pool, "SELECT count(*) FROM "+responsesTable)
}

// rotate runs a rotation as the sweeper does, and returns how many partitions it dropped.
func (s *service) rotate() int64 {
	s.t.Helper()
	return rotate(s.t, s.pool)
}

func rotate(t *testing.T, db idemrt.DBTX) int64 {
	t.Helper()
	dropped, err := tryRotate(t, db)
	if err != nil {
		t.Fatal(err)
	}
	return dropped
}

func tryRotate(t *testing.T, db idemrt.DBTX) (int64, error) {
	t.Helper()
	tables := paymentapi.IdempotencyTables()
	if len(tables) != 1 || tables[0].Sweep != nil || tables[0].Rotate == nil {
		t.Fatalf("got tables %+v, want one that is rotated and not swept", tables)
	}
	return tables[0].Rotate.Rotate(t.Context(), db)
}

func (s *service) status(key string) (idemdb.AccountKeyStatusRow, bool) {
	s.t.Helper()
	row, err := idemdb.New().AccountKeyStatus(s.t.Context(), s.pool, idemdb.AccountKeyStatusParams{
		AccountID: account, Operation: "createPayment", IdempotencyKey: key,
	})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		s.t.Fatal(err)
	}
	return row, err == nil
}

func (s *service) tombstone(key string) int64 {
	s.t.Helper()
	n, err := idemdb.New().TombstoneAccountKey(s.t.Context(), s.pool, idemdb.TombstoneAccountKeyParams{
		AccountID: account, Operation: "createPayment", IdempotencyKey: key,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// age lets a key's window end so many days earlier, response and all.
func (s *service) age(key string, days int) {
	s.t.Helper()
	mustExec(s.t, s.pool, `WITH aged AS (
		UPDATE `+keysTable+` AS k SET replay_until = k.replay_until - make_interval(days => $2)
		FROM `+keysTable+` AS old
		WHERE k.idempotency_key = $1 AND old.idempotency_key = $1
		RETURNING old.response_id, old.replay_until
	)
	UPDATE `+responsesTable+` AS r SET replay_until = r.replay_until - make_interval(days => $2)
	FROM aged WHERE r.response_id = aged.response_id AND r.replay_until = aged.replay_until`, key, days)
}

// partitionOf is the name of the partition that has a key's response.
func (s *service) partitionOf(key string) string {
	s.t.Helper()
	return one[string](s.t, s.pool, `SELECT r.tableoid::regclass::text FROM `+responsesTable+` AS r
		JOIN `+keysTable+` AS k USING (replay_until, response_id) WHERE k.idempotency_key = $1`, key)
}

// addDay makes the partition that a rotation so many days ago has made of that day, and
// returns its name.
func (s *service) addDay(days int) string {
	s.t.Helper()
	name := s.day(days)
	mustExec(s.t, s.pool, fmt.Sprintf(`DO $$ BEGIN EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%%L) TO (%%L)',
		(date_trunc('day', now() AT TIME ZONE 'UTC') + make_interval(days => %d)) AT TIME ZONE 'UTC',
		(date_trunc('day', now() AT TIME ZONE 'UTC') + make_interval(days => %d)) AT TIME ZONE 'UTC'); END $$`,
		name, responsesTable, days, days+1))
	return name
}

// day is the name of the partition of the day that so many days from today is.
func (s *service) day(days int) string {
	s.t.Helper()
	return responsesTable + one[string](s.t, s.pool, "SELECT to_char(now() AT TIME ZONE 'UTC' + make_interval(days => $1), '_YYYYMMDD')", days)
}

// partitions are the names of all partitions, in order.
func (s *service) partitions() []string {
	s.t.Helper()
	return query[string](s.t, s.pool, `SELECT c.relname::text FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
		WHERE i.inhparent = $1::text::regclass ORDER BY c.relname`, responsesTable)
}
