// Package history says whether what clients were told can be true.
//
// A history is what many clients asked, each of a key, and what they were told,
// with the order in which questions and answers came; and at times what the
// database holds while nobody asks. [Check] finds what contradicts the promise:
// one execution for each key, and its answer to everybody who means the same.
package history

import (
	"fmt"
	"strings"
)

// Kind is what a client was told, or what the database was seen to hold.
type Kind string

const (
	// Final is the recorded answer, at first hand or replayed.
	Final Kind = "final"
	// Mismatch says that the key belongs to another payload.
	Mismatch Kind = "mismatch"
	// Nothing says that this call has done nothing and never will: the key was
	// in flight too long, or there was no database.
	Nothing Kind = "nothing"
	// Failed says that the business function ran, and what it did was undone.
	Failed Kind = "failed"
	// Unknown is no answer, or one that says so. The call may have been
	// executed, or may still be.
	Unknown Kind = "unknown"

	// Free is a database that has no record of the key while nobody asks.
	Free Kind = "free"
	// Recorded is a database that has this record of the key while nobody asks.
	Recorded Kind = "recorded"
)

// Answer is a final answer.
type Answer struct {
	Status  int
	Payload int64  // of the execution
	Call    string // that was executed
	Text    string // everything that must be the same for everybody
}

// Row is what an execution has left in the business table.
type Row struct {
	Payload int64
	Call    string
}

// Operation is one call with what became of it, or one look at the database.
type Operation struct {
	Key     string
	Call    string // names the call; no other has the same name
	Payload int64
	// Final is the status that an execution of this call ends with, 0 if it
	// never ends with a final one.
	Final int

	Kind   Kind
	Answer Answer // of Final and Recorded
	Rows   []Row  // of Free and Recorded
	// Note is what else the reader of a report wants to know.
	Note string

	Start, End int64 // on a clock that never shows a time twice; no End, no answer
}

// String is one line of a report.
func (o Operation) String() string {
	var b strings.Builder
	switch o.Kind {
	case Free, Recorded:
		fmt.Fprintf(&b, "[%d, %d] the database: %s", o.Start, o.End, o.Kind)
	default:
		fmt.Fprintf(&b, "[%d, %d] call %s of payload %d: %s", o.Start, o.End, o.Call, o.Payload, o.Kind)
	}
	if o.Answer != (Answer{}) {
		fmt.Fprintf(&b, " %d, executed by %s with payload %d", o.Answer.Status, o.Answer.Call, o.Answer.Payload)
	}
	if len(o.Rows) > 0 {
		fmt.Fprintf(&b, ", rows %v", o.Rows)
	}
	if o.Note != "" {
		fmt.Fprintf(&b, " (%s)", o.Note)
	}
	return b.String()
}

// ViolationError is a broken promise about one key.
type ViolationError struct {
	Rule    Rule
	Key     string
	Details string
	History []Operation // of the key
}

// Error implements error: the promise, and the key's history.
func (v *ViolationError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: key %s: %s", v.Rule, v.Key, v.Details)
	for _, o := range v.History {
		fmt.Fprintf(&b, "\n\t%s", o)
	}
	return b.String()
}
