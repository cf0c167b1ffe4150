// Package service is the annotated description that the benchmarks measure, and what is
// generated from it.
package service

import _ "embed" // the schemas

// KeysSchema creates the key tables.
//
//go:embed schema/idempotency.sql
var KeysSchema string

// OrdersSchema creates the tables of the business function.
//
//go:embed orders.sql
var OrdersSchema string
