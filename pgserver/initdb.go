package pgserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// dataFolder is the name of the data directory inside a server's directory.
const dataFolder = "data"

// initialise makes dir the server user's and a data directory inside it. It
// returns the superuser's password: on a shared machine everybody reaches the
// loopback interface.
func initialise(ctx context.Context, programs installation, dir string, log io.Writer) (password string, err error) {
	password = rand.Text()
	passwordFile := filepath.Join(dir, "password")
	if err := os.WriteFile(passwordFile, []byte(password), 0o600); err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(passwordFile) }()
	for _, path := range []string{dir, passwordFile} {
		if err := giveAway(path); err != nil {
			return "", err
		}
	}
	cmd := programs.command(ctx, "initdb", dir, log,
		"-D", filepath.Join(dir, dataFolder),
		"-U", "postgres",
		"-A", "scram-sha-256",
		"--pwfile", passwordFile,
		"-E", "UTF8",
		"--locale", "C",
		"--no-sync",
	)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("make a PostgreSQL data directory: %w\n%s", err, log)
	}
	return password, nil
}
