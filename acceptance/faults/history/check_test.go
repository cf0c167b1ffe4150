package history_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/acceptance/faults/history"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// op is an operation of key k on payload 1 that would pay.
func op(call string, start, end int64, kind history.Kind) history.Operation {
	return history.Operation{Key: "k", Call: call, Payload: 1, Final: 201, Kind: kind, Start: start, End: end}
}

// by gives an operation the final answer of an execution.
func by(call string, o history.Operation) history.Operation {
	o.Answer = history.Answer{Status: 201, Payload: 1, Call: call, Text: "paid by " + call}
	if o.Kind == history.Recorded {
		o.Rows = []history.Row{{Payload: 1, Call: call}}
	}
	return o
}

// other gives an operation another payload.
func other(o history.Operation) history.Operation {
	o.Payload = 2
	return o
}

const (
	final, mismatch, nothing = history.Final, history.Mismatch, history.Nothing
	failed, unknown          = history.Failed, history.Unknown
	free, recorded           = history.Free, history.Recorded
)

func TestCheck(t *testing.T) {
	refunded := by("a", op("b", 3, 4, final))
	refunded.Answer.Text = "refunded"
	twice := by("a", op("", 3, 4, recorded))
	twice.Rows = append(twice.Rows, history.Row{Payload: 1, Call: "b"})
	leftOver := op("", 3, 4, free)
	leftOver.Rows = []history.Row{{Payload: 1, Call: "a"}}
	declined := op("a", 1, 2, unknown)
	declined.Final = 402
	never := op("a", 1, 2, unknown)
	never.Final = 0

	for name, test := range map[string]struct {
		history []history.Operation
		want    history.Rule // "" for none
	}{
		"executed and replayed":                           {[]history.Operation{by("a", op("a", 1, 2, final)), by("a", op("b", 3, 4, final))}, ""},
		"replayed by one who asked before the winner did": {[]history.Operation{by("a", op("b", 1, 4, final)), by("a", op("a", 2, 3, final))}, ""},
		"another payload is refused":                      {[]history.Operation{by("a", op("a", 1, 2, final)), other(op("b", 3, 4, mismatch))}, ""},
		"failures before, and nothing after":              {[]history.Operation{op("a", 1, 2, failed), op("b", 3, 4, nothing), by("c", op("c", 5, 6, final)), op("d", 7, 8, nothing)}, ""},
		"the answer was lost":                             {[]history.Operation{op("a", 1, 2, unknown), by("a", op("b", 3, 4, final)), by("a", op("", 5, 6, recorded))}, ""},
		"the COMMIT was lost":                             {[]history.Operation{op("a", 1, 2, unknown), op("", 3, 4, free), by("b", op("b", 5, 6, final))}, ""},
		"the COMMIT came late":                            {[]history.Operation{op("a", 1, 2, unknown), op("", 3, 4, free), by("a", op("b", 5, 6, final))}, ""},
		"keys are independent":                            {[]history.Operation{by("a", op("a", 1, 2, final)), {Key: "l", Call: "b", Kind: failed, Start: 3, End: 4}}, ""},

		"two executions":                      {[]history.Operation{by("a", op("a", 1, 2, final)), by("b", op("b", 3, 4, final))}, history.SameAnswer},
		"a replay that differs":               {[]history.Operation{by("a", op("a", 1, 2, final)), refunded}, history.SameAnswer},
		"the winner's answer to another":      {[]history.Operation{by("a", op("a", 1, 2, final)), other(by("a", op("b", 3, 4, final)))}, history.OwnAnswer},
		"two rows":                            {[]history.Operation{by("a", op("a", 1, 2, final)), twice}, history.OneRow},
		"a row without a record":              {[]history.Operation{op("a", 1, 2, unknown), leftOver}, history.OneRow},
		"told nothing, and executed":          {[]history.Operation{op("a", 1, 2, nothing), by("a", op("b", 3, 4, final))}, history.Order},
		"told failed, and executed":           {[]history.Operation{op("a", 1, 2, failed), by("a", op("", 3, 4, recorded))}, history.Order},
		"answered, and gone":                  {[]history.Operation{by("a", op("a", 1, 2, final)), op("", 3, 4, free)}, history.Order},
		"answered, and executed again":        {[]history.Operation{by("a", op("a", 1, 2, final)), op("b", 3, 4, failed)}, history.Order},
		"refused, and nobody has the key":     {[]history.Operation{op("a", 1, 2, mismatch)}, history.Order},
		"refused before another payload came": {[]history.Operation{op("a", 1, 2, mismatch), other(op("b", 3, 4, unknown))}, history.Order},
		"the answer of nobody":                {[]history.Operation{by("z", op("a", 1, 2, final))}, history.Order},
		"a status that the call has not":      {[]history.Operation{declined, by("a", op("b", 3, 4, final))}, history.Order},
		"executed by one who always fails":    {[]history.Operation{never, by("a", op("b", 3, 4, final))}, history.Order},
		"executed before it was asked for":    {[]history.Operation{by("a", op("b", 1, 2, final)), by("a", op("a", 3, 4, final))}, history.Order},
	} {
		t.Run(name, func(t *testing.T) {
			violations := history.Check(test.history)
			switch {
			case test.want == "" && len(violations) > 0:
				t.Errorf("got %v", violations[0])
			case test.want != "" && (len(violations) != 1 || violations[0].Rule != test.want):
				t.Errorf("got %v, want %s", violations, test.want)
			}
		})
	}
}
