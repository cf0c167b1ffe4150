// Package render prints the model through the templates. It decides nothing:
// the same model always gives the same bytes.
package render

import (
	"bytes"
	"fmt"
	"go/format"
	"text/template"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/templates"
)

// Schema prints the key tables of contract, as DDL that can be applied again.
func Schema(contract *model.Contract) ([]byte, error) {
	return execute("schema.sql.tmpl", contract, "schema-partitioned.sql.tmpl")
}

// Queries prints the queries of contract, annotated for sqlc.
func Queries(contract *model.Contract) ([]byte, error) {
	return execute("queries.sql.tmpl", contract, "queries-partitioned.sql.tmpl")
}

// Lock prints the lock file.
func Lock(lock *model.Lock) ([]byte, error) {
	return execute("lock.yaml.tmpl", lock)
}

// Decorator prints the formatted Go file that wraps the strict server, with lines of
// 120 columns as far as they can be broken. Source that
// does not parse is a fault of the template or the model, and is part of the error.
func Decorator(code *model.Code) ([]byte, error) {
	source, err := execute("idempotent.go.tmpl", decorator{code}, "fingerprint.go.tmpl", "server-"+code.Framework.Family+".go.tmpl")
	if err != nil {
		return nil, err
	}
	formatted, err := format.Source(source)
	if err != nil {
		return nil, fmt.Errorf("the decorator does not parse: %w\n%s", err, source)
	}
	return wrap(formatted)
}

// execute prints the template name, with the parts that other files define for it.
func execute(name string, data any, parts ...string) ([]byte, error) {
	parsed, err := parse(name, parts...)
	if err != nil {
		return nil, err
	}
	return executeTemplate(parsed, data)
}

func parse(name string, parts ...string) (*template.Template, error) {
	parsed, err := template.New(name).Funcs(functions).ParseFS(templates.FS, append(parts, name)...)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return parsed, nil
}

func executeTemplate(parsed *template.Template, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := parsed.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("template %s: %w", parsed.Name(), err)
	}
	return out.Bytes(), nil
}
