package payouts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// Two merchants and their bearer tokens.
const (
	ann = "token-of-ann"
	bob = "token-of-bob"
)

const newMerchants = `INSERT INTO merchants VALUES ('ANN', '` + ann + `'), ('BOB', '` + bob + `')`

// patience bounds what a working service does at once.
const patience = time.Minute

// setup is how a service is to run.
type setup struct {
	program  program
	server   *pgserver.Server
	validate bool // requests against the description, in front of everything
}

// service is a running service with a database of its own.
type service struct {
	t     *testing.T
	start func() *process
	*process
	database *pgxpool.Pool
}

func (s setup) start(t *testing.T) *service {
	t.Helper()
	database := pgtest.PoolOn(t, s.server, append(s.program.schemas, newMerchants)...)
	args := []string{"-database-url", database.Config().ConnString()}
	if s.validate {
		args = append(args, "-validate")
	}
	start := func() *process { return startProcess(t, s.program.path, args...) }
	return &service{t: t, start: start, process: start(), database: database}
}

// kill ends the service as a crash of the machine would.
func (s *service) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.end(func(err error) bool {
		var exit *exec.ExitError
		return errors.As(err, &exit) && !exit.Exited() // ended by a signal
	})
}

func (s *service) restart() { s.process = s.start() }

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

// process is a child process that serves.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	log    bytes.Buffer // complete once the process has ended
	base   string
	client http.Client
	ended  bool
}

// startProcess starts program and returns once it serves. It is stopped when the
// test is over, and its log is shown if the test failed.
func startProcess(t *testing.T, program string, args ...string) *process {
	t.Helper()
	// The process outlives the test's context, to be stopped in an orderly way.
	p := &process{t: t, cmd: exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)}
	p.client.Transport = &http.Transport{MaxIdleConnsPerHost: 32}
	p.cmd.Stderr = &p.log
	p.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // else it takes a second to end
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the service does not serve: %v", err)
	}
	p.base = strings.TrimSpace(line)
	return p
}

// stop asks the process to end. One that has found a data race exits with an
// error.
func (p *process) stop() {
	if p.ended {
		return
	}
	p.client.CloseIdleConnections()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	p.end(func(err error) bool { return err == nil })
}

// end waits for the end of the process, which must be as expected.
func (p *process) end(expected func(error) bool) {
	p.t.Helper()
	p.ended = true
	p.client.CloseIdleConnections()
	if err := p.cmd.Wait(); !expected(err) {
		p.t.Errorf("the service ended with: %v", err)
	}
	if p.t.Failed() {
		p.t.Logf("log of the service:\n%s", &p.log)
	}
}

// answer is what a client gets.
type answer struct {
	Status   int
	Replayed bool
	Header   http.Header // without those that differ from answer to answer
	Body     string
}

// payout sends a request to create payouts. Each of keys is a line of its own.
func (p *process) payout(token, body string, keys ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+"/v1/payments/payouts", strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header["Paypal-Request-Id"] = keys
	response, err := p.client.Do(request)
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

// mustPayout is payout where the service must answer.
func (p *process) mustPayout(token, body string, keys ...string) answer {
	p.t.Helper()
	a, err := p.payout(token, body, keys...)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}
