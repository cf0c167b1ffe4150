package differential

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/explain"
	"github.com/idemgen/idemgen/internal/model"
)

// How much one batch draws.
const (
	operations = 60  // in a document
	meanings   = 60  // of each operation
	spellings  = 3   // of each meaning
	wildOnes   = 200 // requests of each operation that need not be accepted
)

// TestDrawnOperations draws batch after batch for IDEMGEN_DIFFERENTIAL (default 20s),
// or the one that IDEMGEN_DIFFERENTIAL_SEED names.
func TestDrawnOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	budget := 20 * time.Second
	if text := os.Getenv("IDEMGEN_DIFFERENTIAL"); text != "" {
		given, err := time.ParseDuration(text)
		must(t, err)
		budget = given
	}
	seed, fixed := rand.Uint64(), false
	if text := os.Getenv("IDEMGEN_DIFFERENTIAL_SEED"); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		must(t, err)
		seed, fixed = given, true
	}
	module := newModule(t)
	var total counts
	for end := time.Now().Add(budget); ; seed++ {
		passed := t.Run(fmt.Sprintf("IDEMGEN_DIFFERENTIAL_SEED=%d", seed), func(t *testing.T) {
			total.add(runBatch(t, module, seed))
		})
		if fixed || !passed || time.Now().After(end) {
			break
		}
	}
	t.Logf("%d batches, %d operations, %d requests, of which %d were refused; %d spellings of the same, %d pairs that differ",
		total.batches, total.operations, total.requests, total.refused, total.same, total.different)
	if !t.Failed() && (total.refused*2 > total.requests || total.same < total.operations || total.different < total.operations) {
		t.Error("that proves little: the requests are not what they should be")
	}
}

// counts say what was tried.
type counts struct{ batches, operations, requests, refused, same, different int }

func (c *counts) add(more counts) {
	c.batches += more.batches
	c.operations += more.operations
	c.requests += more.requests
	c.refused += more.refused
	c.same += more.same
	c.different += more.different
}

// trial is one operation under test.
type trial struct {
	t       *testing.T
	r       *rand.Rand
	op      *operation
	planned *model.Operation
	driver  *driver
	name    string // of the package
	counts  *counts
}

func runBatch(t *testing.T, m *module, seed uint64) counts {
	t.Helper()
	c := counts{batches: 1, operations: operations}
	r := rand.New(rand.NewPCG(seed, 0))
	d := &drawer{r: r, components: map[string]any{}, with: setting{
		openapi: pick(r, "3.0.3", "3.1.0"), nullableType: oneIn(r, 2), noPointers: oneIn(r, 4),
	}}
	contract, drawn := d.batch(t, m)
	driver := m.start(t)
	for _, op := range drawn {
		planned, err := explain.Find(contract, op.id)
		must(t, err)
		trial := trial{t, r, op, planned, driver, m.packages[0], &c}
		trial.trace()
		trial.meanings()
		trial.wild()
		if t.Failed() {
			break
		}
	}
	return c
}

// batch draws operations until they are accepted together.
func (d *drawer) batch(t *testing.T, m *module) (*model.Contract, []*operation) {
	t.Helper()
	m.clear(t)
	options := fmt.Sprintf(", options: {output-options: {nullable-type: %t, prefer-skip-optional-pointer: %t}}", d.with.nullableType, d.with.noPointers)
	files := map[string][]byte{"idemgen.yaml": fmt.Appendf(nil, configuration, options), "sqlc.yaml": []byte(sqlcYAML)}
	drawn := make([]*operation, operations)
	for i := range drawn {
		drawn[i] = d.operation(fmt.Sprintf("Op%dx", i))
	}
	for {
		document, err := json.MarshalIndent(d.document(drawn), "", " ")
		must(t, err)
		files["api.json"] = document
		contract, err := m.generate(t, "drawn", files)
		if err == nil {
			return contract, drawn
		}
		again := slices.IndexFunc(drawn, func(op *operation) bool { return beyondTools(err, op) })
		if again < 0 {
			t.Fatalf("what was drawn is refused: %v\n%s", err, document)
		}
		drawn[again] = d.operation(drawn[again].id)
	}
}

// beyondTools reports whether an operation is refused since oapi-codegen cannot
// generate from it.
func beyondTools(err error, op *operation) bool {
	message := err.Error()
	return strings.Contains(message, op.id) &&
		(strings.Contains(message, "duplicate typename") || strings.Contains(message, "gives two things the same Go name"))
}

// trace checks that what is reported of a request is what was hashed. Elements of
// multisets are hashed on their own before.
func (t trial) trace() {
	unordered := false
	for _, s := range slices.Concat(t.op.parameters, []*shape{t.op.body}) {
		if s != nil {
			s.each(func(s *shape) { unordered = unordered || s.unordered })
		}
	}
	w := t.op.wire(t.op.spell(t.r, t.op.draw(t.r)))
	w.Package, w.Trace = t.name, true
	answer := t.driver.serve(t.t, w)[0]
	if sum := sha256.Sum256(answer.Trace); !unordered && hex.EncodeToString(sum[:]) != answer.Fingerprint {
		t.t.Errorf("%s hashed %q and got %s", t.op.id, answer.Trace, answer.Fingerprint)
	}
}

// sent is a request that was sent, and what became of it.
type sent struct {
	text        string // as explain reads it
	fingerprint string
}

// meanings sends requests of many meanings, most of them neighbours, in many
// spellings. Their fingerprints are the same if and only if the meanings are.
func (t trial) meanings() {
	byMeaning, byFingerprint := map[string]sent{}, map[string]string{}
	d := t.op.draw(t.r)
	for range meanings {
		meaning := t.op.meaning(d)
		var requests []request
		for range spellings {
			requests = append(requests, t.op.spell(t.r, d))
		}
		for i, fingerprint := range t.send(requests) {
			if fingerprint == "" {
				t.report(requests[i], "was refused; its meaning is "+meaning)
				return
			}
			got := sent{requests[i].explained(), fingerprint}
			before, known := byMeaning[meaning]
			other, taken := byFingerprint[fingerprint]
			switch {
			case known && before.fingerprint != fingerprint:
				t.report(requests[i], "means the same as "+before.text+"\nand has another fingerprint; the meaning is "+meaning)
				return
			case taken && other != meaning:
				t.report(requests[i], "has the fingerprint of "+byMeaning[other].text+"\nand means something else: "+other+"\nand "+meaning)
				return
			case known:
				t.counts.same++
			}
			byMeaning[meaning], byFingerprint[fingerprint] = got, meaning
		}
		if d = t.op.mutate(t.r, d); oneIn(t.r, 10) {
			d = t.op.draw(t.r)
		}
	}
	t.counts.different += len(byMeaning) * (len(byMeaning) - 1) / 2
}

// wild sends requests that need not be accepted, of all kinds that decoding tells
// apart or merges. All that is expected is that generated code and explain agree.
func (t trial) wild() {
	for done := 0; done < wildOnes && !t.t.Failed(); done += 10 {
		var requests []request
		for range 10 {
			requests = append(requests, t.op.wild(t.r))
		}
		t.send(requests)
	}
}

// send sends requests and has each explained, which must come to the same, and
// returns the fingerprints, "" for a request that is refused.
func (t trial) send(requests []request) []string {
	wires := make([]wire, len(requests))
	for i, q := range requests {
		wires[i] = t.op.wire(q)
		wires[i].Package = t.name
	}
	fingerprints := make([]string, len(requests))
	for i, answer := range t.driver.serve(t.t, wires...) {
		t.counts.requests++
		e, err := explained(t.planned, requests[i])
		switch {
		case err != nil && answer.Fingerprint == "":
			t.counts.refused++
		case err != nil || hex.EncodeToString(e.Fingerprint[:]) != answer.Fingerprint:
			t.report(requests[i], "is not what explain says it is")
		default:
			fingerprints[i] = answer.Fingerprint
		}
	}
	return fingerprints
}

func explained(op *model.Operation, q request) (*explain.Explanation, error) {
	r, err := explain.Read("request.json", []byte(q.explained()))
	if err != nil {
		return nil, err
	}
	return explain.Explain(op, r)
}

// report tells all there is to know about a request.
func (t trial) report(q request, problem string) {
	w := t.op.wire(q)
	w.Package, w.Trace = t.name, true
	answer := t.driver.serve(t.t, w)[0]
	var b bytes.Buffer
	fmt.Fprintf(&b, "a request of %s %s\n\nthe operation\n%s\n", t.op.id, problem, indented(t.op.document))
	fmt.Fprintf(&b, "the request\n%s %s %q\n%s\n", w.Method, w.Target, w.Header, q.explained())
	fmt.Fprintf(&b, "generated: %s\nstatus %d %s\ndecoded %s\nhashed %q\n", answer.Fingerprint, answer.Status, answer.Answer, answer.Decoded, answer.Trace)
	e, err := explained(t.planned, q)
	var refused diag.List
	switch {
	case errors.As(err, &refused):
		fmt.Fprintf(&b, "explain refuses: %v\n", refused)
	case err != nil:
		fmt.Fprintf(&b, "explain fails: %v\n", err)
	default:
		fmt.Fprintf(&b, "explain: %x\nencoded %q\n", e.Fingerprint, e.Encoding)
		for _, f := range e.Fields {
			fmt.Fprintf(&b, "  %s: %s (%s, %s)\n", f.Path, f.Value, f.Type, f.Why)
		}
	}
	t.t.Error(b.String())
}

func indented(v any) string {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}
