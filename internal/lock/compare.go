package lock

import (
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// History is what [Compare] needs to know beside the contract.
type History struct {
	File     string     // the lock's name, for messages
	Lock     model.Lock // of the last run; an empty one before the first
	Today    time.Time  // decides whether a version may be retired, and nothing else
	Requests Requests   // of the contract's document
}

// Requests says what today's requests are like. *plan.Requests does.
type Requests interface {
	// Field returns what a field of an operation's requests is, in the body of that
	// content type. Whole says that an object counts with everything that is in it.
	Field(operation *model.Operation, path spec.FieldPath, contentType string, whole bool) model.RequestField
	// Body returns the content type that fields are about which are from when the
	// operation had only one, or "".
	Body(operation *model.Operation, fields []spec.FieldPath) string
}

// Compare completes a contract with what earlier runs have left, and reports what
// must not change in silence: fields under an unchanged fingerprint version, and
// tables and stored names whose keys would not be looked at any more. accepted are
// the changes that the document has accepted by now, for [New].
//
// The contract is complete only if the list, which is sorted, holds no error.
func Compare(contract *model.Contract, history History) (accepted []string, list diag.List) {
	history.versions(contract, &list)
	accepted = history.changes(contract, &list)
	list.Sort()
	return accepted, list
}
