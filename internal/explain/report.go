package explain

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/idemgen/idemgen/internal/model"
)

// Report is what there is to say about one request, or about a request and one
// that comes with the same key.
type Report struct {
	Operation *model.Operation
	First     *Explanation
	Second    *Explanation // nil where there is one request
}

// Text writes the report for people.
func (r Report) Text(w io.Writer) error {
	var b bytes.Buffer
	op := r.Operation
	fmt.Fprintf(&b, "%s (%s %s), fingerprint version %d\n\n", op.Name, op.Method, op.Path, op.Fingerprint.Version)
	if r.Second == nil {
		r.First.table(&b)
		fmt.Fprintf(&b, "\nfingerprint %s\n", hex.EncodeToString(r.First.Fingerprint[:]))
	} else {
		r.comparison(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (e *Explanation) table(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FIELD\tTYPE\tVALUE\tWHY")
	for _, f := range e.Fields {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Path, orDash(f.Type), orDash(f.Value), f.Why)
	}
	_ = t.Flush() // into memory
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func (r Report) comparison(w io.Writer) {
	a, b := r.First, r.Second
	differences := Compare(a, b)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(differences) > 0 {
		fmt.Fprintf(t, "FIELD\t%s\t%s\n", a.Request, b.Request)
		for _, d := range differences {
			fmt.Fprintf(t, "%s\t%s\t%s\n", d.Path, orDash(d.A), orDash(d.B))
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "fingerprint of %s\t%s\n", a.Request, hex.EncodeToString(a.Fingerprint[:]))
	fmt.Fprintf(t, "fingerprint of %s\t%s\n", b.Request, hex.EncodeToString(b.Fingerprint[:]))
	_ = t.Flush() // into memory
	if a.Fingerprint == b.Fingerprint {
		fmt.Fprintf(w, "\nThe same meaning: with the same key the second one gets the recorded response.\n")
		return
	}
	fmt.Fprintf(w, "\nAnother meaning: with the same key the second one is refused with %d.\n", r.Operation.Mismatch)
}

// The JSON form of a report. Its members are always there, in this order, but for
// those of two requests.
type (
	reportJSON struct {
		Operation   string           `json:"operation"`
		OperationID string           `json:"operationId"`
		Method      string           `json:"method"`
		Path        string           `json:"path"`
		Version     int              `json:"version"`
		Requests    []requestJSON    `json:"requests"`
		Differences []differenceJSON `json:"differences,omitempty"`
		Outcome     string           `json:"outcome,omitempty"` // "replay" or "refuse"
		Status      int              `json:"status,omitempty"`  // of the refusal
	}
	requestJSON struct {
		Request     string      `json:"request"`
		Fields      []fieldJSON `json:"fields"`
		Encoding    string      `json:"encoding"`    // hexadecimal
		Fingerprint string      `json:"fingerprint"` // hexadecimal
	}
	fieldJSON struct {
		Path  string `json:"path"`
		Type  string `json:"type"`
		Value string `json:"value"`
		Why   string `json:"why"`
	}
	differenceJSON struct {
		Path string `json:"path"`
		A    string `json:"a"`
		B    string `json:"b"`
	}
)

// JSON writes the report for programs.
func (r Report) JSON(w io.Writer) error {
	op := r.Operation
	out := reportJSON{
		Operation: op.Name, OperationID: op.ID, Method: op.Method, Path: op.Path, Version: op.Fingerprint.Version,
		Requests: []requestJSON{r.First.json()},
	}
	if r.Second != nil {
		out.Requests = append(out.Requests, r.Second.json())
		out.Outcome = "replay"
		if r.First.Fingerprint != r.Second.Fingerprint {
			out.Outcome, out.Status = "refuse", op.Mismatch
		}
		for _, d := range Compare(r.First, r.Second) {
			out.Differences = append(out.Differences, differenceJSON(d))
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func (e *Explanation) json() requestJSON {
	out := requestJSON{
		Request:     e.Request,
		Fields:      []fieldJSON{},
		Encoding:    hex.EncodeToString(e.Encoding),
		Fingerprint: hex.EncodeToString(e.Fingerprint[:]),
	}
	for _, f := range e.Fields {
		out.Fields = append(out.Fields, fieldJSON(f))
	}
	return out
}
