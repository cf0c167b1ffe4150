package pgserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Database creates a database and returns its address. It is an error if it
// exists.
func (s *Server) Database(ctx context.Context, name string) (string, error) {
	if err := s.exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		return "", fmt.Errorf("create database %q: %w", name, err)
	}
	address := *s.url
	address.Path = "/" + name
	return address.String(), nil
}

// Drop removes a database, disconnecting everybody from it. It is no error if
// there is none.
func (s *Server) Drop(ctx context.Context, name string) error {
	if err := s.exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop database %q: %w", name, err)
	}
	return nil
}

func (s *Server) exec(ctx context.Context, sql string) error {
	return s.query(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, sql)
		return err
	})
}

func (s *Server) query(ctx context.Context, use func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return err
	}
	return errors.Join(use(conn), conn.Close(context.WithoutCancel(ctx)))
}

// awaitReady polls until the server answers a query, its process ends or ctx
// is over.
func (s *Server) awaitReady(ctx context.Context, p *process) error {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		lastErr := s.exec(ctx, "SELECT 1")
		if lastErr == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("the process ended: %w", errors.Join(p.err, lastErr))
		case <-ctx.Done():
			return errors.Join(ctx.Err(), lastErr)
		case <-poll.C:
		}
	}
}
