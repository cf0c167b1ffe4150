// Package gen is the generator's pipeline. It reads, decides and prints, and
// leaves writing to internal/output.
package gen

import (
	"context"
	"time"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/output"
	"github.com/idemgen/idemgen/internal/render"
)

// Result is everything that a run has to say.
type Result struct {
	Files    []output.File // all files, as they should be
	Stale    []output.File // files that an earlier run wrote and this one does not
	Warnings diag.List

	Migration *Migration // what a database needs that has the tables of the last run; nil for nothing
}

// Options are what a run is given beside the configuration.
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
	var found findings
	result, err := run(ctx, c, options, &found)
	result.Warnings = found.warnings
	return result, err
}

func run(ctx context.Context, c *config.Config, options Options, found *findings) (Result, error) {
	// 1. What do the document and its annotations say, and what did the last run?
	input, last, err := readInput(ctx, c, options, found)
	if err != nil {
		return Result{}, err
	}
	// 2. Tables and queries follow from that alone, and so does what has changed in them.
	tables, err := planTables(c, input.contract, last.lock)
	if err != nil {
		return Result{}, err
	}
	// 3. What do sqlc and oapi-codegen make of queries and document?
	database, server, err := runTools(ctx, c, input, tables, found)
	if err != nil {
		return Result{}, err
	}
	// 4. Find what is declared in what they generated.
	resolved, err := resolveCode(ctx, c, input.contract, database, server, found)
	if err != nil {
		return Result{}, err
	}
	// 5. Print the decorator, and see that everything together compiles.
	decorator, err := render.Decorator(resolved.code)
	if err != nil {
		return Result{}, err
	}
	if err := resolved.typeCheck(decorator, database); err != nil {
		return Result{}, err
	}
	// 6. List the files, and with them in the lock what the next run compares with.
	files, err := listFiles(c, input.contract, last, generated{tables, database, server, decorator})
	if err != nil {
		return Result{}, err
	}
	return Result{Files: files, Stale: staleFiles(c, last.lock, files), Migration: tables.migration(c)}, nil
}
