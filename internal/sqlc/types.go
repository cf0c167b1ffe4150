package sqlc

import (
	"errors"
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// value prints a type in the form that another package must use.
func (r *Reader) value(file *ast.File, typ ast.Expr) (Value, error) {
	p := typePrinter{reader: r, file: file}
	text, err := p.print(typ)
	return Value{Type: text, Imports: p.imports}, err
}

// typePrinter prints one type and collects the imports that it needs.
type typePrinter struct {
	reader  *Reader
	file    *ast.File
	imports []model.Import
}

func (p *typePrinter) print(expr ast.Expr) (string, error) {
	switch expr := expr.(type) {
	case *ast.Ident:
		return p.ident(expr.Name), nil
	case *ast.SelectorExpr:
		return p.selector(expr)
	case *ast.StarExpr:
		return p.prefixed("*", expr.X)
	case *ast.ArrayType:
		if expr.Len == nil {
			return p.prefixed("[]", expr.Elt)
		}
		if length, ok := expr.Len.(*ast.BasicLit); ok {
			return p.prefixed("["+length.Value+"]", expr.Elt)
		}
	case *ast.MapType:
		return p.mapType(expr)
	case *ast.InterfaceType:
		if len(expr.Methods.List) == 0 {
			return "any", nil
		}
	case *ast.IndexExpr:
		return p.generic(expr.X, expr.Index)
	case *ast.IndexListExpr:
		return p.generic(expr.X, expr.Indices...)
	}
	return "", fmt.Errorf("a type has an unsupported form (%T)", expr)
}

func (p *typePrinter) prefixed(prefix string, expr ast.Expr) (string, error) {
	text, err := p.print(expr)
	return prefix + text, err
}

func (p *typePrinter) mapType(expr *ast.MapType) (string, error) {
	key, err := p.print(expr.Key)
	if err != nil {
		return "", err
	}
	return p.prefixed("map["+key+"]", expr.Value)
}

func (p *typePrinter) generic(base ast.Expr, args ...ast.Expr) (string, error) {
	name, err := p.print(base)
	if err != nil {
		return "", err
	}
	var list []string
	for _, arg := range args {
		text, err := p.print(arg)
		if err != nil {
			return "", err
		}
		list = append(list, text)
	}
	return name + "[" + strings.Join(list, ", ") + "]", nil
}

// ident qualifies a type of sqlc's package; all others are predeclared.
func (p *typePrinter) ident(name string) string {
	if !p.reader.types[name] {
		return name
	}
	p.add(model.Import{Path: p.reader.importPath})
	return p.reader.name + "." + name
}

func (p *typePrinter) selector(expr *ast.SelectorExpr) (string, error) {
	base, ok := expr.X.(*ast.Ident)
	if !ok {
		return "", errors.New("a type does not belong to a package")
	}
	for _, spec := range p.file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return "", err
		}
		switch {
		case spec.Name != nil && spec.Name.Name == base.Name:
			p.add(model.Import{Name: base.Name, Path: importPath})
		case spec.Name == nil && importedAs(importPath, base.Name):
			p.add(model.Import{Path: importPath})
		default:
			continue
		}
		return base.Name + "." + expr.Sel.Name, nil
	}
	return "", fmt.Errorf("no import is named %s", base.Name)
}

func (p *typePrinter) add(imp model.Import) {
	if !slices.Contains(p.imports, imp) {
		p.imports = append(p.imports, imp)
	}
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// importedAs reports whether a package imported without a name can have that name in
// the source. These are sqlc's rules for deriving a name.
func importedAs(importPath, name string) bool {
	base := path.Base(importPath)
	if majorVersion.MatchString(base) && base != name {
		base = path.Base(path.Dir(importPath))
	}
	return base == name || strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go") == name
}
