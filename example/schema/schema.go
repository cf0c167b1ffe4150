// Package schema holds the DDL of the shop's own tables.
package schema

import _ "embed"

// Orders creates the tables that are not there yet.
//
//go:embed orders.sql
var Orders string
