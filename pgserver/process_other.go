//go:build !unix

package pgserver

import (
	"os"
	"os/exec"
	"path/filepath"
)

// interrupt ends the server. There are no signals to ask it with; the next
// start recovers from the log.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func quit(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func restrict(*exec.Cmd) error { return nil }

func giveAway(string) error { return nil }

func tempRoot() string { return os.TempDir() }

func cacheFolder() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "idemgen", "postgres"), err
}
