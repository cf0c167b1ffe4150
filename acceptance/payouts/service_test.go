package payouts

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// Two merchants and their bearer tokens.
const (
	ann = "token-of-ann"
	bob = "token-of-bob"
)

const newMerchants = `INSERT INTO merchants VALUES ('ANN', '` + ann + `'), ('BOB', '` + bob + `')`

// setup is how a service is to run.
type setup struct {
	program  program
	server   *pgserver.Server
	validate bool // requests against the description, in front of everything
}

// service is a running service with a database of its own.
type service struct {
	t     *testing.T
	start func() *consumer.Process
	*consumer.Process
	database *pgxpool.Pool
}

func (s setup) start(t *testing.T) *service {
	t.Helper()
	database := pgtest.PoolOn(t, s.server, append(s.program.schemas, newMerchants)...)
	args := []string{"-database-url", database.Config().ConnString()}
	if s.validate {
		args = append(args, "-validate")
	}
	start := func() *consumer.Process { return consumer.Start(t, s.program.path, args...) }
	return &service{t: t, start: start, Process: start(), database: database}
}

func (s *service) restart() { s.Process = s.start() }

// count returns the rows of a table.
func (s *service) count(table string) (n int) {
	s.t.Helper()
	if err := s.database.QueryRow(s.t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// expectRows demands that each table has its number of rows.
func (s *service) expectRows(want map[string]int) {
	s.t.Helper()
	for table, n := range want {
		if got := s.count(table); got != n {
			s.t.Errorf("%d rows in %s, want %d", got, table, n)
		}
	}
}

// payout sends a request to create payouts. Each of keys is a line of its own.
func (s *service) payout(token, body string, keys ...string) (consumer.Answer, error) {
	return s.Send("/v1/payments/payouts", http.Header{
		"Authorization":     {"Bearer " + token},
		"Paypal-Request-Id": keys,
	}, body)
}

// mustPayout is payout where the service must answer.
func (s *service) mustPayout(token, body string, keys ...string) consumer.Answer {
	s.t.Helper()
	answer, err := s.payout(token, body, keys...)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}
