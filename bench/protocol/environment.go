package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service"
	"github.com/idemgen/idemgen/pgserver"
)

// poolSize lets every caller have a connection.
const poolSize = 40

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// place says where PostgreSQL is and what it promises.
type place struct {
	delay    time.Duration // added to each round trip
	proxied  bool          // even without a delay
	async    bool          // synchronous_commit = off
	poolSize int32
}

func (p place) network() string {
	if p.delay == 0 {
		return "loopback"
	}
	return fmt.Sprintf("%v of round trip added", p.delay)
}

func (p place) commit() string {
	if p.async {
		return "off"
	}
	return "on"
}

// environment is a fresh database at some place, and a pool on it.
type environment struct {
	place
	server *pgserver.Server
	name   string
	proxy  *proxy // nil on loopback
	pool   *pgxpool.Pool
	pools  []*pgxpool.Pool // it and everybody's own
}

func newEnvironment(ctx context.Context, server *pgserver.Server, name string, at place) (*environment, error) {
	address, err := server.Database(ctx, name)
	if err != nil {
		return nil, err
	}
	env := &environment{place: at, server: server, name: name}
	if err := env.createTables(ctx); err != nil {
		return nil, err
	}
	if at.delay > 0 || at.proxied {
		parsed, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		if env.proxy, err = startProxy(ctx, parsed.Host, at.delay); err != nil {
			return nil, err
		}
	}
	env.pool, err = env.newPool(ctx)
	return env, err
}

// direct opens a connection to the database, around the proxy.
func (e *environment) direct(ctx context.Context, use func(*pgx.Conn) error) error {
	address, err := e.address()
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(use(conn), conn.Close(context.WithoutCancel(ctx)))
}

func (e *environment) createTables(ctx context.Context) error {
	return e.direct(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, service.KeysSchema+service.OrdersSchema)
		return err
	})
}

// address is the database's, around the proxy.
func (e *environment) address() (string, error) {
	address, err := url.Parse(e.server.URL())
	if err != nil {
		return "", err
	}
	address.Path = "/" + e.name
	return address.String(), nil
}

// newPool is for whoever wants a pool to themselves. They close it.
func (e *environment) newPool(ctx context.Context) (*pgxpool.Pool, error) {
	address, err := e.address()
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = poolSize
	if e.poolSize != 0 {
		config.MaxConns = e.place.poolSize
	}
	config.ConnConfig.RuntimeParams["synchronous_commit"] = e.commit()
	if e.proxy != nil {
		host, port, err := net.SplitHostPort(e.proxy.address())
		if err != nil {
			return nil, err
		}
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return nil, err
		}
		config.ConnConfig.Host, config.ConnConfig.Port = host, uint16(number)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err == nil {
		e.pools = append(e.pools, pool)
	}
	return pool, err
}

// close drops the database.
func (e *environment) close(ctx context.Context) error {
	e.pool.Close()
	if e.proxy != nil {
		e.proxy.close()
	}
	return e.server.Drop(ctx, e.name)
}

// roundTrip is the median of what SELECT 1 takes.
func (e *environment) roundTrip(ctx context.Context) (time.Duration, error) {
	var took []float64
	for range 200 {
		start := time.Now()
		if _, err := e.pool.Exec(ctx, "SELECT 1"); err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(start)))
	}
	return time.Duration(spreadOf(took).median), nil
}
