package oapi

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// framework is everything that is special about one of oapi-codegen's servers.
type framework struct {
	model  model.Framework
	option string              // of oapi-codegen: "chi-server"
	route  func(string) string // a path of the document as the router is given it
	ends   string              // characters that end a parameter's name for the router, besides the slash
}

const (
	bodyLimit    = "IdempotencyBodyLimit"
	errorHandler = "IdempotencyErrorHandler"
	middleware   = "IdempotencyMiddleware"

	fiberEnds = "-."
)

// frameworks are the servers that oapi-codegen has, by our names for them.
var frameworks = map[string]framework{
	"std-http": {
		option: "std-http-server", route: codegen.SwaggerUriToStdHttpUri,
		model: model.Framework{
			Family: "nethttp", Imports: imports("errors", "net/http"), Options: "StdHTTPServerOptions",
			Names: []string{bodyLimit, errorHandler},
		},
	},
	"chi": {
		option: "chi-server", route: codegen.SwaggerUriToChiUri,
		model: model.Framework{
			Family: "nethttp", Imports: imports("errors", "net/http", "github.com/go-chi/chi/v5"), Options: "ChiServerOptions",
			Names: []string{bodyLimit, errorHandler, "idempotencyRoute"},
		},
	},
	"gorilla": {
		option: "gorilla-server", route: codegen.SwaggerUriToGorillaUri,
		model: model.Framework{
			Family: "nethttp", Imports: imports("errors", "net/http", "github.com/gorilla/mux"), Options: "GorillaServerOptions",
			Names: []string{bodyLimit, errorHandler, "idempotencyRoute"},
		},
	},
	"echo": {
		option: "echo-server", route: codegen.SwaggerUriToEchoUri,
		model: model.Framework{
			Family: "echo", Imports: imports("net/http", "github.com/labstack/echo/v4"), Context: "echo.Context",
			Names: []string{middleware},
		},
	},
	"echo5": {
		option: "echo5-server", route: codegen.SwaggerUriToEchoUri,
		model: model.Framework{
			Family: "echo", Imports: imports("net/http", "github.com/labstack/echo/v5"), Context: "*echo.Context",
			Names: []string{middleware},
		},
	},
	"gin": {
		option: "gin-server", route: codegen.SwaggerUriToGinUri,
		model: model.Framework{
			Family: "gin", Imports: imports("net/http", "github.com/gin-gonic/gin"), Context: "*gin.Context",
			Names: []string{middleware, "idempotencyContext", "newIdempotencyContext"},
		},
	},
	"fiber": {
		option: "fiber-server", route: codegen.SwaggerUriToFiberUri, ends: fiberEnds,
		model: model.Framework{
			Family: "fiber", Imports: append(imports("github.com/gofiber/fiber/v2"), adapter("idemfiber", "idemfiber")),
			Context: "*fiber.Ctx", App: "*fiber.App", Names: []string{bodyLimit, errorHandler},
		},
	},
	"fiber3": {
		option: "fiber-v3-server", route: codegen.SwaggerUriToFiberUri, ends: fiberEnds,
		model: model.Framework{
			Family: "fiber", Imports: append(imports("github.com/gofiber/fiber/v3"), adapter("idemfiber", "idemfiber3")),
			Context: "fiber.Ctx", App: "*fiber.App", Names: []string{bodyLimit, errorHandler},
		},
	},
	"iris": {
		option: "iris-server", route: codegen.SwaggerUriToIrisUri,
		model: model.Framework{
			Family: "iris", Imports: append(imports("github.com/kataras/iris/v12"), adapter("idemiris", "idemiris")),
			Context: "iris.Context", App: "*iris.Application", Names: []string{middleware},
		},
	},
}

// servers are the options that choose the server, by name.
func servers(generate *codegen.GenerateOptions) map[string]*bool {
	return map[string]*bool{
		"std-http-server": &generate.StdHTTPServer, "chi-server": &generate.ChiServer, "gorilla-server": &generate.GorillaServer,
		"echo-server": &generate.EchoServer, "echo5-server": &generate.Echo5Server, "gin-server": &generate.GinServer,
		"fiber-server": &generate.FiberServer, "fiber-v3-server": &generate.FiberV3Server, "iris-server": &generate.IrisServer,
	}
}

func imports(paths ...string) []model.Import {
	list := make([]model.Import, len(paths))
	for i, path := range paths {
		list[i] = model.Import{Path: path}
	}
	return list
}

// adapter imports one of our adapters under the name that templates have for it.
func adapter(name, folder string) model.Import {
	imported := model.Import{Path: "github.com/idemgen/idemgen/adapters/" + folder}
	if name != folder {
		imported.Name = name
	}
	return imported
}

// Frameworks returns the names of all frameworks, sorted.
func Frameworks() []string { return slices.Sorted(maps.Keys(frameworks)) }

// Framework returns the framework of a name; "" is net/http.
func Framework(name string) (model.Framework, error) {
	f, err := frameworkOf(name)
	return f.model, err
}

func frameworkOf(name string) (framework, error) {
	if name == "" {
		name = "std-http"
	}
	f, ok := frameworks[name]
	if !ok {
		return framework{}, fmt.Errorf("oapi-codegen %s has no server for framework %q", Version, name)
	}
	f.model.Name = name
	return f, nil
}

// Routes returns what the framework's router calls the operations' paths, by path. An
// error is a [diag.List] of operations that the router would never find.
func Routes(operations []*model.Operation, name string) (map[string]string, error) {
	f, err := frameworkOf(name)
	if err != nil {
		return nil, err
	}
	var list diag.List
	routes := map[string]string{}
	for _, operation := range operations {
		routes[operation.Path] = f.route(operation.Path)
		for _, parameter := range pathParameter.FindAllStringSubmatch(operation.Path, -1) {
			if f.ends != "" && strings.ContainsAny(parameter[1], f.ends) {
				list.Errorf(operation.Pos, "rename the path parameter; callers do not see its name",
					"%s cannot route %s %s: it ends the name of parameter %s at a character of %q", name, operation.Method, operation.Path, parameter[1], f.ends)
			}
		}
	}
	return routes, list.Err()
}

var pathParameter = regexp.MustCompile(`{([^}]*)}`)
