package resolve

import (
	"errors"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/oapi"
)

// method is one method of the generated StrictServerInterface.
type method struct {
	name     string // "CreateOrder"
	request  *types.Named
	response *types.Named
	visit    string // "VisitCreateOrderResponse"
}

// ErrNoStrictServer says that a package lacks the names that [Resolve] relies on.
var ErrNoStrictServer = errors.New("the generated Go has no StrictServerInterface of the shape that oapi-codegen " + oapi.Version + " gives it")

// methods are those of a strict server, by route; "" has those whose comment states none.
type methods map[string][]method

// strictMethods reads the methods of the strict server's interface.
func strictMethods(pkg *gopkg.Package) (methods, error) {
	declaration := strictInterface(pkg.Files)
	if declaration == nil {
		return nil, ErrNoStrictServer
	}
	object := pkg.Types.Scope().Lookup("StrictServerInterface")
	iface, ok := object.Type().Underlying().(*types.Interface)
	if !ok {
		return nil, ErrNoStrictServer
	}
	signatures := map[string]*types.Signature{}
	for fn := range iface.ExplicitMethods() {
		signatures[fn.Name()] = fn.Signature()
	}
	all := methods{}
	for _, field := range declaration.Methods.List {
		if len(field.Names) != 1 {
			return nil, ErrNoStrictServer
		}
		m, ok := newMethod(field.Names[0].Name, signatures[field.Names[0].Name])
		if !ok {
			return nil, ErrNoStrictServer
		}
		route := routeOf(field.Doc)
		all[route] = append(all[route], m)
	}
	return all, nil
}

// strictInterface finds the declaration, which unlike the type has comments.
func strictInterface(files []*ast.File) *ast.InterfaceType {
	for _, spec := range declaredTypes(files) {
		if iface, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.Name == "StrictServerInterface" {
			return iface
		}
	}
	return nil
}

func newMethod(name string, signature *types.Signature) (method, bool) {
	if signature == nil || signature.Params().Len() != 2 || signature.Results().Len() != 2 {
		return method{}, false
	}
	request, ok := types.Unalias(signature.Params().At(1).Type()).(*types.Named)
	if !ok {
		return method{}, false
	}
	response, ok := types.Unalias(signature.Results().At(0).Type()).(*types.Named)
	if !ok {
		return method{}, false
	}
	answers, ok := response.Underlying().(*types.Interface)
	if !ok || answers.NumMethods() != 1 {
		return method{}, false
	}
	return method{name: name, request: request, response: response, visit: answers.Method(0).Name()}, true
}

var routeLine = regexp.MustCompile(`^\(([A-Z]+ .*)\)$`)

// routeOf reads method and path from oapi-codegen's comment. They stand after the
// summary, which may contain anything, and before what is said of a deprecation.
func routeOf(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	route := ""
	for _, comment := range doc.List {
		line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if strings.HasPrefix(line, "Deprecated:") && route != "" {
			break
		}
		if found := routeLine.FindStringSubmatch(line); found != nil {
			route = found[1]
		}
	}
	return route
}

// find finds the method that serves an operation: by oapi-codegen's comment, and by
// the operationId where that does not single one out.
func (m methods) find(verb, path, id string) (method, bool) {
	routed := m[verb+" "+path]
	if len(routed) == 1 {
		return routed[0], true
	}
	if len(routed) == 0 {
		routed = m[""]
	}
	var named []method
	for _, candidate := range routed {
		if lettersOf(candidate.name) == lettersOf(id) {
			named = append(named, candidate)
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	return method{}, false
}

// lettersOf keeps what the spelling of an operationId and its Go name share.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
