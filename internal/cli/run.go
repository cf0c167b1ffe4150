// Package cli is the command idemgen: it converts arguments to a run of the generator,
// and the outcome to text and an exit code. No other package prints.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// The exit codes.
const (
	fine    = 0
	fault   = 1 // a problem of the input, or stale files
	trouble = 2 // wrong usage, or a failure of the program or its environment
)

// Pipeline generates everything for a configuration, in memory. Stale files are those
// that the lock file names and that are not generated any more. The migration is what
// a database needs, or nil. An error of the input is a diag.List; warnings are
// returned either in it or with the files.
type Pipeline func(ctx context.Context, c *config.Config) (files, stale []output.File, migration *gen.Migration, warnings diag.List, err error)

// Run runs the command with args, which do not include the program's name, and returns
// its exit code: 0 for success, 1 for a problem of the input or stale files, 2 for
// wrong usage or any other failure. Results are printed to stdout, diagnostics to
// stderr.
//
// Run ends the process itself only if args request the hidden command that is sqlc
// (see [sqlc.Child]).
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, pipeline, args, stdin, stdout, stderr)
}

func run(ctx context.Context, generate Pipeline, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if code, ok := sqlc.Child(args); ok {
		return code
	}
	p := &program{generate: generate, stdout: stdout, stderr: stderr}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return p.exitCode(root.ExecuteContext(ctx))
}

// program is one run of the command.
type program struct {
	generate       Pipeline
	stdout, stderr io.Writer
	migration      *gen.Migration // the migration of the pipeline's run
}

// outcome is the error of a command whose usage was correct. All other errors are
// cobra's, about usage.
type outcome struct {
	code int
	err  error // nil if everything has been printed
}

func (o *outcome) Error() string { return fmt.Sprintf("exit code %d: %v", o.code, o.err) }

// exitCode prints the error, if there is one, and returns the exit code.
func (p *program) exitCode(err error) int {
	if err == nil {
		return fine
	}
	var o *outcome
	if !errors.As(err, &o) {
		fmt.Fprintf(p.stderr, "idemgen: %v\nRun idemgen --help for usage.\n", err)
		return trouble
	}
	if o.err != nil {
		fmt.Fprintf(p.stderr, "idemgen: %v\n", o.err)
	}
	return o.code
}

const help = `Idemgen makes the write operations of an OpenAPI service idempotent: from the annotation
x-idempotent it generates key tables, queries and typed handlers.

Each command but version reads a configuration, idemgen.yaml by default. Results go to
standard output, diagnostics to standard error. The exit code is 0 if all is well, 1 if
the input is at fault or a file is stale, and 2 for wrong usage or other trouble.`

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "idemgen",
		Short:         "Idempotent operations for OpenAPI services on PostgreSQL, from one annotation",
		Long:          help,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("a command is missing")
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(p.generateCommand(), p.checkCommand(), p.expandCommand(), p.explainCommand(), p.versionCommand())
	return root
}
