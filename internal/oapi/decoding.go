package oapi

import (
	"strings"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// Decoding is what oapi-codegen's options change about the Go types of values.
type Decoding struct {
	NullableType bool              // nullable-type
	NoPointers   bool              // prefer-skip-optional-pointer
	GoTypes      map[string]string // type-mapping: Go types by type and format, "string uuid", where they are not the usual ones
}

// UsualGoType is the Go type that oapi-codegen has for a string, a number or an integer
// of a format.
func UsualGoType(typ, format string) string {
	usual := codegen.DefaultTypeMapping.String
	switch typ {
	case "integer":
		usual = codegen.DefaultTypeMapping.Integer
	case "number":
		usual = codegen.DefaultTypeMapping.Number
	}
	return usual.Resolve(format).Type
}

// Decoding says what the settings change about the Go types of values.
func (s *Settings) Decoding() Decoding {
	output := s.configuration.OutputOptions
	decoding := Decoding{NullableType: output.NullableType, NoPointers: output.PreferSkipOptionalPointer, GoTypes: map[string]string{}}
	if mapping := output.TypeMapping; mapping != nil {
		decoding.addTypes("string", mapping.String, codegen.DefaultTypeMapping.String)
		decoding.addTypes("number", mapping.Number, codegen.DefaultTypeMapping.Number)
		decoding.addTypes("integer", mapping.Integer, codegen.DefaultTypeMapping.Integer)
		decoding.addTypes("boolean", mapping.Boolean, codegen.DefaultTypeMapping.Boolean)
	}
	return decoding
}

// addTypes adds what a mapping has for the formats of a type, where that is not the
// usual.
func (d Decoding) addTypes(typ string, mapping, usual codegen.FormatMapping) {
	for format, spec := range mapping.Formats {
		if spec.Type != usual.Resolve(format).Type {
			d.GoTypes[strings.TrimSpace(typ+" "+format)] = spec.Type
		}
	}
	if mapping.Default.Type == "" || mapping.Default.Type == usual.Default.Type {
		return
	}
	d.GoTypes[typ+" *"] = mapping.Default.Type
	for format := range usual.Formats {
		if _, given := mapping.Formats[format]; !given {
			d.GoTypes[typ+" "+format] = ""
		}
	}
}
