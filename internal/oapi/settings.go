package oapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// Settings are what a user has set of oapi-codegen's own configuration. The zero
// value is its defaults.
type Settings struct {
	configuration codegen.Configuration
	positions     map[string]diag.Position // of values, by option: "output-options.exclude-tags"
}

// SettingsFile says where settings were written.
type SettingsFile struct {
	Display   string // of the file, for diagnostics
	Folder    string // that relative paths start from
	Framework string // that server.framework names
}

// importsOthers reports whether the types of any file are in another package.
func (s *Settings) importsOthers() bool {
	for _, path := range s.configuration.ImportMapping {
		if path != currentPackage {
			return true
		}
	}
	return false
}

// imports reports whether the types of a file are in another package.
func (s *Settings) imports(ref string) bool {
	file, _, _ := strings.Cut(ref, "#")
	path, ok := s.configuration.ImportMapping[file]
	return ok && path != currentPackage
}

// currentPackage maps a file to the package that is generated, as happens to every
// file that is not mapped.
const currentPackage = "-"

// Drops reports annotated operations that the settings leave out.
func (s *Settings) Drops(doc *openapi3.T, operations []*model.Operation) diag.List {
	var list diag.List
	output := s.configuration.OutputOptions
	for _, operation := range operations {
		op := doc.Paths.Value(operation.Path).GetOperation(operation.Method)
		tagged := func(tags []string) bool {
			return slices.ContainsFunc(op.Tags, func(tag string) bool { return slices.Contains(tags, tag) })
		}
		for _, filter := range []struct {
			option string
			drops  bool
		}{
			{"include-tags", len(output.IncludeTags) > 0 && !tagged(output.IncludeTags)},
			{"exclude-tags", tagged(output.ExcludeTags)},
			{"include-operation-ids", len(output.IncludeOperationIDs) > 0 && !slices.Contains(output.IncludeOperationIDs, op.OperationID)},
			{"exclude-operation-ids", slices.Contains(output.ExcludeOperationIDs, op.OperationID)},
		} {
			if filter.drops {
				list.Errorf(s.positions["output-options."+filter.option], "keep the operation, or take x-idempotent from it",
					"%s leaves out %s %s, which is annotated (%s)", filter.option, operation.Method, operation.Path, operation.Pos)
			}
		}
	}
	list.Sort()
	return list
}

// Templates returns where the user's own templates are named.
func (s *Settings) Templates() (diag.Position, bool) {
	pos, ok := s.positions["output-options.user-templates"]
	return pos, ok
}

// template returns the position of the user's template that a message is about.
func (s *Settings) template(message string) (diag.Position, bool) {
	if s == nil || !strings.Contains(message, "template") {
		return diag.Position{}, false
	}
	for _, name := range slices.Sorted(maps.Keys(s.configuration.OutputOptions.UserTemplates)) {
		if strings.Contains(message, name) {
			return s.positions["output-options.user-templates."+name], true
		}
	}
	return diag.Position{}, false
}
