// Package pgserver starts throwaway PostgreSQL servers for tests and demos.
//
// It runs the server programs that are on the machine, else those it has
// fetched before, else it fetches them. Started by root, the server runs as
// the user postgres or nobody. Nothing is installed and nothing but a cache of
// fetched programs stays behind.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// ErrNotFound means that the demanded version is neither on the machine nor
// could be fetched.
var ErrNotFound = errors.New("no PostgreSQL server programs found")

// ErrAttached is returned by the methods that would stop or start a server
// which this package did not start.
var ErrAttached = errors.New("this PostgreSQL server is not ours to stop or start")

// Options say which server to start and how.
type Options struct {
	// Version is a major version, such as "15". Empty means the newest on the
	// machine, and one from the network only when there is none.
	Version string
	// Parameters are settings of postgresql.conf. Without a value of their
	// own here, fsync is off: the data do not outlive the server anyway.
	Parameters map[string]string
	// Log receives what the server and its tools print. It may be nil.
	Log io.Writer
	// Fetching is told the source before programs are fetched from the
	// network, which takes a while. It may be nil.
	Fetching func(source string)
}

// A Server is one PostgreSQL server on the loopback interface, with a data
// directory of its own. It is safe for concurrent use.
type Server struct {
	url      *url.URL
	version  string
	origin   string
	attached bool

	programs installation
	dir      string
	settings []string
	log      *tail

	mu      sync.Mutex
	process *process
	stopped bool
}

// Start starts a server and returns when it answers queries. Call Stop when
// done. ctx bounds the start, fetching included, and not the server's life. The
// error wraps [ErrNotFound] when there are no programs to run.
func Start(ctx context.Context, options Options) (*Server, error) {
	programs, err := newFinder(ctx, options.Fetching).find(ctx, options.Version)
	if err != nil {
		return nil, err
	}
	s := &Server{
		version:  programs.version,
		origin:   programs.bin,
		programs: programs,
		settings: settings(options.Parameters),
		log:      &tail{next: options.Log},
	}
	if err := s.create(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// Attach returns the server that already runs at url. Its Stop does nothing,
// and it cannot be halted. The user must be allowed to create databases.
func Attach(ctx context.Context, rawURL string) (*Server, error) {
	parsed, err := url.Parse(rawURL)
	if err != nil {
		return nil, errors.New("the database URL does not parse as postgres://user:password@host:port/database")
	}
	s := &Server{url: parsed, origin: parsed.Host, attached: true}
	var version string
	err = s.query(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, "SHOW server_version").Scan(&version)
	})
	if err != nil {
		return nil, fmt.Errorf("ask the server at %s for its version: %w", parsed.Host, err)
	}
	s.version, _, _ = strings.Cut(version, " ")
	return s, nil
}

// URL is the address of the database postgres for its superuser.
func (s *Server) URL() string { return s.url.String() }

// Version is the server's version, such as "15.18".
func (s *Server) Version() string { return s.version }

// Major is the server's major version, such as "15".
func (s *Server) Major() string { return major(s.version) }

// String names the server for people: version and where it comes from.
func (s *Server) String() string {
	return fmt.Sprintf("PostgreSQL %s (%s)", s.version, s.origin)
}

// Attached reports whether somebody else started the server.
func (s *Server) Attached() bool { return s.attached }

// Log returns the end of what the server has printed.
func (s *Server) Log() string {
	if s.log == nil {
		return ""
	}
	return s.log.String()
}

// Stop ends the server, disconnecting everybody, and removes its data.
// Another call does nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attached || s.stopped {
		return nil
	}
	s.stopped = true
	err := s.halt()
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}

// Halt ends the server, disconnecting everybody, and keeps its data for
// Resume.
func (s *Server) Halt() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attached {
		return ErrAttached
	}
	return s.halt()
}

// Resume starts a halted server again, at the same address.
func (s *Server) Resume(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.attached:
		return ErrAttached
	case s.stopped:
		return errors.New("the PostgreSQL server was stopped and its data are gone")
	case s.process != nil && s.process.running():
		return nil
	}
	return s.run(ctx)
}

// Restart is Halt and Resume.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.Halt(); err != nil {
		return err
	}
	return s.Resume(ctx)
}

// create makes the data directory and starts the server on a free port.
func (s *Server) create(ctx context.Context) error {
	dir, err := os.MkdirTemp(tempRoot(), "idemgen-postgres-")
	if err != nil {
		return fmt.Errorf("make a directory for PostgreSQL's data: %w", err)
	}
	s.dir = dir
	password, err := initialise(ctx, s.programs, dir, s.log)
	if err != nil {
		return err
	}
	s.url = &url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword("postgres", password),
		Path:     "/postgres",
		RawQuery: "sslmode=disable",
	}
	return s.runOnFreePort(ctx)
}

// runOnFreePort chooses a port that is free and tries another one when
// somebody took it in the meantime.
func (s *Server) runOnFreePort(ctx context.Context) error {
	for try := 1; ; try++ {
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		s.url.Host = net.JoinHostPort("127.0.0.1", port)
		err = s.run(ctx)
		if err == nil || try == 3 || portIsFree(ctx, s.url.Host) {
			return err
		}
	}
}

func (s *Server) run(ctx context.Context) error {
	args := []string{"-D", filepath.Join(s.dir, dataFolder), "-h", "127.0.0.1", "-p", s.url.Port()}
	p, err := startProcess(s.programs.command(context.Background(), "postgres", s.dir, s.log, append(args, s.settings...)...))
	if err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	s.process = p
	if err := s.awaitReady(ctx, p); err != nil {
		return errors.Join(fmt.Errorf("%s did not get ready: %w\n%s", s, err, s.log), p.stop())
	}
	return nil
}

func (s *Server) halt() error {
	if s.process == nil {
		return nil
	}
	if err := s.process.stop(); err != nil {
		return fmt.Errorf("stop %s: %w", s, err)
	}
	return nil
}

// settings turns parameters into arguments of postgres, in a fixed order.
func settings(parameters map[string]string) []string {
	all := map[string]string{"fsync": "off", "unix_socket_directories": ""}
	maps.Copy(all, parameters)
	var args []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return args
}

func freePort(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}

func portIsFree(ctx context.Context, address string) bool {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
