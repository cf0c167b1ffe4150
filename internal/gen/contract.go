package gen

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/lock"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/resolve"
	"github.com/idemgen/idemgen/internal/spec"
)

// input is what the user has written.
type input struct {
	doc      *spec.Document
	contract *model.Contract
	planned  plan.Options   // under which the contract was made
	settings *oapi.Settings // of oapi-codegen, where idemgen runs it
	existing sources        // of the server's package, where the user generates it
}

// Contract reads the document and its annotations, and the server's package where
// that is the user's own: it runs neither of the two tools. What is wrong with them is a
// [diag.List]; the warnings are valid with an error too.
func Contract(ctx context.Context, c *config.Config) (*model.Contract, diag.List, error) {
	var found findings
	in, list := readDocumentAndPackage(ctx, c)
	err := found.add(list)
	return in.contract, found.warnings, err
}

// lastRun is what an earlier run has left.
type lastRun struct {
	lock     model.Lock
	accepted []string // changes since then that the document has accepted, and earlier ones
}

// readInput reads the document, the server's package and the lock of the last run, with
// which it compares the contract.
func readInput(ctx context.Context, c *config.Config, options Options, found *findings) (input, lastRun, error) {
	in, list := readDocumentAndPackage(ctx, c)
	before, wrong := readLock(c.Lock)
	list.Add(wrong...)
	list.Add(missingLock(c)...)
	if list.HasErrors() {
		return in, lastRun{}, found.add(list)
	}
	accepted, changes := lock.Compare(in.contract, lock.History{
		File: c.Lock.Display, Lock: before, Today: options.Today, Requests: plan.NewRequests(in.doc, in.planned),
	})
	if changes.HasErrors() {
		if err := isLockOfFixed(c, before); err != nil {
			return in, lastRun{}, err // the changes are those of another document
		}
	}
	list.Add(changes...)
	return in, lastRun{before, accepted}, found.add(list)
}

// readDocument reads the document and makes the contract of it alone, for callers to whom
// the server's package does not matter. The input is complete only if the list holds no
// error.
func readDocument(c *config.Config) (input, diag.List) {
	doc, found := spec.Load(c.Spec.Display, c.Overlay.Display)
	settings, wrong := oapi.ParseSettings(c.Server.Options.YAML(), oapi.SettingsFile{
		Display:   c.File.Display,
		Folder:    filepath.Dir(c.File.Abs),
		Framework: c.Server.Framework,
	})
	found.Add(wrong...)
	planned := planOptions(c, settings.Decoding())
	contract, wrong := contractOf(doc, planned)
	found.Add(wrong...)
	return input{doc: doc, contract: contract, planned: planned, settings: settings}, found
}

// readDocumentAndPackage is readDocument for a contract that also depends on the package
// that the user generates, where there is one.
func readDocumentAndPackage(ctx context.Context, c *config.Config) (input, diag.List) {
	if c.Server.From.IsZero() {
		return readDocument(c)
	}
	doc, found := spec.Load(c.Spec.Display, c.Overlay.Display)
	decoding, existing, wrong := readPackage(ctx, c, doc)
	found.Add(wrong...)
	planned := planOptions(c, decoding)
	contract, wrong := contractOf(doc, planned)
	found.Add(wrong...)
	return input{doc: doc, contract: contract, planned: planned, existing: existing}, found
}

// contractOf returns nil where there is no document.
func contractOf(doc *spec.Document, options plan.Options) (*model.Contract, diag.List) {
	if doc == nil {
		return nil, nil
	}
	return plan.Contract(doc, options)
}

// planOptions are what the contract depends on beside the document.
func planOptions(c *config.Config, decoding oapi.Decoding) plan.Options {
	return plan.Options{
		Owner:        c.Server.ImportPath,
		Strict:       c.Strict,
		NullableType: decoding.NullableType,
		NoPointers:   decoding.NoPointers,
		GoTypes:      decoding.GoTypes,
	}
}

// readPackage reads the user's package and finds out with which options it was made. That
// needs a document without mistakes; what is wrong with it is not reported here.
func readPackage(ctx context.Context, c *config.Config, doc *spec.Document) (oapi.Decoding, sources, diag.List) {
	from := c.Server.From
	source, err := gopkg.ReadFolder(gopkg.Folder{
		Path: from.Abs, Display: from.Display, Import: c.Server.ImportPath, Pos: from.Pos,
	}, config.DecoratorFile)
	existing := sources{source: source}
	if err != nil || doc == nil {
		return oapi.Decoding{}, existing, asList(err, from.Pos)
	}
	contract, found := contractOf(doc, planOptions(c, oapi.Decoding{}))
	if found.HasErrors() {
		return oapi.Decoding{}, existing, nil
	}
	var decoding oapi.Decoding
	_, existing, err = existing.load(ctx, c.Server.Folder().Abs, func(pkg *gopkg.Package) (needs []gopkg.Need) {
		decoding, needs = resolve.InferDecoding(pkg, contract)
		return needs
	})
	return decoding, existing, asList(err, from.Pos)
}

// asList turns an error into diagnostics. One that is none is reported at pos.
func asList(err error, pos diag.Position) diag.List {
	var list diag.List
	if err != nil && !errors.As(err, &list) {
		list.Errorf(pos, "", "%v", err)
	}
	return list
}
