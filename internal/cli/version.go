package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// pinned are the tools that are part of the program, by module.
var pinned = [...]struct{ name, module string }{
	{"sqlc", "github.com/sqlc-dev/sqlc"},
	{"oapi-codegen", "github.com/oapi-codegen/oapi-codegen/v2"},
}

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of idemgen and of the tools in it",
		Long: "Version prints the versions of idemgen and of the tools that are part of it. Of a build\n" +
			"from a checkout it also prints the commit, if the go command has recorded it.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			if err := printVersions(p.stdout, info); err != nil {
				return &outcome{trouble, err}
			}
			return nil
		},
	}
}

func printVersions(w io.Writer, info *debug.BuildInfo) error {
	if _, err := fmt.Fprintf(w, "idemgen %s\n", ownVersion(info)); err != nil {
		return err
	}
	for _, tool := range pinned {
		if _, err := fmt.Fprintf(w, "%s %s\n", tool.name, orUnknown(versionOf(info, tool.module))); err != nil {
			return err
		}
	}
	return nil
}

// ownVersion is the version of the program and, if the build recorded it, the commit
// that it was built from, with -dirty if files had been changed.
func ownVersion(info *debug.BuildInfo) string {
	commit := commitOf(info)
	switch version := info.Main.Version; {
	case commit != "":
		return fmt.Sprintf("%s (commit %s)", strings.Trim(orUnknown(version), "()"), commit)
	case version == "(devel)":
		return "devel (built from a checkout, commit not recorded: go run -buildvcs=true and go build -buildvcs=true record it)"
	default:
		return orUnknown(version)
	}
}

// commitOf returns the commit that the build recorded, or "".
func commitOf(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit != "" && settings["vcs.modified"] == "true" {
		commit += "-dirty"
	}
	return commit
}

// versionOf returns the version of a module that the program was built with.
func versionOf(info *debug.BuildInfo, module string) string {
	for _, dep := range info.Deps {
		if dep.Path != module {
			continue
		}
		if dep.Replace != nil {
			return dep.Replace.Version
		}
		return dep.Version
	}
	return ""
}

func orUnknown(version string) string {
	if version == "" {
		return "(unknown)"
	}
	return version
}
