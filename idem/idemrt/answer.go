package idemrt

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strings"
)

// Answer is what a call is answered with: a recorded response, one that is not
// final and was not recorded, or a problem. It may be sent by one goroutine.
type Answer struct {
	status   int
	header   http.Header
	body     []byte
	replayed bool
	response any
}

// Send writes the answer. The error is w's: the client is gone.
func (a *Answer) Send(w http.ResponseWriter) error {
	header := w.Header()
	for name, values := range a.header {
		header[name] = append([]string(nil), values...)
	}
	if a.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(a.status)
	if !bodyAllowed(a.status) || len(a.body) == 0 {
		return nil
	}
	_, err := w.Write(a.body)
	return err
}

// Unwrap returns what the business function returned, on a first execution, and
// nil for a replay or a problem.
func (a *Answer) Unwrap() any { return a.response }

// of returns a as the answer of a first execution.
func (a *Answer) of(response any) *Answer {
	a.response = response
	return a
}

// recordedAnswer is the answer that r holds. A first execution is answered from
// its record too, so that no replay can differ from it.
func recordedAnswer(r Recorded) (*Answer, error) {
	header, err := parseHeaders(r.Headers)
	if err != nil {
		return nil, err
	}
	return &Answer{status: int(r.Status), header: header, body: r.Body}, nil
}

func bodyAllowed(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// formatHeaders returns h as an HTTP header block, in order of names.
func formatHeaders(h http.Header) []byte {
	block := &bytes.Buffer{}
	_ = h.Write(block) // a buffer does not fail
	if block.Len() == 0 {
		return []byte{}
	}
	return block.Bytes()
}

// parseHeaders reads what formatHeaders wrote.
func parseHeaders(block []byte) (http.Header, error) {
	const end = "\r\n"
	text := io.MultiReader(bytes.NewReader(block), strings.NewReader(end))
	lines := textproto.NewReader(bufio.NewReaderSize(text, len(block)+len(end))) // not 4 KB for a few headers
	header, err := lines.ReadMIMEHeader()
	if err != nil {
		return nil, errBadHeader // err may quote them
	}
	return http.Header(header), nil
}
