// Package gen is the generator's pipeline. It reads, decides and prints, and
// leaves writing to internal/output.
package gen

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/render"
	"github.com/idemgen/idemgen/internal/spec"
	"github.com/idemgen/idemgen/internal/sqlc"
)

// Result is everything that a run has to say.
type Result struct {
	Files    []output.File // all files, as they should be
	Stale    []output.File // files that an earlier run wrote and this one does not
	Warnings diag.List
}

// Options are what a run is told beside the configuration.
type Options struct {
	// Today decides whether a fingerprint version may be retired already. What is
	// generated does not depend on it.
	Today time.Time
}

// Run generates all files that the configuration asks for, in memory. It depends
// on nothing but the configuration, the files that it names and the linked tools;
// on which day it is, it depends only in what it refuses.
// What is wrong with the user's files is returned as one [diag.List]; the
// warnings are valid with an error too.
//
// Run needs the go command, and [sqlc.Child] at the start of the program. It may
// be called by several goroutines, which wait for one another in oapi-codegen.
func Run(ctx context.Context, c *config.Config, options Options) (Result, error) {
	r := run{config: c, options: options}
	files, err := r.run(ctx)
	if err != nil {
		return Result{Warnings: r.warnings}, err
	}
	return Result{Files: files, Stale: r.stale(files), Warnings: r.warnings}, nil
}

// run is one run of the pipeline. Every step fills in what the next ones need.
type run struct {
	config   *config.Config
	options  Options
	warnings diag.List

	doc       *spec.Document
	lock      model.Lock   // as the last run left it
	planned   plan.Options // under which the contract was made
	contract  *model.Contract
	schema    []byte
	queries   []byte
	database  database
	server    server
	generated *oapi.Package // of the server, as the two tools left it
	code      *model.Code
}

func (r *run) run(ctx context.Context) ([]output.File, error) {
	// 1. What do the document and its annotations say?
	if err := r.readContract(ctx); err != nil {
		return nil, err
	}
	// 2. Tables and queries follow from that alone.
	if err := r.renderSQL(); err != nil {
		return nil, err
	}
	// 3. What do sqlc and oapi-codegen make of queries and document?
	if err := r.runTools(ctx); err != nil {
		return nil, err
	}
	// 4. Find what is declared in what they generated.
	if err := r.resolve(ctx); err != nil {
		return nil, err
	}
	// 5. Print the decorator, and see that everything together compiles.
	decorator, err := render.Decorator(r.code)
	if err != nil {
		return nil, err
	}
	if err := r.typeCheck(decorator); err != nil {
		return nil, err
	}
	return r.files(decorator)
}

func (r *run) readContract(ctx context.Context) error {
	found := r.plan(ctx)
	lock, more := readLock(r.config.Lock)
	r.lock = lock
	found.Add(more...)
	if left := strings.Join(orphans(r.config), " and "); left != "" {
		found.Errorf(r.config.Lock.Pos, "restore it, from version control or from where lock: had it before; or, if fingerprint versions"+
			" may begin anew, what has changed may go unnoticed, and retries of what is recorded may be refused, delete "+left+", too",
			"%s is missing, although an earlier run wrote %s", r.config.Lock.Display, left)
	}
	if !found.HasErrors() {
		found.Add(plan.Versions(r.doc, r.contract, plan.History{File: r.config.Lock.Display, Lock: lock, Today: r.options.Today, Options: r.planned})...)
	}
	return r.heed(found)
}

// heed keeps the warnings of list and returns its errors, if there are any.
func (r *run) heed(list diag.List) error {
	var errors diag.List
	for _, d := range list {
		if d.Severity == diag.Warning {
			r.warnings.Add(d)
		} else {
			errors.Add(d)
		}
	}
	r.warnings.Sort()
	return errors.Err()
}

// runTools runs both at once: sqlc is a process of its own. What is reported does not
// depend on which is faster.
func (r *run) runTools(ctx context.Context) error {
	database := make(chan error, 1)
	go func() { database <- r.runSQLC(ctx) }() // fills in database and warnings
	server := r.runOAPI(ctx)                   // fills in server
	if err := <-database; err != nil {
		return err
	}
	return server
}

func (r *run) renderSQL() (err error) {
	if r.schema, err = render.Schema(r.contract); err != nil {
		return err
	}
	r.queries, err = render.Queries(r.contract)
	return err
}

// resolve joins the contract with the Go that the two tools have generated.
func (r *run) resolve(ctx context.Context) error {
	scopes, found, err := plan.Scopes(r.contract, r.database.Database)
	if err != nil {
		return err
	}
	if err := r.heed(found); err != nil {
		return err
	}
	document := diag.Position{File: r.config.Spec.Display, Line: 1, Column: 1}
	var resolution *oapi.Resolution
	var unresolved error
	generated, err := r.load(ctx, func(pkg *oapi.Package) {
		resolution, unresolved = oapi.Resolve(pkg, r.contract, scopes, document)
	})
	if err != nil {
		return err
	}
	if unresolved != nil {
		return r.blame(unresolved)
	}
	r.generated = generated
	name, err := r.framework(generated)
	if err != nil {
		return err
	}
	framework, err := oapi.Framework(name)
	if err != nil {
		return err
	}
	framework.First = oapi.MiddlewareFirst(r.server.source)
	if err := oapi.SetRoutes(resolution.Operations, framework.Name); err != nil {
		return err
	}
	code, found := plan.Code(scopes, r.database.Database, plan.Server{
		Source:     r.contract.Document,
		Package:    generated.Name(),
		Framework:  framework,
		Names:      generated.Names(),
		Operations: resolution.Operations,
		Others:     resolution.Others,
		Imports:    resolution.Imports,
		Document:   document,
	})
	r.code = code
	return r.heed(found)
}

func (r *run) typeCheck(decorator []byte) error {
	queries := oapi.Source{Path: r.database.ImportPath, Files: map[string][]byte{}}
	for _, file := range r.database.files {
		queries.Files[file.Name] = file.Content
	}
	added := map[string][]byte{config.DecoratorFile: decorator}
	return r.generated.TypeCheck(added, append(slices.Clone(r.server.others), queries)...)
}

// database is what sqlc made of the queries.
type database struct {
	plan.Database
	out   config.Path
	files []sqlc.GeneratedFile
}

func (r *run) runSQLC(ctx context.Context) error {
	block, err := sqlc.Find(sqlcFile(r.config.SQLC), sqlcFile(r.config.Schema), sqlcFile(r.config.Queries))
	if err != nil {
		return err
	}
	r.warnings.Add(block.Warnings...)
	if err := block.Shared(r.schema).Err(); err != nil {
		return err
	}
	out := config.Path{Display: block.Out.Display, Abs: block.Out.Path, Pos: block.OutPos}
	importPath, err := r.config.QueriesImportPath(out)
	if err != nil {
		return err
	}
	pkg, err := block.Run(ctx, r.schema, r.queries)
	if err != nil {
		return err
	}
	reader, err := pkg.Reader(importPath)
	if err != nil {
		return err
	}
	r.database = database{
		Database: plan.Database{
			ImportPath: importPath,
			Name:       pkg.Name,
			DBArgument: reader.DBArgument(),
			Config:     block.OutPos,
			Query:      reader.Query,
		},
		out:   out,
		files: pkg.Files,
	}
	return nil
}

func sqlcFile(p config.Path) sqlc.File { return sqlc.File{Path: p.Abs, Display: p.Display} }
