package history

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Rule is a promise.
type Rule string

const (
	// SameAnswer says that everybody who gets the final answer of a key and
	// payload gets the same one.
	SameAnswer Rule = "not the same answer"
	// OwnAnswer says that nobody gets the answer to another payload.
	OwnAnswer Rule = "another payload's answer"
	// OneRow says that a key that is recorded as done has one row, of the call
	// and payload that is recorded, and any other key none.
	OneRow Rule = "not one row for a committed key"
	// Order says that the history is linearizable. See the model.
	Order Rule = "no order explains the history"
	// TooHard is no promise: the checker did not find out whether there is an
	// order.
	TooHard Rule = "the history could not be checked"
)

// checkingTime bounds the search for an order of one key's operations. It is
// far more than any history of a few dozen takes.
const checkingTime = time.Minute

// Check returns what is wrong with a history, a violation for each key at most.
func Check(operations []Operation) []*ViolationError {
	keys := map[string][]Operation{}
	for _, o := range operations {
		keys[o.Key] = append(keys[o.Key], o)
	}
	var violations []*ViolationError
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if rule, details := check(keys[key]); rule != "" {
			history := keys[key]
			slices.SortFunc(history, func(a, b Operation) int { return int(a.Start - b.Start) })
			violations = append(violations, &ViolationError{Rule: rule, Key: key, Details: details, History: history})
		}
	}
	return violations
}

// check checks one key. The rules that need no search come first, because they
// say more.
func check(operations []Operation) (Rule, string) {
	for _, rule := range []func([]Operation) (Rule, string){answers, rows, order} {
		if broken, details := rule(operations); broken != "" {
			return broken, details
		}
	}
	return "", ""
}

// answers compares the final answers with each other.
func answers(operations []Operation) (Rule, string) {
	var first *Operation
	for i, o := range operations {
		switch {
		case o.Kind == Final && o.Answer.Payload != o.Payload:
			return OwnAnswer, fmt.Sprintf("call %s of payload %d got the answer to payload %d", o.Call, o.Payload, o.Answer.Payload)
		case o.Kind != Final && o.Kind != Recorded:
		case first == nil:
			first = &operations[i]
		case o.Answer != first.Answer:
			return SameAnswer, fmt.Sprintf("%q and %q", first.Answer.Text, o.Answer.Text)
		}
	}
	return "", ""
}

// rows compares the record with the business table.
func rows(operations []Operation) (Rule, string) {
	for _, o := range operations {
		var want []Row
		switch {
		case o.Kind == Recorded && o.Answer.Status < 400:
			want = []Row{{Payload: o.Answer.Payload, Call: o.Answer.Call}}
		case o.Kind != Free && o.Kind != Recorded:
			continue
		}
		if !slices.Equal(o.Rows, want) {
			return OneRow, fmt.Sprintf("%s, with the rows %v; want %v", o.Kind, o.Rows, want)
		}
	}
	return "", ""
}

// order asks whether the operations can have happened one after the other, each
// between its question and its answer.
func order(operations []Operation) (Rule, string) {
	history := make([]porcupine.Operation, len(operations))
	for i, o := range operations {
		end := o.End
		if o.Kind == Unknown || end == 0 {
			end = math.MaxInt64 // it may happen long after the client has given up
		}
		history[i] = porcupine.Operation{Input: o, Call: o.Start, Return: end}
	}
	switch porcupine.CheckOperationsTimeout(model(), history, checkingTime) {
	case porcupine.Illegal:
		return Order, "some answer contradicts the others"
	case porcupine.Unknown:
		return TooHard, fmt.Sprintf("%d operations", len(operations))
	default:
		return "", ""
	}
}
