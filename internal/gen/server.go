package gen

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/spec"
)

// server is the package that the strict server is in, whoever generates it.
type server struct {
	settings *oapi.Settings // of oapi-codegen, where idemgen runs it
	source   oapi.Source    // the package, without our file
	others   []oapi.Source  // packages that declared fields lead into
	bound    []byte         // the bound document, nil where it is not asked for
}

// setOptions reads the options of oapi-codegen and returns what the contract
// depends on beside the document.
func (r *run) setOptions() (plan.Options, diag.List) {
	settings, found := oapi.ParseSettings(r.config.Server.Options.YAML(), oapi.SettingsFile{
		Display:   r.config.File.Display,
		Folder:    filepath.Dir(r.config.File.Abs),
		Framework: r.config.Server.Framework,
	})
	r.server.settings = settings
	options := plan.Options{Strict: r.config.Strict}
	heedHabits(&options, settings.Decoding())
	return options, found
}

// observed reads the user's package and completes options by what it shows.
func (r *run) observed(ctx context.Context, doc *spec.Document, options plan.Options) (plan.Options, diag.List) {
	from := r.config.Server.From
	source, err := oapi.ReadFolder(oapi.Folder{
		Path: from.Abs, Display: from.Display, Import: r.config.Server.ImportPath, Pos: from.Pos,
	}, config.DecoratorFile)
	if err != nil {
		return options, asList(err, from.Pos)
	}
	r.server.source = source
	if doc == nil {
		return options, nil
	}
	contract, found := plan.Contract(doc, options)
	if found.HasErrors() {
		return options, nil // the same errors come again
	}
	_, err = r.load(ctx, func(pkg *oapi.Package) {
		heedHabits(&options, oapi.Observe(pkg, contract))
	})
	return options, asList(err, from.Pos)
}

func heedHabits(options *plan.Options, habits oapi.Habits) {
	options.NullableType, options.NoPointers, options.GoTypes = habits.NullableType, habits.NoPointers, habits.GoTypes
}

// load reads the server's package for a reader that says what other packages it
// needs, until these are there.
func (r *run) load(ctx context.Context, read func(*oapi.Package)) (*oapi.Package, error) {
	for {
		pkg, err := oapi.Load(r.server.source, r.server.others...)
		if err != nil {
			return nil, err
		}
		read(pkg)
		needs := slices.DeleteFunc(pkg.Needs(), func(need oapi.Need) bool {
			return slices.ContainsFunc(r.server.others, func(other oapi.Source) bool { return other.Path == need.Path })
		})
		if len(needs) == 0 {
			return pkg, nil
		}
		found, err := oapi.Find(ctx, r.config.Server.Folder().Abs, needs)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return pkg, nil
		}
		r.server.others = append(r.server.others, found...)
	}
}

// asList turns an error into diagnostics. One that is none is reported at pos.
func asList(err error, pos diag.Position) diag.List {
	var list diag.List
	if err != nil && !errors.As(err, &list) {
		list.Errorf(pos, "", "%v", err)
	}
	return list
}

// runOAPI fills in the server's package.
func (r *run) runOAPI(ctx context.Context) error {
	if !r.config.Bound.IsZero() {
		if err := r.printBound(); err != nil {
			return err
		}
	}
	if !r.config.Server.From.IsZero() {
		return nil // the package is there already
	}
	doc, err := r.doc.Release() // the contract is made
	if err != nil {
		return fmt.Errorf("%s: %w", r.config.Spec.Display, err)
	}
	if err := oapi.BindFor(doc, r.contract.Operations, r.server.settings); err != nil {
		return err
	}
	if err := r.server.settings.Drops(doc, r.contract.Operations).Err(); err != nil {
		return err
	}
	source, err := oapi.Run(ctx, doc, oapi.Options{
		Package:   r.config.Server.Package,
		File:      r.config.Spec.Display,
		Framework: r.config.Server.Framework,
		Settings:  r.server.settings,
		Located:   r.doc.Located,
		Origin:    r.doc.Origin,
	})
	r.server.source = oapi.Source{Path: r.config.Server.ImportPath, Files: map[string][]byte{config.ServerFile: source}}
	return err
}

func (r *run) printBound() error {
	doc, err := r.doc.Fresh()
	if err != nil {
		return fmt.Errorf("%s: %w", r.config.Spec.Display, err)
	}
	if err := oapi.Bind(doc, r.contract.Operations); err != nil {
		return err
	}
	r.server.bound, err = oapi.BoundYAML(doc)
	return err
}

// framework returns the name of the framework that the strict server is for.
func (r *run) framework(pkg *oapi.Package) (string, error) {
	from := r.config.Server.From
	if from.IsZero() {
		return r.config.Server.Framework, nil
	}
	wanted, found := r.config.Server.Framework, pkg.Framework()
	switch {
	case found == "":
		return "", diag.List{diag.Errorf(from.Pos, "set one of oapi-codegen's servers beside strict-server, and run it again",
			"package %s has no server of oapi-codegen's", from.Display)}
	case wanted != "" && wanted != found:
		return "", diag.List{diag.Errorf(from.Pos, "correct or remove server.framework",
			"package %s is generated for %s, and server.framework is %s", from.Display, found, wanted)}
	}
	return found, nil
}

// blame gives an error that says that there is no strict server the position of
// what is at fault.
func (r *run) blame(err error) error {
	if !errors.Is(err, oapi.ErrNoStrictServer) {
		return err
	}
	if from := r.config.Server.From; !from.IsZero() {
		return diag.List{diag.Errorf(from.Pos, "set models, a server and strict-server in its oapi-codegen configuration, and run it again",
			"package %s has no StrictServerInterface of the shape that oapi-codegen %s gives it", from.Display, oapi.Version)}
	}
	if pos, ok := r.server.settings.Templates(); ok {
		return diag.List{diag.Errorf(pos, "keep the names of oapi-codegen's own strict templates", "the user templates change the strict server: %v", err)}
	}
	return err
}
