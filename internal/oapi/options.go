package oapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/internal/diag"
)

// Version is the version of oapi-codegen that is linked, as its output states it.
const Version = "v2.8.2"

// Options say what to generate.
type Options struct {
	Package string // name of the Go package
	File    string // the document's file, for diagnostics
	// Framework is the name of the framework to make a strict server for; "" is net/http.
	Framework string
	// Settings are the user's own of oapi-codegen; nil for its defaults.
	Settings *Settings
	// Located returns the document once more, with origins, and Origin the position
	// of a part of it. Without them every diagnostic is at the start.
	Located func() (*openapi3.T, error)
	Origin  func(*openapi3.Origin) (diag.Position, bool)
}
