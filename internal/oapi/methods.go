package oapi

import (
	"errors"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
	"unicode"
)

// method is one method of the generated StrictServerInterface.
type method struct {
	name     string // "CreateOrder"
	route    string // "POST /orders", from the comment; "" where there is none
	request  *types.Named
	response *types.Named
	visit    string // "VisitCreateOrderResponse"
}

// ErrNoStrictServer says that a package lacks the names that [Resolve] relies on.
var ErrNoStrictServer = errors.New("the generated Go has no StrictServerInterface of the shape that oapi-codegen " + Version + " gives it")

// strictMethods reads the methods of the strict server's interface in the order
// of the source.
func strictMethods(p *Package) ([]method, error) {
	declaration := p.strictInterface()
	if declaration == nil {
		return nil, ErrNoStrictServer
	}
	object := p.types.Scope().Lookup("StrictServerInterface")
	iface, ok := object.Type().Underlying().(*types.Interface)
	if !ok {
		return nil, ErrNoStrictServer
	}
	signatures := map[string]*types.Signature{}
	for fn := range iface.ExplicitMethods() {
		signatures[fn.Name()] = fn.Signature()
	}
	var methods []method
	for _, field := range declaration.Methods.List {
		if len(field.Names) != 1 {
			return nil, ErrNoStrictServer
		}
		m, ok := newMethod(field.Names[0].Name, routeOf(field.Doc), signatures[field.Names[0].Name])
		if !ok {
			return nil, ErrNoStrictServer
		}
		methods = append(methods, m)
	}
	return methods, nil
}

// strictInterface finds the declaration, which unlike the type has comments.
func (p *Package) strictInterface() *ast.InterfaceType {
	for spec := range p.typeSpecs() {
		if iface, ok := spec.Type.(*ast.InterfaceType); ok && spec.Name.Name == "StrictServerInterface" {
			return iface
		}
	}
	return nil
}

func newMethod(name, route string, signature *types.Signature) (method, bool) {
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
	return method{name: name, route: route, request: request, response: response, visit: answers.Method(0).Name()}, true
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

// method finds the method that serves an operation: by oapi-codegen's comment,
// and by the operationId where that does not single one out.
func (p *Package) method(verb, path, id string) (method, bool) {
	routed := p.methods[verb+" "+path]
	if len(routed) == 1 {
		return routed[0], true
	}
	if len(routed) == 0 {
		routed = p.methods[""]
	}
	var named []method
	for _, m := range routed {
		if squash(m.name) == squash(id) {
			named = append(named, m)
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	return method{}, false
}

func byRoute(methods []method) map[string][]method {
	all := map[string][]method{}
	for _, m := range methods {
		all[m.route] = append(all[m.route], m)
	}
	return all
}

// squash keeps what the spelling of an operationId and its Go name share.
func squash(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
