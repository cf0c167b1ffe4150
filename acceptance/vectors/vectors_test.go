package vectors

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// answer is what the driver says of a request.
type answer struct {
	Status      int    `json:"status"`
	Fingerprint string `json:"fingerprint"` // "" where the request has none
}

func TestGeneratedFunctionsAgreeWithVectors(t *testing.T) {
	documents := readDocuments(t)
	module := newModule(t, documents)
	program := filepath.Join(module, "driver")
	run(t, module, "go", "build", "-o", program, ".")

	var requests []wire
	var sent []vector
	var names []string
	for _, d := range documents {
		for _, v := range d.Vectors {
			request := d.send(t, v)
			request.Package = packageOf(d)
			requests, sent, names = append(requests, request), append(sent, v), append(names, d.Name+": "+v.Name)
		}
	}
	answers := drive(t, module, program, requests)
	for i, v := range sent {
		got := answers[i]
		switch {
		case v.Refused && got.Fingerprint != "":
			t.Errorf("%s: accepted, %+v", names[i], got)
		case !v.Refused && got.Fingerprint != v.Fingerprint:
			t.Errorf("%s: got %+v, want %s\n%s", names[i], got, v.Fingerprint, v.Request)
		}
	}
	if len(sent) < 100 {
		t.Errorf("%d vectors are few", len(sent))
	}
}

// send writes a vector's request as HTTP.
func (d document) send(t *testing.T, v vector) wire {
	t.Helper()
	for template, methods := range d.Paths {
		for method, op := range methods {
			if op.ID == v.Operation {
				return send(t, method, template, op, v.Request)
			}
		}
	}
	t.Fatalf("%s: there is no operation %s", d.Name, v.Operation)
	return wire{}
}

func drive(t *testing.T, module, program string, requests []wire) []answer {
	t.Helper()
	in, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	if err := json.Unmarshal(runWith(t, module, in, program), &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(answers), len(requests))
	}
	return answers
}
