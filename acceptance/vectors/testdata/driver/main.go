// Command driver serves the requests that it reads from standard input, and prints
// the fingerprint of each.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/idemgen/idemgen/idem/fingerprint"

	"example.com/vectors/v30"
	"example.com/vectors/v30nullable"
	"example.com/vectors/v31"
)

type request struct {
	Package string            `json:"package"`
	Method  string            `json:"method"`
	Target  string            `json:"target"`
	Header  map[string]string `json:"header"`
	Cookies map[string]string `json:"cookies"`
	Body    string            `json:"body"`
}

type answer struct {
	Status      int    `json:"status"`
	Fingerprint string `json:"fingerprint"`
}

func main() {
	var requests []request
	err := json.NewDecoder(os.Stdin).Decode(&requests)
	answers := make([]answer, len(requests))
	for i, r := range requests {
		answers[i] = serve(r)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(r request) answer {
	var a answer
	servers := map[string]func(func(fingerprint.Fingerprint)) http.Handler{
		"v30": v30.Serve, "v30nullable": v30nullable.Serve, "v31": v31.Serve,
	}
	handler := servers[r.Package](func(f fingerprint.Fingerprint) {
		if f.Err() == nil {
			a.Fingerprint = hex.EncodeToString(f.Sum[:])
		}
	})
	incoming := httptest.NewRequest(r.Method, r.Target, strings.NewReader(r.Body))
	incoming.Header.Set("Content-Type", "application/json")
	for name, value := range r.Header {
		incoming.Header.Set(name, value)
	}
	for name, value := range r.Cookies {
		incoming.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, incoming)
	a.Status = recorder.Code
	return a
}
