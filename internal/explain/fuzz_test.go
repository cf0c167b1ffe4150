package explain

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/model"
)

// FuzzExplain gives explain requests that nobody would send, for every operation
// of the vectors. It never panics; the order of members changes nothing, as long
// as none is there twice; and two requests differ in a field exactly if their
// fingerprints do.
func FuzzExplain(f *testing.F) {
	var operations []*model.Operation
	for _, document := range readVectors(f).Documents {
		for _, op := range document.contract(f).Operations {
			for _, v := range document.Vectors {
				if v.Operation == op.ID {
					f.Add(uint8(len(operations)), []byte(v.Request), uint64(1))
				}
			}
			operations = append(operations, op)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, request []byte, seed uint64) {
		op := operations[int(n)%len(operations)]
		r, err := Read("a.json", request)
		if err != nil {
			return
		}
		a, err := Explain(op, r)
		root, _ := parse(source{"a.json", string(request)})
		if repeats(root) {
			return
		}
		shuffled := shuffle(root, rand.New(rand.NewPCG(seed, 0)))
		r, readErr := Read("b.json", []byte(shuffled))
		if readErr != nil {
			t.Fatalf("%v\n%s", readErr, shuffled)
		}
		b, shuffledErr := Explain(op, r)
		if (err == nil) != (shuffledErr == nil) {
			t.Fatalf("%v became %v\n%s", err, shuffledErr, shuffled)
		}
		if err != nil {
			return
		}
		if a.Fingerprint != b.Fingerprint || len(Compare(a, b)) > 0 {
			t.Errorf("the order of members counts: %v\n%s", Compare(a, b), shuffled)
		}
		checkDifference(t, op, a)
	})
}

// checkDifference compares a request with an empty one, if that is one.
func checkDifference(t *testing.T, op *model.Operation, a *Explanation) {
	t.Helper()
	r, err := Read("empty.json", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := Explain(op, r)
	if err != nil {
		return
	}
	if (a.Fingerprint == empty.Fingerprint) != (len(Compare(a, empty)) == 0) {
		t.Errorf("%x and %x, but the differences are %v", a.Encoding, empty.Encoding, Compare(a, empty))
	}
	if err := (Report{op, a, empty}).Text(io.Discard); err != nil {
		t.Error(err)
	}
}

// repeats reports whether a member is there twice, in any letter case.
func repeats(v *value) bool {
	for i, m := range v.members {
		for _, other := range v.members[:i] {
			if strings.EqualFold(m.name, other.name) {
				return true
			}
		}
		if repeats(m.value) {
			return true
		}
	}
	for _, item := range v.items {
		if repeats(item) {
			return true
		}
	}
	return false
}

// shuffle writes a value with the members of objects in another order.
func shuffle(v *value, random *rand.Rand) string {
	var parts []string
	switch v.kind {
	case object:
		for _, i := range random.Perm(len(v.members)) {
			parts = append(parts, rawName(v, i)+" : "+shuffle(v.members[i].value, random))
		}
		return "{ " + strings.Join(parts, "\n, ") + "}"
	case array:
		for _, item := range v.items {
			parts = append(parts, shuffle(item, random))
		}
		return "[" + strings.Join(parts, ",") + "\t]"
	default:
		return v.raw
	}
}

// rawName is the name of a member, broken in the same way if it is broken.
func rawName(v *value, i int) string {
	if m := v.members[i]; m.broken {
		return strings.ReplaceAll(quote(m.name), "�", `\ud800`)
	}
	return quote(v.members[i].name)
}
