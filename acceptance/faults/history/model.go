package history

import "github.com/anishathalye/porcupine"

// record is the state of one key: free, or recorded for good.
//
//	free --- a call with payload p is executed ---> recorded(p, its answer)
//
// That is the whole life of a key. What a client is told says in which state its
// call found the key, at some moment between question and answer:
//
//	final, executed by this call       free before, recorded after
//	final, executed by another call    recorded: same payload, same answer
//	mismatch                           recorded: another payload
//	failed                             free; the business function ran
//	nothing                            either
//	unknown                            either; if free, perhaps recorded after,
//	                                   at any time from the question on
//
// A look at the database is told the state itself.
type record struct {
	recorded bool
	payload  int64
	call     string
	status   int
	text     string // "" until somebody has seen the answer
}

// model is the sequential specification of one key. It is not deterministic:
// what is unknown may have happened or not.
func model() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{record{}} },
		Step: func(state, input, _ any) []any {
			return states(input.(Operation).step(state.(record)))
		},
	}
	return m.ToModel()
}

func states(records []record) []any {
	all := make([]any, len(records))
	for i, r := range records {
		all[i] = r
	}
	return all
}

// step returns the states that the key may be in after o, none if o cannot have
// happened in state r.
func (o Operation) step(r record) []record {
	possible := false
	switch o.Kind {
	case Nothing:
		possible = true
	case Failed, Free:
		possible = !r.recorded
	case Mismatch:
		possible = r.recorded && r.payload != o.Payload
	case Unknown:
		if !r.recorded && o.Final != 0 {
			return []record{r, {recorded: true, payload: o.Payload, call: o.Call, status: o.Final}}
		}
		possible = true
	case Final:
		if o.Answer.Call == o.Call {
			return o.execute(r)
		}
		return r.answer(o.Answer, o.Payload)
	case Recorded:
		return r.answer(o.Answer, o.Answer.Payload)
	}
	if !possible {
		return nil
	}
	return []record{r}
}

// execute is the step of a call that was answered from its own execution.
func (o Operation) execute(r record) []record {
	if r.recorded || o.Answer.Payload != o.Payload || o.Answer.Status != o.Final {
		return nil
	}
	return []record{{recorded: true, payload: o.Payload, call: o.Call, status: o.Answer.Status, text: o.Answer.Text}}
}

// answer is the step of a call with payload that gets the recorded answer.
func (r record) answer(a Answer, payload int64) []record {
	if !r.recorded || r.payload != payload || r.payload != a.Payload || r.call != a.Call || r.status != a.Status {
		return nil
	}
	if r.text != "" && r.text != a.Text {
		return nil
	}
	r.text = a.Text
	return []record{r}
}
