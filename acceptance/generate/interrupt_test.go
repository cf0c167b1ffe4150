//go:build unix

package generate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// heldGo is a go command that says that it was called, by opening one pipe, and
// does not work before another is opened. Every other call works at once.
const heldGo = `#!/bin/sh
if mkdir "$HELD_REACHED.first" 2>/dev/null; then
	: >"$HELD_REACHED"
	: <"$HELD_RELEASE"
fi
exec "$HELD_GO" "$@"
`

// held is a run of idemgen that has come as far as to need the go command.
type held struct {
	p       *project
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	ended   chan struct{} // closed when idemgen has ended
	release string        // pipe that lets the go command go on
}

// hold runs idemgen generate until it calls the go command: the tables and
// queries are rendered, sqlc is through, and nothing is written.
func (p *project) hold() *held {
	p.t.Helper()
	folder := p.t.TempDir()
	reached, release := filepath.Join(folder, "reached"), filepath.Join(folder, "release")
	for _, pipe := range []string{reached, release} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	program, err := exec.LookPath("go")
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte(heldGo), 0o755); err != nil {
		p.t.Fatal(err)
	}
	h := &held{p: p, cmd: p.command("generate"), ended: make(chan struct{}), release: release}
	h.cmd.Env = append(h.cmd.Env, "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"HELD_GO="+program, "HELD_REACHED="+reached, "HELD_RELEASE="+release)
	h.cmd.Stderr = &h.stderr
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell does
	if err := h.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer close(h.ended)
		_ = h.cmd.Wait() // how it ended is looked at later
	}()
	h.await(reached)
	return h
}

// await returns once somebody has opened and closed the other end of a pipe.
func (h *held) await(pipe string) {
	h.p.t.Helper()
	opened := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(pipe)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			h.p.t.Fatal(err)
		}
	case <-h.ended:
		for len(opened) == 0 { // nobody else will open it
			if end, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				_ = end.Close()
			}
		}
		h.p.t.Fatalf("idemgen did not call the go command and ended: %v\n%s", h.cmd.ProcessState, &h.stderr)
	}
}

// signal sends a signal to idemgen and the go command, as a terminal does.
func (h *held) signal(signal syscall.Signal) {
	h.p.t.Helper()
	if err := syscall.Kill(-h.cmd.Process.Pid, signal); err != nil {
		h.p.t.Fatal(err)
	}
}

// insist interrupts idemgen alone, which waits for the go command, until it ends.
func (h *held) insist() {
	for {
		select {
		case <-h.ended:
			h.signal(syscall.SIGKILL) // the go command
			return
		default:
			_ = h.cmd.Process.Signal(os.Interrupt) // it may have ended
		}
	}
}

// goOn lets the go command work.
func (h *held) goOn() {
	h.p.t.Helper()
	if err := os.WriteFile(h.release, nil, 0); err != nil {
		h.p.t.Fatal(err)
	}
}

func TestInterruptedRunLeavesEveryFileAsItWas(t *testing.T) {
	const signaled = -1
	for _, test := range []struct {
		name string
		end  func(*held)
		code int
	}{
		{"interrupted", func(h *held) { h.signal(syscall.SIGINT); <-h.ended }, 2},
		{"terminated", func(h *held) { h.signal(syscall.SIGTERM); <-h.ended }, 2},
		{"interrupted again and again", (*held).insist, signaled},
		{"killed", func(h *held) { h.signal(syscall.SIGKILL); <-h.ended }, signaled},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, history := range histories {
				t.Run(history.name, func(t *testing.T) {
					p := newProject(t)
					history.until(p)
					before := tree(t, p.folder)
					h := p.hold()
					test.end(h)
					if got := h.cmd.ProcessState; got.ExitCode() != test.code {
						t.Errorf("ended with %v, want exit code %d\n%s", got, test.code, &h.stderr)
					}
					p.expectUnchanged(before)
					if test.code != signaled { // who is killed does not clear up the temporary folder
						p.expectNoScratch()
					}
				})
			}
		})
	}
}

// A run that nobody disturbs gets through the same pipes.
func TestHeldRunSucceeds(t *testing.T) {
	p := newProject(t)
	h := p.hold()
	h.goOn()
	<-h.ended
	if !h.cmd.ProcessState.Success() {
		t.Errorf("%v\n%s", h.cmd.ProcessState, &h.stderr)
	}
	if got := p.run("check"); got.code != 0 {
		t.Errorf("check afterwards: %+v", got)
	}
}
