//go:build unix

package generate

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is an unprivileged user. Root may write anywhere, and so runs idemgen as
// nobody here.
const nobody = 65534

// The last folder that is written to is read-only, so that there is something to
// undo in the others.
func TestReadOnlyFolder(t *testing.T) {
	for _, history := range histories {
		t.Run(history.name, func(t *testing.T) {
			p := newProject(t)
			p.write("schema/.keep", "") // a folder of the user's, read-only or not
			history.until(p)
			cmd := p.command("generate")
			if os.Geteuid() == 0 {
				p.giveTo(nobody)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				cmd.Env = append(cmd.Env, "HOME="+p.scratch, "GOCACHE="+p.scratch, "GOMODCACHE="+p.scratch)
			}
			if err := os.Chmod(p.path("schema"), 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(p.path("schema"), 0o755) })

			before := tree(t, p.folder)
			got := p.finish(cmd)
			if got.code != 1 || !strings.Contains(got.stderr, "schema/idempotency.sql:1:1: the folder cannot be written to") {
				t.Errorf("got %+v, want exit code 1 and the folder's name", got)
			}
			p.expectUnchanged(before)
			p.expectNoScratch()
		})
	}
}

// giveTo makes the project somebody else's, who can also get there.
func (p *project) giveTo(user int) {
	p.t.Helper()
	for _, folder := range []string{p.folder, p.scratch} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chown(path, user, user)
		})
		if err != nil {
			p.t.Fatal(err)
		}
		if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
}
