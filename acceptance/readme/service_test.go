package readme

import (
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/logbuffer"
)

// patience bounds what a working service does at once.
const patience = time.Minute

var goRun = regexp.MustCompile(`^go run (\S+)\n$`)

// serve builds the program that a step runs and starts it. It is killed when the
// test is over.
func (r *reader) serve(s step) {
	r.t.Helper()
	command := goRun.FindStringSubmatch(s.block)
	if command == nil {
		r.t.Fatalf("%s: want go run and a package:\n%s", s.at, s.block)
	}
	program := r.path("service.exe")
	r.run("go", "build", "-o", program, command[1])
	r.address = freeAddress(r.t)
	log := &logbuffer.Buffer{}
	cmd := exec.CommandContext(context.WithoutCancel(r.t.Context()), program)
	cmd.Dir, cmd.Env = r.folder, slices.Concat(r.environ, []string{"ADDRESS=" + r.address})
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if r.t.Failed() {
			r.t.Logf("log of the service:\n%s", log)
		}
	})
	awaitService(r.t, r.address, ended)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // it was only asked for a free port
	return listener.Addr().String()
}

// awaitService returns once somebody listens, and fails if the program has ended.
func awaitService(t *testing.T, address string, ended <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			_ = connection.Close()
			return
		}
		select {
		case <-ended:
			t.Fatal("the service has ended")
		case <-ctx.Done():
			t.Fatalf("nobody listens at %s: %v", address, err)
		default:
		}
	}
}

// exchange is a request on a page and the response that the page promises.
type exchange struct {
	path, body string
	header     http.Header
	want       answer
}

type answer struct {
	Status   string
	Replayed string
}

var (
	curl   = regexp.MustCompile(`^curl -i localhost:8080(/\S*)((?: -H '[^']+')*) --json '([^']*)' +# (\d{3})(?:, Idempotent-Replayed: (true))?$`)
	header = regexp.MustCompile(`-H '([^:']+): ([^']+)'`)
)

// readExchanges reads the curl commands of a step.
func readExchanges(t *testing.T, s step) (all []exchange) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(s.block), "\n") {
		parts := curl.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("%s: want a request by curl and its response: %s", s.at, line)
		}
		e := exchange{path: parts[1], body: parts[3], header: http.Header{}, want: answer{Status: parts[4], Replayed: parts[5]}}
		e.header.Set("Content-Type", "application/json")
		for _, pair := range header.FindAllStringSubmatch(parts[2], -1) {
			e.header.Set(pair[1], pair[2])
		}
		all = append(all, e)
	}
	return all
}

// send sends the requests of a step, which must be answered as it says, and executed
// once for each answer that is new and a success.
func (r *reader) send(s step) {
	r.t.Helper()
	executed := 0
	for _, e := range readExchanges(r.t, s) {
		if got := r.exchange(e); got != e.want {
			r.t.Errorf("%s: %s %s %v: -want +got\n%s", s.at, e.path, e.body, e.header, cmp.Diff(e.want, got))
		}
		if strings.HasPrefix(e.want.Status, "2") && e.want.Replayed == "" {
			executed++
		}
	}
	var rows int
	if err := r.pool.QueryRow(r.t.Context(), "SELECT count(*) FROM payments").Scan(&rows); err != nil {
		r.t.Fatal(err)
	}
	if rows != executed || executed == 0 {
		r.t.Errorf("%d payments were made, want %d", rows, executed)
	}
}

func (r *reader) exchange(e exchange) answer {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+r.address+e.path, strings.NewReader(e.body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header = e.header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // read only
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Logf("%s %s", response.Status, body)
	status, _, _ := strings.Cut(response.Status, " ")
	return answer{Status: status, Replayed: response.Header.Get("Idempotent-Replayed")}
}
