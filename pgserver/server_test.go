package pgserver_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/pgserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServerLivesFromStartToStop(t *testing.T) {
	server := start(t, pgserver.Options{Parameters: map[string]string{"work_mem": "7MB"}})
	if got := ask(t, server.URL(), "SHOW work_mem"); got != "7MB" {
		t.Errorf("work_mem is %s, want 7MB", got)
	}
	if got := ask(t, server.URL(), "SHOW server_version"); !strings.HasPrefix(got, server.Version()) {
		t.Errorf("Version is %s, and the server says %s", server.Version(), got)
	}
	data := ask(t, server.URL(), "SHOW data_directory")

	for range 2 {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data directory is still there: %v", err)
	}
	if _, err := pgx.Connect(t.Context(), server.URL()); err == nil {
		t.Error("the server still answers")
	}
	if err := server.Resume(t.Context()); err == nil {
		t.Error("a stopped server resumed")
	}
}

func TestDataSurviveARestart(t *testing.T) {
	server := start(t, pgserver.Options{})
	address, err := server.Database(t.Context(), `odd "name"`)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, address, "CREATE TABLE kept AS SELECT 1")
	if err := server.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, err := pgx.Connect(t.Context(), address); err == nil {
		t.Error("a halted server answers")
	}
	if err := server.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, address, "SELECT count(*)::text FROM kept"); got != "1" {
		t.Errorf("%s rows after a restart, want 1", got)
	}
	if err := server.Drop(t.Context(), `odd "name"`); err != nil {
		t.Fatal(err)
	}
	if _, err := pgx.Connect(t.Context(), address); err == nil {
		t.Error("a dropped database answers")
	}
}

func TestAStrangerNeedsThePassword(t *testing.T) {
	server := start(t, pgserver.Options{})
	config, err := pgx.ParseConfig(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	config.Password = "guess"
	if _, err := pgx.ConnectConfig(t.Context(), config); err == nil {
		t.Error("connected with a wrong password")
	}
}

func TestAttachLeavesTheServerAlone(t *testing.T) {
	ours := start(t, pgserver.Options{})
	attached, err := pgserver.Attach(t.Context(), ours.URL())
	if err != nil {
		t.Fatal(err)
	}
	if attached.Version() != ours.Version() {
		t.Errorf("Version is %s, want %s", attached.Version(), ours.Version())
	}
	for name, err := range map[string]error{
		"Halt":    attached.Halt(),
		"Resume":  attached.Resume(t.Context()),
		"Restart": attached.Restart(t.Context()),
	} {
		if !errors.Is(err, pgserver.ErrAttached) {
			t.Errorf("%s: got %v, want ErrAttached", name, err)
		}
	}
	if err := attached.Stop(); err != nil {
		t.Error(err)
	}
	ask(t, ours.URL(), "SELECT 'still there'")
}

func TestStartReportsWhatTheServerSays(t *testing.T) {
	_, err := pgserver.Start(t.Context(), pgserver.Options{Parameters: map[string]string{"no_such_setting": "1"}})
	skipIfNotFound(t, err)
	if err == nil || !strings.Contains(err.Error(), `unrecognized configuration parameter "no_such_setting"`) {
		t.Errorf("got %v", err)
	}
}

func TestStartStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pgserver.Start(ctx, pgserver.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestVersionIsAMajorVersion(t *testing.T) {
	for _, version := range []string{"15.3", "fifteen", "../15"} {
		if _, err := pgserver.Start(t.Context(), pgserver.Options{Version: version}); err == nil || !strings.Contains(err.Error(), "major version") {
			t.Errorf("%s: got %v", version, err)
		}
	}
}

func start(t *testing.T, options pgserver.Options) *pgserver.Server {
	t.Helper()
	server, err := pgserver.Start(t.Context(), options)
	skipIfNotFound(t, err)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func skipIfNotFound(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, pgserver.ErrNotFound) && os.Getenv("IDEMGEN_REQUIRE") != "1" {
		t.Skip("SKIPPED, no PostgreSQL: ", err)
	}
}

// ask runs one statement and returns its one value, if it has one.
func ask(t *testing.T, address, sql string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		t.Fatal(err)
	}
	return value
}
