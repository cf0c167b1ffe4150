package pgserver_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/pgserver"
)

// TestServerDiesWithItsParent kills a process that has started a server. The
// process is this test again, told so by the environment.
func TestServerDiesWithItsParent(t *testing.T) {
	if os.Getenv("PGSERVER_TEST_PARENT") == "1" {
		server, err := pgserver.Start(t.Context(), pgserver.Options{})
		if err != nil {
			fmt.Fprintln(os.Stdout, "none:", err)
			return
		}
		fmt.Fprintln(os.Stdout, "url:", server.URL())
		select {}
	}
	dir := t.TempDir()
	for _, path := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	parent := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestServerDiesWithItsParent$")
	parent.Env = append(os.Environ(), "PGSERVER_TEST_PARENT=1", "TMPDIR="+dir)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// That it was killed is the point.
	_ = parent.Wait()

	address, ok := strings.CutPrefix(strings.TrimSpace(line), "url: ")
	if !ok {
		t.Skip("SKIPPED, no server: ", line)
	}
	for {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil && strings.Contains(err.Error(), "refused") {
			break
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
		runtime.Gosched() // nothing tells us of a grandchild's end
	}
	awaitEmptied(t, dir)
}

// awaitEmptied waits until the server has removed its pid file, so that the
// folder can go.
func awaitEmptied(t *testing.T, dir string) {
	t.Helper()
	for {
		left, err := filepath.Glob(filepath.Join(dir, "*", "data", "postmaster.pid"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		runtime.Gosched()
	}
}
