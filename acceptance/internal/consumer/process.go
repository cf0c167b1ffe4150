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
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	p.end(func(err error) bool { return err == nil })
}

// Kill ends the process as a crash of the machine would.
func (p *Process) Kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	p.end(func(err error) bool {
		var exit *exec.ExitError
		return errors.As(err, &exit) && !exit.Exited() // ended by a signal
	})
}

// end waits for the end of the process, which must be as expected.
func (p *Process) end(expected func(error) bool) {
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
	answer, err := p.Send(path, http.Header{"Idempotency-Key": {key}}, body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer
}

// Send posts a JSON body with the given header. The error says that the process
// did not answer.
func (p *Process) Send(path string, header http.Header, body string) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
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
