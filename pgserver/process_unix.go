//go:build unix

package pgserver

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// interrupt asks a server for a fast shutdown.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGINT) }

// quit asks a server for an immediate shutdown.
func quit(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGQUIT) }

// restrict makes cmd run as the server's user, in a process group of its own,
// so that a Ctrl-C at the terminal reaches only whoever started the server.
func restrict(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := serverUser()
	if err != nil {
		return err
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	return nil
}

// giveAway makes the server's user the owner of path.
func giveAway(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := serverUser()
	if err != nil {
		return err
	}
	return os.Chown(path, int(uid), int(gid))
}

// serverUser is who runs the server when we are root, which PostgreSQL
// refuses to run as.
func serverUser() (uid, gid uint32, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return uint32(uid), uint32(gid), nil
		}
	}
	return 0, 0, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it")
}

// tempRoot is a directory for temporary files that the server's user can
// reach.
func tempRoot() string {
	if dir := os.TempDir(); os.Geteuid() != 0 || openToAll(dir) {
		return dir
	}
	return "/tmp"
}

// openToAll reports whether every user may pass through dir and all above it.
func openToAll(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode()&fs.FileMode(0o001) == 0 {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

// cacheFolder is where fetched programs are kept, readable to whoever runs
// them.
func cacheFolder() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/cache/idemgen/postgres", nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "idemgen", "postgres"), nil
}
