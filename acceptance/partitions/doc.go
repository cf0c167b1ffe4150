// Package partitions tests scopes whose recorded responses have a partitioned table
// of their own: what callers see, what a rotation does to the table, and how a table
// without partitions becomes one with them.
//
// The service in service/ is generated. The one in service/onetable is the same
// before its responses were partitioned.
package partitions
