package migrations

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/acceptance/internal/command"
	"github.com/idemgen/idemgen/pgserver"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// cases returns the folder with the SQL of all cases of internal/migrate.
func cases(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^TestChanges$", "./internal/migrate", "-sql="+folder)
	cmd.Dir = command.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// Each change makes of a database with the tables before one with the tables after. Its way
// back undoes it, or refuses to.
func TestChanges(t *testing.T) {
	folder := cases(t)
	pgtest.Each(t, func(t *testing.T, server *pgserver.Server) {
		for _, name := range names(t, folder) {
			t.Run(name, func(t *testing.T) {
				before, after := read(t, folder, name, "before.sql"), read(t, folder, name, "after.sql")
				up, down := read(t, folder, name, "up.sql"), read(t, folder, name, "down.sql")
				migrated, want := pgtest.PoolOn(t, server), pgtest.PoolOn(t, server)
				run(t, migrated, before)
				run(t, want, after)

				run(t, migrated, up)

				for _, drop := range unused(up) {
					run(t, migrated, drop)
				}
				wantSame(t, want, migrated)
				if strings.Contains(down, "RAISE EXCEPTION") {
					if err := tryRun(t, migrated, down); err == nil || !strings.Contains(err.Error(), "idemgen does not revert a change of key tables") {
						t.Errorf("the way back: %v", err)
					}
					wantSame(t, want, migrated)
					return
				}
				fresh := pgtest.PoolOn(t, server)
				run(t, fresh, before)
				reverted := pgtest.PoolOn(t, server)
				run(t, reverted, before)
				run(t, reverted, up)
				run(t, reverted, down)
				wantSame(t, fresh, reverted)
			})
		}
	})
}

// drops finds the statements that a migration has as comments.
var drops = regexp.MustCompile(`(?m)^--     (DROP .*;)$`)

func unused(up string) []string {
	var statements []string
	for _, m := range drops.FindAllStringSubmatch(up, -1) {
		statements = append(statements, m[1])
	}
	return statements
}
