package protocol_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/idemrt"
)

// Told by these, this program is a service and not a test.
const (
	serviceEnv  = "IDEMGEN_TEST_SERVICE"  // the database's address
	providerEnv = "IDEMGEN_TEST_PROVIDER" // whose keys
)

// orderServer is a service in a process of its own. Its pool has one connection.
type orderServer struct {
	guard   *idem.Guard
	keys    idemrt.Keys
	asked   *counter
	started atomic.Int64
	letGo   chan struct{}
}

// serveOrders serves until its standard input ends, which it does when whoever
// started it dies.
func serveOrders(address string) {
	if err := runOrders(address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runOrders(address string) error {
	file, err := os.ReadFile(queriesFile)
	if err != nil {
		return err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return err
	}
	s := &orderServer{
		keys:  keys{provider: os.Getenv(providerEnv), queries: parseQueries(string(file))},
		asked: &counter{},
		letGo: make(chan struct{}),
	}
	config.MaxConns = 1
	s.asked.trace(config)
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return err
	}
	defer pool.Close()
	if s.guard, err = idem.New(pool); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.create)
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, s.started.Load(), s.asked.count())
	})
	mux.HandleFunc("POST /release", func(http.ResponseWriter, *http.Request) { close(s.letGo) })
	server := &http.Server{Handler: mux}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	fmt.Fprintln(os.Stdout, listener.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = server.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *orderServer) create(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	business := func(ctx context.Context, tx pgx.Tx) (outcome, error) {
		if err := insert(ctx, tx, q.Get("note")); err != nil {
			return nil, err
		}
		s.started.Add(1)
		switch q.Get("then") {
		case "wait":
			<-s.letGo
		case "wait and fail":
			<-s.letGo
			return nil, errBusiness
		}
		return responds(201, "made by "+q.Get("from")), nil
	}
	key := q.Get("key")
	answer, err := execute(r.Context(), s.guard, &operation, s.keys, &key, fingerprints(q.Get("meaning")), business)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = answer.Send(w) // the client is gone
}

// process is an orderServer as its client and its operator see it.
type process struct {
	t       *testing.T
	name    string
	address string
	cmd     *exec.Cmd
	client  *http.Client
}

// process starts a service process on s's database.
func (s *service) process(name string) *process {
	s.t.Helper()
	program, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	p := &process{t: s.t, name: name, client: &http.Client{Transport: &http.Transport{}}}
	p.cmd = exec.Command(program)
	p.cmd.Env = append(os.Environ(), serviceEnv+"="+s.site.via, providerEnv+"="+s.keys.(keys).provider)
	p.cmd.Stderr = s.log
	input, err := p.cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	output, err := p.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		p.client.CloseIdleConnections()
		_ = input.Close()
		_ = p.cmd.Wait() // it may have been killed
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.log)
	}
	p.address = "http://" + strings.TrimSpace(line)
	return p
}

// create creates an order, and then does what then says.
func (p *process) create(key, meaning, then string) reply {
	q := url.Values{"key": {key}, "meaning": {meaning}, "note": {key}, "then": {then}, "from": {p.name}}
	return p.do(http.MethodPost, "/orders?"+q.Encode())
}

func (p *process) do(method, path string) reply {
	request, err := http.NewRequest(method, p.address+path, nil)
	if err != nil {
		return reply{Err: err}
	}
	response, err := p.client.Do(request)
	if err != nil {
		return reply{Err: err}
	}
	body, err := io.ReadAll(response.Body)
	err = errors.Join(err, response.Body.Close())
	return reply{
		Status: response.StatusCode, Header: response.Header, Body: string(body),
		Replayed: response.Header.Get("Idempotent-Replayed") == "true", Err: err,
	}
}

// waitFor waits until so many business functions have started, and so many
// batches were sent.
func (p *process) waitFor(started, asked int) {
	p.t.Helper()
	for s, a := -1, -1; s < started || a < asked; {
		got := p.do(http.MethodGet, "/state")
		if _, err := fmt.Sscan(got.Body, &s, &a); err != nil || got.Err != nil {
			p.t.Fatalf("got %+v, %v", got, err)
		}
	}
}

func (p *process) release() { p.do(http.MethodPost, "/release") }

// kill ends the process as a crash does.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
}

// Two service processes on one database: what the winner's end is to the other.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then     string
		end      func(*process)
		meaning  string
		status   int
		body     string
		replayed bool
	}{
		"winner commits":           {"wait", (*process).release, "a", 201, "made by a", true},
		"winner rolls back":        {"wait and fail", (*process).release, "a", 201, "made by b", false},
		"winner is killed":         {"wait", (*process).kill, "a", 201, "made by b", false},
		"mismatch, winner commits": {"wait", (*process).release, "b", 422, "", false},
		"mismatch, winner fails":   {"wait and fail", (*process).release, "b", 201, "made by b", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			a, b := s.process("a"), s.process("b")
			winner := background(func() reply { return a.create("k", "a", test.then) })
			a.waitFor(1, 1)
			duplicate := background(func() reply { return b.create("k", test.meaning, "") })
			b.waitFor(0, 4) // two tries, each a claim and a load
			// The duplicate waits without the only connection that b has.
			if got := b.create("other", "a", ""); got.Status != 201 || got.Replayed {
				t.Errorf("another key: got %+v", got)
			}
			test.end(a)
			<-winner
			got := <-duplicate
			if got.Status != test.status || got.Replayed != test.replayed || test.body != "" && got.Body != test.body {
				t.Errorf("got %+v, want %+v", got, test)
			}
			s.wantState(2, 2)
		})
	}
}

// Many duplicates in both processes at once: one executes, all are answered.
func TestTwoProcessesRace(t *testing.T) {
	t.Parallel()
	s := newService(t)
	both := []*process{s.process("a"), s.process("b")}
	calls := make([]<-chan reply, 40)
	for i := range calls {
		calls[i] = background(func() reply { return both[i%2].create("k", "a", "") })
	}
	firsts, body := 0, ""
	for _, call := range calls {
		got := <-call
		s.wantReply(got, 201, "")
		if !got.Replayed {
			firsts++
		}
		if body == "" {
			body = got.Body
		}
		if got.Body != body {
			t.Errorf("got %q and %q for one key", got.Body, body)
		}
	}
	if firsts != 1 {
		t.Errorf("got %d first executions, want 1", firsts)
	}
	s.wantState(1, 1)
}
