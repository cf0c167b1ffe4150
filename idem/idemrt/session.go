package idemrt

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Transaction states of a connection, as PostgreSQL reports them.
const (
	txNone    = 'I'
	txAborted = 'E'
)

// session is one connection, taken from the pool for one try. Whatever happens,
// abandon gives it back in order.
type session struct {
	engine *Engine
	conn   *pgxpool.Conn
	tx     pgx.Tx
	gone   bool // somebody else gives the connection back
}

func (g *Engine) acquire(ctx context.Context) (*session, error) {
	conn, err := g.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &session{engine: g, conn: conn}, nil
}

// abandon rolls back what is open and gives the connection back. It is the last
// thing done with a session, also when the business function panicked.
func (s *session) abandon(ctx context.Context) {
	if s.gone {
		return
	}
	s.rollback(ctx)
	s.release()
}

// release gives the connection back. The pool closes it unless it is idle.
func (s *session) release() {
	s.gone = true
	s.conn.Release()
}

// rollback ends an open transaction. If it cannot, the connection is closed,
// which ends it too.
func (s *session) rollback(ctx context.Context) {
	conn := s.conn.Conn()
	if conn.IsClosed() || conn.PgConn().TxStatus() == txNone {
		return
	}
	if conn.PgConn().IsBusy() {
		s.destroy(ctx)
		return
	}
	ctx, stop := s.engine.detached(ctx)
	defer stop()
	if _, err := conn.Exec(ctx, rollbackSQL); err != nil {
		s.destroy(ctx)
	}
}

// destroy closes the connection.
func (s *session) destroy(ctx context.Context) {
	ctx, stop := s.engine.detached(ctx)
	defer stop()
	_ = s.conn.Conn().Close(ctx) // it is unusable either way
}

// breakOff closes the socket under an operation that another goroutine is
// running on the connection, and leaves it to that one to give it back.
func (s *session) breakOff() {
	s.gone = true
	_ = s.conn.Conn().PgConn().Conn().Close() // the only thing that is safe from here
}

// lost reports whether the connection broke.
func (s *session) lost() bool { return s.conn.Conn().IsClosed() }

// aborted reports whether a statement failed and nobody rolled back to before it.
func (s *session) aborted() bool {
	return s.conn.Conn().PgConn().TxStatus() == txAborted
}
