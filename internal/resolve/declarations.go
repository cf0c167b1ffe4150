package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// typeSpecs yields the types that files declare, in their order.
func typeSpecs(files []*ast.File) iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for declaration := range typeDeclarations(files) {
			for _, spec := range declaration.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && !yield(spec) {
					return
				}
			}
		}
	}
}

func typeDeclarations(files []*ast.File) iter.Seq[*ast.GenDecl] {
	return func(yield func(*ast.GenDecl) bool) {
		for _, file := range files {
			for _, declaration := range file.Decls {
				if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE && !yield(types) {
					return
				}
			}
		}
	}
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

// typeSource is what oapi-codegen's comment says a type was generated for.
func typeSource(files []*ast.File, wanted *ast.TypeSpec) string {
	const generated = "something of its own"
	for declaration := range typeDeclarations(files) {
		for _, spec := range declaration.Specs {
			if spec != wanted {
				continue
			}
			text := strings.Join(strings.Fields(declaration.Doc.Text()), " ")
			text = strings.TrimSuffix(strings.TrimPrefix(text, wanted.Name.Name+" "), ".")
			const longest = 120
			if text == "" || len(text) > longest {
				return generated
			}
			return fmt.Sprintf("%q", text)
		}
	}
	return generated
}
