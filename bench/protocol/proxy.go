package main

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// proxy passes connections on to PostgreSQL, counts their round trips, and lets
// every answer wait.
type proxy struct {
	listener net.Listener
	server   string
	delay    time.Duration
	trips    atomic.Int64

	mu     sync.Mutex
	conns  []net.Conn
	closed bool
	work   sync.WaitGroup
}

func startProxy(ctx context.Context, server string, delay time.Duration) (*proxy, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, server: server, delay: delay}
	p.work.Go(p.accept)
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// close cuts everything. When it returns, nothing runs any more.
func (p *proxy) close() {
	p.mu.Lock()
	p.closed = true
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	_ = p.listener.Close()
	p.work.Wait()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.work.Go(func() { p.serve(client) })
	}
}

func (p *proxy) serve(client net.Conn) {
	server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.server)
	if err != nil {
		_ = client.Close() // the client sees that there is no server
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	closed := p.closed
	p.mu.Unlock()
	hangUp := func() { _, _ = client.Close(), server.Close() }
	if closed {
		hangUp()
	}
	var asked atomic.Bool
	var answers sync.WaitGroup
	answers.Go(func() {
		defer hangUp()
		p.passAnswers(server, client, &asked)
	})
	p.passQuestions(client, server, &asked)
	hangUp()
	answers.Wait()
}

// passQuestions counts a round trip whenever the client has something to say
// after the server had.
func (p *proxy) passQuestions(client, server net.Conn, asked *atomic.Bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if n > 0 && !asked.Swap(true) {
			p.trips.Add(1)
		}
		if err != nil {
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// late is what may be passed on from then on.
type late struct {
	due  time.Time
	data []byte
}

// passAnswers passes on what the server says, delayed. Reading does not wait for
// writing, so that a long answer is late once.
func (p *proxy) passAnswers(server, client net.Conn, asked *atomic.Bool) {
	queue := make(chan late, 1024)
	p.work.Go(func() {
		for answer := range queue {
			if wait := time.Until(answer.due); p.delay > 0 && wait > 0 {
				<-time.After(wait)
			}
			asked.Store(false)
			if _, err := client.Write(answer.data); err != nil {
				_ = server.Close() // ends the reading
			}
		}
	})
	defer close(queue)
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		queue <- late{due: time.Now().Add(p.delay), data: append([]byte(nil), buffer[:n]...)}
	}
}
