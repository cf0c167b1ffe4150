// Package partitions tests scopes whose recorded responses have a partitioned table
// of their own: what callers see, what a rotation does to the table, and how a table
// without partitions becomes one with them.
//
// The service in service/ is committed as it is generated, because these tests are Go
// code that calls it in the same process: its queries in transactions of a test, and a
// business function that takes a lock before its response is recorded. The service
// before its responses were partitioned is generated when the tests run.
package partitions
