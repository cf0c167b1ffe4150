package faults

import (
	"fmt"
	"maps"
	"slices"

	"github.com/idemgen/idemgen/acceptance/faults/pgproxy"
)

// kind is an operation of the service. A round has keys and faults of one kind.
type kind struct {
	operation string
	path      string
	about     string
	finals    map[string]int // the final statuses of the behaviours that have one
	steps     []weighted[pgproxy.Step]
}

func (k kind) String() string { return fmt.Sprintf("%s (%s)", k.operation, k.about) }

// final reports whether a status is final.
func (k kind) final(status int) bool {
	return slices.Contains(slices.Collect(maps.Values(k.finals)), status)
}

// points are the points of the protocol that faults must strike.
func (k kind) points() []pgproxy.Point {
	var all []pgproxy.Point
	for _, step := range k.steps {
		for _, moment := range moments {
			all = append(all, pgproxy.Point{Step: step.value, Moment: moment.value})
		}
	}
	return all
}

// kinds have their turns in this order. Steps are chosen so that those come up more
// where a fault is hardest to bear.
var kinds = []kind{
	{
		operation: "createPayment",
		path:      "/payments",
		about:     "final 2XX and 402, with a savepoint; one table",
		finals:    map[string]int{"pay": 201, "decline": 402},
		steps: []weighted[pgproxy.Step]{
			{1, pgproxy.Connect},
			{1, pgproxy.Prepare},
			{1, pgproxy.Begin},
			{3, pgproxy.Claim},
			{2, pgproxy.Savepoint},
			{2, pgproxy.Load},
			{2, pgproxy.Rollback},
			{3, pgproxy.Business},
			{3, pgproxy.Release},
			{2, pgproxy.Undo},
			{4, pgproxy.Finish},
			{8, pgproxy.Commit},
		},
	},
	{
		operation: "createTransfer",
		path:      "/transfers",
		about:     "final 2XX, without a savepoint; responses in partitions, which are rotated",
		finals:    map[string]int{"pay": 201},
		steps: []weighted[pgproxy.Step]{
			{1, pgproxy.Connect},
			{1, pgproxy.Prepare},
			{1, pgproxy.Begin},
			{3, pgproxy.Claim},
			{2, pgproxy.Load},
			{2, pgproxy.Rollback},
			{3, pgproxy.Business},
			{6, pgproxy.Finish},
			{8, pgproxy.Commit},
			{3, pgproxy.Rotate},
		},
	},
}
