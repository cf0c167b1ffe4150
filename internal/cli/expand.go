package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/output"
)

// expandFlags are the flags of the command expand.
type expandFlags struct {
	config, out string
	bound       bool
}

const expandHelp = `Expand prints the document for the callers of the API: the one that the configuration
names, with its overlay applied, and with the idempotency key of each annotated
operation, the problem responses that can occur, and the header that marks a replay.
Comments and the order of keys are kept.

With --bound it prints the document for code generators and validating middleware
instead. In that one, keys are plain optional headers, because the generated server
checks them itself. Give it to oapi-codegen if you run that yourself.

With -o the result goes to a file. A file that is there already is only replaced if
idemgen expand has written it.`

func (p *program) expandCommand() *cobra.Command {
	var flags expandFlags
	cmd := &cobra.Command{
		Use:   "expand",
		Short: "Print the document for callers, or for code generators",
		Long:  expandHelp,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case flags.config == "":
				return errors.New("flag -c needs the path of a configuration")
			case flags.out == "" && cmd.Flags().Changed("out"):
				return errors.New("flag -o needs the path of a file")
			}
			return p.expand(flags)
		},
	}
	cmd.Flags().StringVarP(&flags.config, "config", "c", "idemgen.yaml", "`path` of the configuration")
	cmd.Flags().StringVarP(&flags.out, "out", "o", "", "`file` to write, instead of standard output")
	cmd.Flags().BoolVar(&flags.bound, "bound", false, "print the document for code generators and validating middleware")
	return cmd
}

func (p *program) expand(flags expandFlags) error {
	c, err := config.Load(flags.config)
	if err != nil {
		return p.report(nil, err)
	}
	options := gen.ExpandOptions{Bound: flags.bound}
	var file output.File
	if flags.out != "" {
		if file, err = outFile(flags.out); err != nil {
			return &outcome{trouble, err}
		}
		options.Folder = filepath.Dir(file.Path)
	}
	text, warnings, err := gen.Expand(c, options)
	if err := p.report(warnings, err); err != nil {
		return err
	}
	if flags.out == "" {
		if _, err := p.stdout.Write(text); err != nil {
			return &outcome{trouble, err}
		}
		return nil
	}
	if err := p.replaceable(file); err != nil {
		return err
	}
	file.Content = text
	_, err = output.Write([]output.File{file}, nil)
	return p.report(nil, namedByFlag(err))
}

// replaceable reports a file that a command other than expand has generated.
func (p *program) replaceable(file output.File) error {
	old, _ := os.ReadFile(file.Path) // output reports files that cannot be read or were not generated
	if !output.Generated(old) || bytes.Contains(firstLines(old), []byte("idemgen expand")) {
		return nil
	}
	return p.report(nil, diag.List{diag.Errorf(diag.Position{File: file.Display, Line: 1, Column: 1},
		"name another file with -o", "the file was not made by idemgen expand and will not be replaced")})
}

// firstLines returns the part of a file that says what generated it.
func firstLines(content []byte) []byte { return content[:min(len(content), 200)] }

func outFile(name string) (output.File, error) {
	abs, err := filepath.Abs(name)
	return output.File{Path: abs, Display: filepath.Clean(name)}, err
}

// namedByFlag gives diagnostics about a file a remedy that fits a command-line flag.
func namedByFlag(err error) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	for i := range list {
		list[i].Remedy = "name another file with -o"
	}
	return list
}
