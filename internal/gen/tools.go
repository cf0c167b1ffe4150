package gen

import (
	"context"
	"fmt"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// database is what sqlc has made of the queries.
type database struct {
	plan.Database
	out   config.Path
	files []sqlc.GeneratedFile
}

// server is the package that the strict server is in, whoever generates it.
type server struct {
	sources
	settings *oapi.Settings // of oapi-codegen, where idemgen runs it
	bound    []byte         // the bound document, nil where it is not asked for
}

// runTools runs both at once: sqlc is a process of its own. What is reported does not
// depend on which is faster.
func runTools(ctx context.Context, c *config.Config, in input, tables tables, found *findings) (database, server, error) {
	type result struct {
		database
		warnings diag.List
		err      error
	}
	done := make(chan result, 1)
	go func() {
		made, warnings, err := runSQLC(ctx, c, tables)
		done <- result{made, warnings, err}
	}()
	srv, failed := runOAPI(ctx, c, in)
	db := <-done
	err := found.add(db.warnings)
	switch {
	case err != nil:
	case db.err != nil:
		err = db.err
	default:
		err = failed
	}
	return db.database, srv, err
}

func runSQLC(ctx context.Context, c *config.Config, tables tables) (database, diag.List, error) {
	block, err := tables.findBlock(c)
	if err != nil {
		return database{}, nil, err
	}
	if err := block.Shared(tables.schema).Err(); err != nil {
		return database{}, block.Warnings, err
	}
	out := config.Path{Display: block.Out.Display, Abs: block.Out.Path, Pos: block.OutPos}
	importPath, err := c.QueriesImportPath(out)
	if err != nil {
		return database{}, block.Warnings, err
	}
	pkg, err := block.Run(ctx, tables.sqlcSchema(), tables.queries)
	if err != nil {
		return database{}, block.Warnings, err
	}
	reader, err := pkg.Reader(importPath)
	if err != nil {
		return database{}, block.Warnings, err
	}
	return database{
		Database: plan.Database{
			ImportPath: importPath,
			Name:       pkg.Name,
			DBArgument: reader.DBArgument(),
			Config:     block.OutPos,
			Query:      reader.Query,
		},
		out:   out,
		files: pkg.Files,
	}, block.Warnings, nil
}

func runOAPI(ctx context.Context, c *config.Config, in input) (server, error) {
	result := server{sources: in.existing, settings: in.settings}
	if !c.Bound.IsZero() {
		bound, err := printBound(c, in.doc, in.contract)
		if err != nil {
			return result, err
		}
		result.bound = bound
	}
	if !c.Server.From.IsZero() {
		return result, nil // the package is there already
	}
	doc, err := in.doc.Release() // the contract is made
	if err != nil {
		return result, fmt.Errorf("%s: %w", c.Spec.Display, err)
	}
	if err := oapi.BindFor(doc, in.contract.Operations, in.settings); err != nil {
		return result, err
	}
	if err := in.settings.Drops(doc, in.contract.Operations).Err(); err != nil {
		return result, err
	}
	text, err := oapi.Run(ctx, doc, oapi.Options{
		Package:   c.Server.Package,
		File:      c.Spec.Display,
		Framework: c.Server.Framework,
		Settings:  in.settings,
		Located:   in.doc.Located,
		Origin:    in.doc.Origin,
	})
	result.source = gopkg.Source{Path: c.Server.ImportPath, Files: map[string][]byte{config.ServerFile: text}}
	return result, err
}

func printBound(c *config.Config, document *spec.Document, contract *model.Contract) ([]byte, error) {
	doc, err := document.Fresh()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Spec.Display, err)
	}
	if err := oapi.Bind(doc, contract.Operations); err != nil {
		return nil, err
	}
	return oapi.BoundYAML(doc)
}
