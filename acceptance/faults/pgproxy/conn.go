package pgproxy

import (
	"bufio"
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// Conn is one connection of the service, and the proxy's own to the server.
type Conn struct {
	client, server net.Conn
	watch          Watcher
	script         *script
	pid            atomic.Uint32

	mu      sync.Mutex
	verdict Verdict
	late    []byte // of a held connection: what the server has yet to get

	ended    sync.Once
	released chan struct{} // closed once a held connection need not stay any longer
}

func newConn(client, server net.Conn, watch Watcher) *Conn {
	return &Conn{client: client, server: server, watch: watch, script: newScript(), released: make(chan struct{})}
}

// PID is the process of the server that serves the connection, 0 before it is
// known.
func (c *Conn) PID() int { return int(c.pid.Load()) }

// Release lets a held connection go: the server gets what it has yet to get,
// and the connection ends. So does a stalled one. To others nothing happens.
func (c *Conn) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.verdict {
	case Hold:
		_, _ = c.server.Write(c.late) // the server may be gone
		c.late = nil
		c.close()
	case Stall:
		c.close()
	}
}

// run passes messages on until both sides are through.
func (c *Conn) run() {
	var back sync.WaitGroup
	back.Go(func() {
		_ = c.passAnswers() // the connection is at its end either way
		c.finish()
	})
	_ = c.passRequests() // likewise
	c.finish()
	back.Wait()
}

// finish ends the connection after one of its sides has ended. One that is held
// waits for its release.
func (c *Conn) finish() {
	c.mu.Lock()
	held := c.verdict == Hold
	c.mu.Unlock()
	if held {
		<-c.released
	}
	c.close()
}

// close closes both sides, also of a connection that is held.
func (c *Conn) close() {
	_ = c.client.Close()
	_ = c.server.Close()
	c.ended.Do(func() { close(c.released) })
}

// passRequests passes on what the service sends.
func (c *Conn) passRequests() error {
	from, to := bufio.NewReader(c.client), bufio.NewWriter(c.server)
	first, err := readUntyped(from)
	if err != nil {
		return err
	}
	step := Connect
	if first.isCancel() {
		step = ""
	}
	for m := first; ; {
		if err := c.pass(m, to, step, Unsent, Sent); err != nil {
			return err
		}
		if from.Buffered() == 0 {
			if err := to.Flush(); err != nil {
				return err
			}
		}
		if m, err = readMessage(from); err != nil {
			return err
		}
		step = c.script.asked(m)
	}
}

// passAnswers passes on what the server sends.
func (c *Conn) passAnswers() error {
	from, to := bufio.NewReader(c.server), bufio.NewWriter(c.client)
	for {
		m, err := readMessage(from)
		if err != nil {
			return err
		}
		if m.kind == 'K' { // BackendKeyData
			c.pid.Store(m.number())
		}
		if err := c.pass(m, to, c.script.answered(m), Answered, Delivered); err != nil {
			return err
		}
		if from.Buffered() == 0 {
			if err := to.Flush(); err != nil {
				return err
			}
		}
	}
}

// pass passes one message on and asks the watcher before and after.
func (c *Conn) pass(m message, to *bufio.Writer, step Step, before, after Moment) error {
	late := m.raw
	if before != Unsent {
		late = nil
	}
	if err := c.ask(Point{step, before}, to, late); err != nil {
		return err
	}
	if c.stalled() {
		return nil
	}
	if _, err := to.Write(m.raw); err != nil {
		return err
	}
	return c.ask(Point{step, after}, to, nil)
}

// ask asks the watcher, and does as it says. late is the message that the server
// has yet to get.
func (c *Conn) ask(p Point, to *bufio.Writer, late []byte) error {
	if p.Step == "" || c.stalled() {
		return nil
	}
	strike := c.watch(p, c)
	if strike == nil {
		return nil
	}
	flushErr := to.Flush()
	return errors.Join(c.obey(strike(), late), flushErr) // a strike that is due is always made
}

func (c *Conn) obey(verdict Verdict, late []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.verdict != Pass {
		return nil // the other direction was faster
	}
	c.verdict = verdict
	switch verdict {
	case Cut:
		c.close()
		return errStruck
	case Hold:
		c.late = late
		_ = c.client.Close()
		return errStruck
	}
	return nil
}

func (c *Conn) stalled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.verdict == Stall
}
