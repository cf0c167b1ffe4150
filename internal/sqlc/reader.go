package sqlc

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// Reader finds queries in the Go that sqlc wrote.
type Reader struct {
	importPath string
	name       string // of the package
	dbArgument bool
	queries    []byte
	types      map[string]bool // declared in the package
	structs    map[string]structDecl
	methods    map[string]method // of type Queries
	constants  map[string]string // of type string
}

type structDecl struct {
	file *ast.File
	typ  *ast.StructType
}

type method struct {
	file *ast.File
	decl *ast.FuncDecl
}

// Reader parses the package, which is imported under importPath.
func (p *Package) Reader(importPath string) (*Reader, error) {
	r := &Reader{
		importPath: importPath,
		name:       p.Name,
		queries:    p.queries,
		types:      map[string]bool{},
		structs:    map[string]structDecl{},
		methods:    map[string]method{},
		constants:  map[string]string{},
	}
	fset := token.NewFileSet()
	for _, file := range p.Files {
		if !strings.HasSuffix(file.Name, ".go") {
			continue
		}
		parsed, err := parser.ParseFile(fset, file.Name, file.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("sqlc wrote Go that cannot be parsed: %w", err)
		}
		for _, decl := range parsed.Decls {
			r.add(parsed, decl)
		}
	}
	return r, nil
}

// DBArgument reports whether methods take the connection as an argument; otherwise New
// does. The option emit_methods_with_db_argument decides this.
func (r *Reader) DBArgument() bool { return r.dbArgument }

func (r *Reader) add(file *ast.File, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		switch {
		case decl.Recv == nil && decl.Name.Name == "New":
			r.dbArgument = decl.Type.Params.NumFields() == 0
		case receiver(decl) == "Queries":
			r.methods[decl.Name.Name] = method{file, decl}
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			r.addSpec(file, spec)
		}
	}
}

func (r *Reader) addSpec(file *ast.File, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		r.types[spec.Name.Name] = true
		if typ, ok := spec.Type.(*ast.StructType); ok {
			r.structs[spec.Name.Name] = structDecl{file, typ}
		}
	case *ast.ValueSpec:
		for i, name := range spec.Names {
			if i >= len(spec.Values) {
				return
			}
			if text, ok := constantText(spec.Values[i]); ok {
				r.constants[name.Name] = text
			}
		}
	}
}

// constantText evaluates a string literal or a concatenation of literals, which sqlc
// writes for SQL with a backquote in it.
func constantText(expr ast.Expr) (string, bool) {
	switch expr := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(expr.Value)
		return text, err == nil && expr.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := constantText(expr.X)
		right, ok2 := constantText(expr.Y)
		return left + right, ok && ok2 && expr.Op == token.ADD
	}
	return "", false
}

func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return ""
	}
	name, _, _ := structName(decl.Recv.List[0].Type)
	return name
}

// databaseCall is the call that passes the query to the database: ctx, the constant
// with the SQL, and the parameters.
func (m method) databaseCall() (*ast.CallExpr, error) {
	call := m.find(func(call *ast.CallExpr) bool {
		return len(call.Args) >= 2 && calls(call, "QueryRow", "Query", "Exec")
	})
	if call == nil {
		return nil, errors.New("it does not call the database")
	}
	return call, nil
}

// find returns the first call in the method's body for which the condition is true.
func (m method) find(condition func(*ast.CallExpr) bool) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(m.decl.Body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && found == nil && condition(call) {
			found = call
		}
		return found == nil
	})
	return found
}

// loops reports whether the method iterates over rows.
func (m method) loops() bool {
	loops := false
	ast.Inspect(m.decl.Body, func(node ast.Node) bool {
		_, ok := node.(*ast.ForStmt)
		loops = loops || ok
		return !loops
	})
	return loops
}

// calls reports whether a call is one of a method with one of the names.
func calls(call *ast.CallExpr, names ...string) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	for _, name := range names {
		if selector.Sel.Name == name {
			return true
		}
	}
	return false
}

func isSelector(expr ast.Expr) bool {
	_, ok := expr.(*ast.SelectorExpr)
	return ok
}

// addressed returns x for &x, and any other expression unchanged.
func addressed(expr ast.Expr) ast.Expr {
	if unary, ok := expr.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return unary.X
	}
	return expr
}

// structName returns the name T of the types T and *T.
func structName(expr ast.Expr) (name string, pointer bool, err error) {
	if star, ok := expr.(*ast.StarExpr); ok {
		expr, pointer = star.X, true
	}
	ident, ok := expr.(*ast.Ident)
	if !ok {
		return "", false, errors.New("the type is not a struct of the package")
	}
	return ident.Name, pointer, nil
}

// field is one parameter, result or struct field.
type field struct {
	name string
	typ  ast.Expr
}

// flatten lists the fields of a, b T one by one.
func flatten(list *ast.FieldList) []field {
	var fields []field
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			fields = append(fields, field{"", f.Type})
		}
		for _, name := range f.Names {
			fields = append(fields, field{name.Name, f.Type})
		}
	}
	return fields
}
