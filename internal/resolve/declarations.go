package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// declaredType is a type with the comment of its declaration.
type declaredType struct {
	*ast.TypeSpec
	comment string
}

// declaredTypes are the types that files declare, in their order.
func declaredTypes(files []*ast.File) []declaredType {
	var all []declaredType
	for _, file := range files {
		for _, declaration := range file.Decls {
			types, ok := declaration.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					all = append(all, declaredType{spec, types.Doc.Text()})
				}
			}
		}
	}
	return all
}

// source is what oapi-codegen's comment says a type was generated for.
func (t declaredType) source() string {
	text := strings.Join(strings.Fields(t.comment), " ")
	text = strings.TrimSuffix(strings.TrimPrefix(text, t.Name.Name+" "), ".")
	const longest = 120
	if text == "" || len(text) > longest {
		return "something of its own"
	}
	return fmt.Sprintf("%q", text)
}

// otherNames are those of functions, variables and constants, with what they are.
func otherNames(files []*ast.File) map[string]string {
	names := map[string]string{}
	for _, file := range files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = "a function of its own"
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if values, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range values.Names {
							names[name.Name] = "a " + d.Tok.String() + " of its own"
						}
					}
				}
			}
		}
	}
	return names
}

// double is a field or method that shares its name with an earlier one.
type double struct {
	name          string
	first, second *ast.Field
}

func doubles(list *ast.FieldList) []double {
	var pairs []double
	seen := map[string]*ast.Field{}
	for _, field := range list.List {
		for _, name := range field.Names {
			if before, ok := seen[name.Name]; ok {
				pairs = append(pairs, double{name.Name, before, field})
				continue
			}
			seen[name.Name] = field
		}
	}
	return pairs
}

// fieldSource names what a field was generated for.
func fieldSource(field *ast.Field) string {
	if field.Tag == nil {
		return "a field of its own"
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return "a field of its own"
	}
	tag := reflect.StructTag(text)
	return fmt.Sprintf("%q", cmp.Or(tagName(tag, "json"), tagName(tag, "form")))
}
