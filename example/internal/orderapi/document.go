// Package orderapi is the API of the orders service, generated but for this file.
package orderapi

import _ "embed"

// Document is the bound OpenAPI document: the one that the generated server
// was made from, to validate requests against.
//
//go:embed openapi.gen.yaml
var Document []byte
