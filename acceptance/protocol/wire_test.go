package protocol_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// wire is the network between a service and PostgreSQL, which breaks where a
// test says.
type wire struct {
	armed     atomic.Bool
	marker    string // the first message with it meets the fault, once armed
	fault     func(message []byte, server net.Conn) error
	deaf      bool        // requests to cancel get lost, as they do when a network parts
	cancelled atomic.Bool // the client asked to cancel
}

// commits is a wire that breaks when COMMIT is sent.
func commits(fault func([]byte, net.Conn) error) *wire {
	return &wire{marker: "commit\x00", fault: fault}
}

// install lays the wire. The text of each statement must be on it.
func (w *wire) install(c *pgxpool.Config) {
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &wiredConn{Conn: conn, wire: w}, err
	}
}

type wiredConn struct {
	net.Conn
	wire *wire
}

func (c *wiredConn) Write(p []byte) (int, error) {
	switch {
	case isCancelRequest(p):
		c.wire.cancelled.Store(true)
		if c.wire.deaf {
			return len(p), c.Close()
		}
	case bytes.Contains(p, []byte(c.wire.marker)) && c.wire.armed.CompareAndSwap(true, false):
		return len(p), errors.Join(c.wire.fault(p, c.Conn), c.Close())
	}
	return c.Conn.Write(p)
}

func isCancelRequest(p []byte) bool {
	return len(p) == 16 && binary.BigEndian.Uint32(p[4:]) == 80877102
}

// loseAnswer sends the message and loses the answer. It waits for it: pgx follows
// a broken connection with a request to cancel, which could still undo a COMMIT.
func loseAnswer(p []byte, server net.Conn) error {
	if _, err := server.Write(p); err != nil {
		return err
	}
	_, err := server.Read(make([]byte, 1))
	return err
}

// loseMessage sends nothing and waits until the server has noticed that nobody
// is there any more.
func loseMessage(_ []byte, server net.Conn) error {
	return hangUp(server)
}

// sendPart sends the first n bytes, all but -n if it is negative, and no more.
func sendPart(n int) func([]byte, net.Conn) error {
	return func(p []byte, server net.Conn) error {
		if n < 0 {
			n += len(p)
		}
		if _, err := server.Write(p[:n]); err != nil {
			return err
		}
		return hangUp(server)
	}
}

// hangUp closes our half and waits for the other.
func hangUp(server net.Conn) error {
	if half, ok := server.(*net.TCPConn); ok {
		if err := half.CloseWrite(); err != nil {
			return err
		}
	}
	_, _ = io.Copy(io.Discard, server) // it may be reset
	return nil
}
