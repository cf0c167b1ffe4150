// Package wire is a network between a service and PostgreSQL that breaks where a test
// says.
package wire

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

// Wire breaks once: its connection is closed after the fault.
type Wire struct {
	Armed     atomic.Bool
	Marker    string // the first message with it meets the fault, once armed
	Fault     func(message []byte, server net.Conn) error
	Deaf      bool        // requests to cancel get lost, as they do when a network parts
	Cancelled atomic.Bool // the client asked to cancel
}

// Commits is a wire that breaks when COMMIT is sent.
func Commits(fault func([]byte, net.Conn) error) *Wire {
	return &Wire{Marker: "commit\x00", Fault: fault}
}

// Install lays the wire. The text of each statement is then on it.
func (w *Wire) Install(c *pgxpool.Config) {
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return &wiredConn{Conn: conn, wire: w}, err
	}
}

// wiredConn writes what passes.
type wiredConn struct {
	net.Conn
	wire *Wire
}

// Write implements [net.Conn].
func (c *wiredConn) Write(p []byte) (int, error) {
	switch {
	case isCancelRequest(p):
		c.wire.Cancelled.Store(true)
		if c.wire.Deaf {
			return len(p), c.Close()
		}
	case bytes.Contains(p, []byte(c.wire.Marker)) && c.wire.Armed.CompareAndSwap(true, false):
		return len(p), errors.Join(c.wire.Fault(p, c.Conn), c.Close())
	}
	return c.Conn.Write(p)
}

func isCancelRequest(p []byte) bool {
	return len(p) == 16 && binary.BigEndian.Uint32(p[4:]) == 80877102
}

// LoseAnswer sends the message and loses the answer. It waits for it: pgx follows
// a broken connection with a request to cancel, which could still undo a COMMIT.
func LoseAnswer(p []byte, server net.Conn) error {
	if _, err := server.Write(p); err != nil {
		return err
	}
	_, err := server.Read(make([]byte, 1))
	return err
}

// LoseMessage sends nothing and waits until the server has noticed that nobody
// is there any more.
func LoseMessage(_ []byte, server net.Conn) error {
	return hangUp(server)
}

// SendPart sends the first n bytes, all but -n if it is negative, and no more.
func SendPart(n int) func([]byte, net.Conn) error {
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
