package consumer

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
)

// patience bounds what a working service does at once.
const patience = time.Minute

// Process is a service that runs.
type Process struct {
	t      testing.TB
	cmd    *exec.Cmd
	log    bytes.Buffer // complete once the process has ended
	base   string
	client http.Client
	ended  bool
}

// Start starts program, which prints its address once it serves and ends with
// SIGTERM. It is stopped when the test is over, and its log is shown if the test
// failed.
func Start(t testing.TB, program string, args ...string) *Process {
	t.Helper()
	// The process outlives the test's context, to be stopped in an orderly way.
	p := &Process{t: t, cmd: exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)}
	p.client.Transport = &http.Transport{}
	p.cmd.Stderr = &p.log
	p.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // else it takes a second to end
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the service does not serve: %v", err)
	}
	p.base = strings.TrimSpace(line)
	return p
}

// Stop asks the process to end, and waits for it. One that has found a data race
// exits with an error.
func (p *Process) Stop() {
	if p.ended {
		return
	}
	p.ended = true
	p.client.CloseIdleConnections()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the service ended with: %v", err)
	}
	if p.t.Failed() {
		p.t.Logf("log of the service:\n%s", &p.log)
	}
}

// URL returns the address of a path that the process serves.
func (p *Process) URL(path string) string { return p.base + path }

// Answer is what a client gets.
type Answer struct {
	Status   int
	Replayed bool
	Header   http.Header // without those that differ from answer to answer
	Body     string
}

// Post sends a JSON body with an idempotency key.
func (p *Process) Post(path, key, body string) Answer {
	p.t.Helper()
	answer, err := p.post(path, key, body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer
}

func (p *Process) post(path, key, body string) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := p.client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	content, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Status:   response.StatusCode,
		Replayed: response.Header.Get("Idempotent-Replayed") == "true",
		Header:   response.Header,
		Body:     string(content),
	}
	answer.Header.Del("Date")
	answer.Header.Del("Idempotent-Replayed")
	return answer, nil
}
