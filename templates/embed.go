// Package templates holds one template for each file that idemgen prints itself.
package templates

import "embed"

// FS holds the templates, named after the files they print.
//
//go:embed *.tmpl
var FS embed.FS
