package pgserver

import (
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// How long a server gets to end before it is asked less politely.
const (
	fastShutdown      = 15 * time.Second
	immediateShutdown = 5 * time.Second
)

// A process is a started child.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the child has ended
	err  error         // how it ended; read it after done
}

// startProcess starts cmd and waits for its end in the background.
func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Where the child is told of its parent's death, the kernel means
		// the thread that started it. So this one stays until the child ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// stop ends a server: a fast shutdown, then an immediate one, then a kill.
func (p *process) stop() error {
	if !p.running() {
		return nil
	}
	if p.end(interrupt, fastShutdown) || p.end(quit, immediateShutdown) {
		return nil
	}
	err := p.cmd.Process.Kill()
	<-p.done
	return errors.Join(errors.New("it had to be killed"), err)
}

// end asks once and reports whether the process ended in time.
func (p *process) end(ask func(*exec.Cmd) error, patience time.Duration) bool {
	if err := ask(p.cmd); err != nil {
		return !p.running()
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}
