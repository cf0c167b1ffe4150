package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/output"
)

func (p *program) generateCommand() *cobra.Command {
	return p.configured("generate", "Write all files, or none of them",
		"Generate reads the configuration and the document that it names, and writes all files.\n"+
			"It prints which files have changed, and what is left for you to do. When anything is\n"+
			"wrong, every file stays as it was.",
		func(c *config.Config, files, stale []output.File) error {
			written, err := output.Write(files, stale)
			if err != nil {
				return p.report(nil, err)
			}
			steps := nextSteps(c, files, written, p.migration)
			if _, err := io.WriteString(p.stdout, summary(written, steps)+printedSQL(p.migration)); err != nil {
				return &outcome{trouble, err}
			}
			return nil
		})
}

func (p *program) checkCommand() *cobra.Command {
	return p.configured("check", "Print what generate would change",
		"Check generates in memory and prints a unified diff from the files on disk to what\ngenerate would write. It writes nothing, and exits with 1 when a file is stale or missing.",
		func(_ *config.Config, files, stale []output.File) error {
			diff, err := output.Check(files, stale)
			if err != nil {
				return p.report(nil, err)
			}
			if len(diff) == 0 {
				return nil
			}
			if _, err := p.stdout.Write(diff); err != nil {
				return &outcome{trouble, err}
			}
			if _, err := io.WriteString(p.stderr, tablesChange(p.migration)); err != nil {
				return &outcome{trouble, err}
			}
			return &outcome{fault, errors.New("files are stale or missing: run idemgen generate")}
		})
}

// configured returns a command that reads a configuration and calls run with what is
// generated from it.
func (p *program) configured(use, short, long string, finish func(c *config.Config, files, stale []output.File) error) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path == "" {
				return errors.New("flag -c needs the path of a configuration")
			}
			c, err := config.Load(path)
			if err != nil {
				return p.report(nil, err)
			}
			files, stale, err := p.load(cmd.Context(), c)
			if err != nil {
				return err
			}
			return finish(c, files, stale)
		},
	}
	cmd.Flags().StringVarP(&path, "config", "c", "idemgen.yaml", "`path` of the configuration")
	return cmd
}

// load runs the pipeline and prints its warnings.
func (p *program) load(ctx context.Context, c *config.Config) (files, stale []output.File, err error) {
	files, stale, migration, warnings, err := p.generate(ctx, c)
	p.migration = migration
	if err == nil {
		err = ctx.Err() // interrupted: write nothing
	}
	return files, stale, p.report(warnings, err)
}

// report prints diagnostics and returns the outcome. Diagnostics are problems of the
// input; any other error is a failure of the program or its environment.
func (p *program) report(warnings diag.List, err error) error {
	all := append(diag.List{}, warnings...)
	var list diag.List
	if errors.As(err, &list) {
		all.Add(list...)
	}
	all.Sort()
	if printing := diag.Print(p.stderr, all, readSource); printing != nil {
		return &outcome{trouble, printing}
	}
	switch {
	case err == nil:
		return nil
	case list.HasErrors():
		return &outcome{fault, nil}
	default:
		return &outcome{trouble, err}
	}
}

// readSource reads a file for an excerpt. A generated file has no excerpt: the file on
// disk may be from an earlier run.
func readSource(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err == nil && output.Generated(data) {
		return nil, os.ErrInvalid
	}
	return data, err
}
