package faults

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// process is a service that runs.
type process struct {
	cmd  *exec.Cmd
	base string // its address
	log  *journal
	done chan struct{} // closed when it has ended
	err  error         // how it ended; read it after done
}

// startProcess starts a service and returns once it serves.
func startProcess(program, databaseURL, protocol string) (*process, error) {
	// It outlives whatever context started it, and is ended by end or kill.
	p := &process{
		cmd:  exec.CommandContext(context.Background(), program, "-database-url", databaseURL, "-protocol", protocol),
		log:  &journal{},
		done: make(chan struct{}),
	}
	// Else a program with the race detector takes a second to end.
	p.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	p.cmd.Stderr = p.log
	if _, err := p.cmd.StdinPipe(); err != nil { // which ends when we do
		return nil, err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }()
	p.cmd.Stdout = writer
	err = p.cmd.Start()
	_ = writer.Close() // the child has its own
	if err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	line, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		<-p.done
		return nil, fmt.Errorf("the service does not serve: %w, %w\n%s", err, p.err, p.log)
	}
	p.base = strings.TrimSpace(line)
	return p, nil
}

// kill ends the process as a crash would.
func (p *process) kill() error { return p.endWith(syscall.SIGKILL) }

// stop asks the process to end.
func (p *process) stop() error { return p.endWith(syscall.SIGTERM) }

// endWith sends a signal, waits for the end, and says what was wrong with it.
func (p *process) endWith(signal syscall.Signal) error {
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.done
	if trouble := p.log.trouble(); trouble != "" {
		return fmt.Errorf("the service: %s\n%s", trouble, p.log)
	}
	killed := false
	if exit, ok := errors.AsType[*exec.ExitError](p.err); ok {
		status, _ := exit.Sys().(syscall.WaitStatus)
		killed = status.Signaled() && status.Signal() == signal
	}
	if p.err != nil && !killed {
		return fmt.Errorf("the service ended: %w\n%s", p.err, p.log)
	}
	return nil
}

// journal keeps the end of a log, and what must not be in it.
type journal struct {
	mu  sync.Mutex
	end bytes.Buffer
	bad string
}

const journalSize = 64 << 10

// alarms are lines of a program that is broken in a way of its own.
//
// The sweeper may fail with its connection, or give up because a table is locked,
// and with nothing else that the database finds wrong with what it asks.
var alarms = regexp.MustCompile("WARNING: DATA RACE|fatal error:|http: panic serving|business function misused|" +
	"sweeping idempotency keys failed .*sqlstate=([^5]|5[^57]).*")

var _ io.Writer = (*journal)(nil)

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if alarm := alarms.Find(line); alarm != nil {
		j.bad = string(alarm)
	}
	if j.end.Len() > journalSize && j.bad == "" {
		j.end.Next(journalSize / 2)
	}
	return j.end.Write(line)
}

func (j *journal) trouble() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.bad
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.end.String()
}
