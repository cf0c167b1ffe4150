package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/explain"
	"github.com/idemgen/idemgen/internal/gen"
)

// explainFlags are the flags of the command explain.
type explainFlags struct {
	config, operation, format string
	requests                  []string
}

const explainHelp = `Explain prints which parts of a request its fingerprint is computed from, field by
field, and why. With two requests it prints the fields in which they differ, and
whether the second one, with the same key, would get the recorded response of the
first or be refused. The exit code is 0 in either case.

A request is a JSON file, or standard input where its name is -:

  {"path": {"order_id": "…"}, "query": {…}, "header": {…}, "cookie": {…}, "body": {…}}

Parameters are strings without percent-encoding, numbers or booleans, and lists of
them. Where an operation accepts several content types, "contentType" says which one
the body has.

Explain reads the configuration and the document. It needs neither sqlc nor
oapi-codegen, and its result is that of the code that idemgen generates.`

func (p *program) explainCommand() *cobra.Command {
	var flags explainFlags
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Print what a request's fingerprint is computed from",
		Long:  explainHelp,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			return p.explain(cmd.Context(), flags, cmd.InOrStdin())
		},
	}
	cmd.Flags().StringVarP(&flags.config, "config", "c", "idemgen.yaml", "`path` of the configuration")
	cmd.Flags().StringVar(&flags.operation, "operation", "", "operationId or stored `name` of the operation")
	cmd.Flags().StringArrayVar(&flags.requests, "request", nil, "`file` with a request, or - for standard input; once or twice")
	cmd.Flags().StringVar(&flags.format, "format", "text", "output `format`: text or json")
	return cmd
}

// check returns an error of the usage.
func (f *explainFlags) check() error {
	switch {
	case f.config == "":
		return errors.New("flag -c needs the path of a configuration")
	case f.operation == "":
		return errors.New("flag --operation needs the name of an operation")
	case len(f.requests) == 0:
		return errors.New("flag --request needs the name of a file, or -")
	case len(f.requests) > 2:
		return errors.New("flag --request can be given at most twice")
	case len(f.requests) == 2 && f.requests[0] == "-" && f.requests[1] == "-":
		return errors.New("only one request can be standard input")
	case f.format != "text" && f.format != "json":
		return fmt.Errorf("flag --format is text or json, not %q", f.format)
	}
	return nil
}

func (p *program) explain(ctx context.Context, flags explainFlags, stdin io.Reader) error {
	c, err := config.Load(flags.config)
	if err != nil {
		return p.report(nil, err)
	}
	contract, _, err := gen.Contract(ctx, c) // generate reports its warnings
	if err != nil {
		return p.report(nil, err)
	}
	op, err := explain.Find(contract, flags.operation)
	if err != nil {
		return &outcome{fault, err}
	}
	var explained []*explain.Explanation
	for _, name := range flags.requests {
		data, err := readRequest(name, stdin)
		if err != nil {
			return &outcome{fault, err}
		}
		request, err := explain.Read(name, data)
		if err != nil {
			return p.report(nil, err)
		}
		e, err := explain.Explain(op, request)
		if err != nil {
			return p.report(nil, err)
		}
		explained = append(explained, e)
	}
	report := explain.Report{Operation: op, First: explained[0]}
	if len(explained) == 2 {
		report.Second = explained[1]
	}
	write := report.Text
	if flags.format == "json" {
		write = report.JSON
	}
	if err := write(p.stdout); err != nil {
		return &outcome{trouble, err}
	}
	return nil
}

func readRequest(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
