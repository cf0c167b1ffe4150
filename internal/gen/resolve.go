package gen

import (
	"context"
	"errors"
	"slices"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/oapi"
	"github.com/idemgen/idemgen/internal/plan"
	"github.com/idemgen/idemgen/internal/resolve"
)

// resolved is the contract joined with the Go that the two tools have generated.
type resolved struct {
	code *model.Code
	pkg  *gopkg.Package // the server's
	sources
}

func resolveCode(ctx context.Context, c *config.Config, contract *model.Contract, db database, srv server, found *findings) (resolved, error) {
	scopes, list, err := plan.Scopes(contract, db.Database)
	if err != nil {
		return resolved{}, err
	}
	if err := found.add(list); err != nil {
		return resolved{}, err
	}
	document := diag.Position{File: c.Spec.Display, Line: 1, Column: 1}
	var resolution resolve.Resolution
	var unresolved error
	pkg, sources, err := srv.load(ctx, c.Server.Folder().Abs, func(pkg *gopkg.Package) []gopkg.Need {
		resolution, unresolved = resolve.Resolve(pkg, contract, scopes, document)
		return resolution.Needs
	})
	if err != nil {
		return resolved{}, err
	}
	if unresolved != nil {
		return resolved{}, explainNoServer(unresolved, c, srv.settings)
	}
	framework, err := frameworkOf(c, pkg)
	if err != nil {
		return resolved{}, err
	}
	routes, err := oapi.Routes(contract.Operations, framework.Name)
	if err != nil {
		return resolved{}, err
	}
	code, list := plan.Code(scopes, db.Database, plan.Server{
		Source:     contract.Document,
		Package:    pkg.Name(),
		Framework:  framework,
		Names:      pkg.Names(),
		Operations: resolution.Operations,
		Others:     resolution.Others,
		Routes:     routes,
		Document:   document,
	})
	return resolved{code: code, pkg: pkg, sources: sources}, found.add(list)
}

// typeCheck checks the server's package with the decorator, over the queries' package.
func (r resolved) typeCheck(decorator []byte, db database) error {
	queries := gopkg.Source{Path: db.ImportPath, Files: map[string][]byte{}}
	for _, file := range db.files {
		queries.Files[file.Name] = file.Content
	}
	added := map[string][]byte{config.DecoratorFile: decorator}
	return r.pkg.TypeCheck("oapi-codegen "+oapi.Version, added, append(slices.Clone(r.others), queries)...)
}

// frameworkOf returns the framework that the strict server is for.
func frameworkOf(c *config.Config, pkg *gopkg.Package) (model.Framework, error) {
	name, from := c.Server.Framework, c.Server.From
	if !from.IsZero() {
		found := resolve.Framework(pkg)
		switch {
		case found == "":
			return model.Framework{}, diag.List{diag.Errorf(from.Pos, "set one of oapi-codegen's servers beside strict-server, and run it again",
				"package %s has no server of oapi-codegen's", from.Display)}
		case name != "" && name != found:
			return model.Framework{}, diag.List{diag.Errorf(from.Pos, "correct or remove server.framework",
				"package %s is generated for %s, and server.framework is %s", from.Display, found, name)}
		}
		name = found
	}
	framework, err := oapi.Framework(name)
	framework.First = resolve.MiddlewareFirst(pkg.Source)
	return framework, err
}

// explainNoServer gives an error that says that there is no strict server the position of
// what is at fault. Other errors have theirs.
func explainNoServer(err error, c *config.Config, settings *oapi.Settings) error {
	if !errors.Is(err, resolve.ErrNoStrictServer) {
		return err
	}
	if from := c.Server.From; !from.IsZero() {
		return diag.List{diag.Errorf(from.Pos, "set models, a server and strict-server in its oapi-codegen configuration, and run it again",
			"package %s has no StrictServerInterface of the shape that oapi-codegen %s gives it", from.Display, oapi.Version)}
	}
	if pos, ok := settings.Templates(); ok {
		return diag.List{diag.Errorf(pos, "keep the names of oapi-codegen's own strict templates", "the user templates change the strict server: %v", err)}
	}
	return err
}
