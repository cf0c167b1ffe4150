// Package pgproxy stands between a service and PostgreSQL, knows which step of
// the idempotency protocol passes, and lets a test do something at exactly that
// moment.
package pgproxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// Moment is a moment in the life of one message of the service.
type Moment string

// The moments, in their order. All that a step's answer consists of is in the
// server's hands from [Sent] on, and in the service's from [Delivered] on.
const (
	Unsent    Moment = "unsent"    // the proxy has it, the server does not
	Sent      Moment = "sent"      // the server has it, and may have answered
	Answered  Moment = "answered"  // the proxy has the answer, the service does not
	Delivered Moment = "delivered" // the service has the answer
)

// Point is where something may happen.
type Point struct {
	Step   Step
	Moment Moment
}

// String is the point's name in reports.
func (p Point) String() string { return fmt.Sprintf("%s %s", p.Step, p.Moment) }

// Verdict says how a connection goes on after a strike.
type Verdict int

const (
	// Pass goes on as if nothing had happened.
	Pass Verdict = iota
	// Cut closes both sides.
	Cut
	// Hold closes the service's side. The server's side stays open until
	// [Conn.Release], which first sends the message of an [Unsent] point.
	Hold
	// Stall lets nothing pass any more, but both sides stay open until the
	// service closes its own, or Release is called.
	Stall
)

// Watcher is asked at each point that a connection passes. If it returns a
// function, that one is called, once and in any case, while the connection stands
// still, with all passed on that came before. A Watcher is called by many
// goroutines.
type Watcher func(Point, *Conn) func() Verdict

// Proxy accepts connections until it is closed.
type Proxy struct {
	listener net.Listener
	server   string
	watch    Watcher

	mu     sync.Mutex
	conns  map[*Conn]struct{}
	closed bool
	work   sync.WaitGroup
}

// Start starts a proxy on a free port of the loopback interface. server is the
// host and port of PostgreSQL.
func Start(ctx context.Context, server string, watch Watcher) (*Proxy, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, server: server, watch: watch, conns: map[*Conn]struct{}{}}
	p.work.Go(p.accept)
	return p, nil
}

// Address is the proxy's host and port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Release releases every connection that is held or stalled.
func (p *Proxy) Release() {
	p.mu.Lock()
	var all []*Conn
	for c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	for _, c := range all {
		c.Release()
	}
}

// Close cuts everything. When it returns, nothing runs any more.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	for c := range p.conns {
		c.close()
	}
	p.mu.Unlock()
	err := p.listener.Close()
	p.work.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.work.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.server)
	if err != nil {
		_ = client.Close() // the service sees that there is no server
		return
	}
	c := newConn(client, server, p.watch)
	if !p.add(c) {
		c.close()
		return
	}
	defer p.remove(c)
	c.run()
}

func (p *Proxy) add(c *Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.conns[c] = struct{}{}
	}
	return !p.closed
}

func (p *Proxy) remove(c *Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

// errStruck ends a pump whose connection was cut or is held.
var errStruck = errors.New("the connection was struck")
