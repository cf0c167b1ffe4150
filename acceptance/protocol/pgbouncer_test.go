package protocol_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/acceptance/internal/logbuffer"
)

// throughBouncer puts a PgBouncer in transaction pooling before the database,
// for one test. The mode is one that works there: the server's connections are
// not the client's own, and know nothing of its prepared statements.
func throughBouncer(t *testing.T, s site) site {
	t.Helper()
	database, err := url.Parse(s.direct)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	startBouncer(t, database, port)
	database.Host = net.JoinHostPort("127.0.0.1", port)
	return site{direct: s.direct, via: database.String(), mode: pgx.QueryExecModeExec}
}

const bouncerConfig = `[databases]
* = host=%s port=%s user=%s password=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
`

func startBouncer(t *testing.T, database *url.URL, port string) {
	t.Helper()
	program := bouncerProgram(t)
	password, _ := database.User.Password()
	config := filepath.Join(t.TempDir(), "pgbouncer.ini")
	text := fmt.Sprintf(bouncerConfig, database.Hostname(), database.Port(), database.User.Username(), password, port)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{config}
	if os.Geteuid() == 0 {
		args = []string{"-u", "nobody", config} // it refuses to run as root
	}
	// The shell ends it when its input does, also if the test dies.
	cmd := exec.Command("sh", append([]string{"-c", `"$@" & read -r _; kill $!; wait`, "sh", program}, args...)...)
	log := &logbuffer.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("pgbouncer:\n%s", log)
		}
	})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for { // until it listens
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			_ = conn.Close()
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%v\n%s", err, log)
		}
	}
}

// bouncerProgram finds pgbouncer. Without it the test is skipped aloud, or fails
// where nothing may be missing.
func bouncerProgram(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "pgbouncer is not on this machine"
	if os.Getenv("IDEMGEN_REQUIRE") == "1" {
		t.Fatal(missing)
	}
	t.Skip("SKIPPED: " + missing)
	return ""
}
