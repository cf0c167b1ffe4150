package pgproxy

import "strings"

// Step is what a message is for.
type Step string

// The steps of the protocol, and what comes before them.
const (
	Connect   Step = "connect"   // the start-up of a connection
	Prepare   Step = "prepare"   // any statement, parsed for the first time
	Begin     Step = "begin"     // the transaction
	Claim     Step = "claim"     // the key is inserted
	Savepoint Step = "savepoint" // between claim and business
	Load      Step = "load"      // the record of another call is read
	Rollback  Step = "rollback"
	Business  Step = "business" // the business function's statement
	Release   Step = "release"  // of the savepoint
	Undo      Step = "undo"     // back to the savepoint
	Finish    Step = "finish"   // the response is recorded
	Commit    Step = "commit"
	Rotate    Step = "rotate" // the sweeper's, between requests
	other     Step = "other"
)

// beginnings tell statements apart. The comments that sqlc puts above them are
// left out; the first that fits counts.
var beginnings = []struct {
	text string
	step Step
}{
	{"begin", Begin},
	{"insert into account_idempotency_keys", Claim},
	{"insert into ledger_idempotency_keys", Claim},
	{"savepoint", Savepoint},
	{"select k.fingerprint", Load},
	{"rollback to", Undo},
	{"rollback", Rollback},
	{"insert into payments", Business},
	{"release", Release},
	{"with finished", Finish},
	{"with claimed", Finish}, // into partitions
	{"commit", Commit},
	{"select rotate_ledger_idempotency_responses", Rotate},
}

// stepOf says which step a statement is.
func stepOf(sql string) Step {
	var words []string
	for line := range strings.Lines(sql) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			words = append(words, strings.Fields(strings.ToLower(line))...)
		}
	}
	statement := strings.Join(words, " ")
	for _, b := range beginnings {
		if strings.HasPrefix(statement, b.text) {
			return b.step
		}
	}
	return other
}
