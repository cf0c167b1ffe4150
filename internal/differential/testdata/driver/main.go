// Command driver serves requests that come as lines of JSON on standard input, and
// writes the fingerprint of each.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

type request struct {
	Package string              `json:"package"`
	Method  string              `json:"method"`
	Target  string              `json:"target"`
	Header  map[string][]string `json:"header"`
	Body    *[]byte             `json:"body"`
	Trace   bool                `json:"trace"`
}

type answer struct {
	Status      int    `json:"status"`
	Answer      string `json:"answer,omitempty"` // the text of a refusal
	Fingerprint string `json:"fingerprint,omitempty"`
	Trace       []byte `json:"trace,omitempty"` // what was hashed
	Decoded     string `json:"decoded,omitempty"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	requests, answers := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	for {
		var batch []request
		if err := requests.Decode(&batch); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		served := make([]answer, len(batch))
		for i, r := range batch {
			served[i] = serve(r)
		}
		if err := answers.Encode(served); err != nil {
			return err
		}
	}
}

func serve(r request) answer {
	var a answer
	handler := servers[r.Package](func(request any, digest func() fingerprint.Fingerprint) {
		if r.Trace {
			fingerprint.Trace = &a.Trace
			a.Decoded = fmt.Sprintf("%+v", request)
		}
		f := digest()
		fingerprint.Trace = nil
		if f.Err() == nil {
			a.Fingerprint = hex.EncodeToString(f.Sum[:])
		}
	})
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(*r.Body)
	}
	incoming := httptest.NewRequest(r.Method, r.Target, body)
	incoming.Header = http.Header(r.Header)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, incoming)
	a.Status = recorder.Code
	if a.Fingerprint == "" {
		a.Answer = recorder.Body.String()
	}
	return a
}
