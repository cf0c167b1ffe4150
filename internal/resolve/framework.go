package resolve

import (
	"bytes"
	"go/types"

	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/oapi"
)

// serverTypes are the packages of what handlers are given, and the frameworks. Those
// of net/http share one, and differ in the options that the package declares.
var serverTypes = map[string]string{
	"github.com/labstack/echo/v4": "echo",
	"github.com/labstack/echo/v5": "echo5",
	"github.com/gin-gonic/gin":    "gin",
	"github.com/gofiber/fiber/v2": "fiber",
	"github.com/gofiber/fiber/v3": "fiber3",
	"github.com/kataras/iris/v12": "iris",
}

// Framework returns the name of the framework that the package's server is for, or
// "" if it has no server that is known.
func Framework(pkg *gopkg.Package) string {
	scope := pkg.Types.Scope()
	object := scope.Lookup("ServerInterface")
	if object == nil {
		return ""
	}
	server, ok := object.Type().Underlying().(*types.Interface)
	if !ok || server.NumMethods() == 0 || server.Method(0).Signature().Params().Len() == 0 {
		return ""
	}
	given := types.Unalias(server.Method(0).Signature().Params().At(0).Type())
	if pointed, ok := pointee(given); ok {
		given = types.Unalias(pointed)
	}
	named, ok := given.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	if path := named.Obj().Pkg().Path(); path != "net/http" {
		return serverTypes[path]
	}
	for _, name := range oapi.Frameworks() {
		framework, err := oapi.Framework(name)
		if err == nil && framework.Options != "" && scope.Lookup(framework.Options) != nil {
			return name
		}
	}
	return ""
}

// MiddlewareFirst reports whether the first middleware of a list is the outermost
// one. oapi-codegen makes that the last one, unless an option says otherwise.
func MiddlewareFirst(source gopkg.Source) bool {
	for _, text := range source.Files {
		if gopkg.ByOAPICodegen(text) && bytes.Contains(text, []byte("HandlerMiddlewares) - 1; i >= 0; i--")) {
			return true
		}
	}
	return false
}
