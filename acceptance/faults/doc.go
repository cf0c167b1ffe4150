// Package faults holds the fault driver: many clients, few keys and several
// payloads against two processes of a service on one database, while
// connections are cut, backends terminated, processes killed and the database
// stopped at chosen steps of the protocol. Afterwards the history of what the
// clients were told must be explicable; see package history.
//
// The service has two operations, and rounds alternate between them. A payment can
// end with a final error, so that its protocol has a savepoint, and has all of its
// record in one table. A transfer has neither: only 2XX is final, and responses are
// in partitions. The service sweeps all the while, and the driver sees to it that
// there is something to empty, to rotate and to purge.
//
// With IDEMGEN_POSTGRES=15,18 rounds alternate between servers of these versions, too.
//
//	go test ./faults                       a few hundred faults
//	IDEMGEN_FAULTS=10000 go test -run TestFaults -timeout 1h -v ./faults
//	go test -run TestFaults -seed 42 -first 17 ./faults
//
// A run prints its seed. A seed fixes what clients ask, which faults are armed
// at which step, and when; what the processes make of it is their own affair,
// so that a failure may need a few runs to come back.
package faults
