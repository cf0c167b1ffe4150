package idemrt

import (
	"bytes"
	"math"
	"net/http"
)

const (
	errBadStatus        fault = "the response's status is not one of 200 to 599"
	errResponseTooLarge fault = "the response is larger than WithMaxResponse allows"
	errBadHeader        fault = "a recorded header is malformed"
)

// neverRecorded are headers that belong to one exchange, not to the answer.
var neverRecorded = map[string]bool{
	"Set-Cookie": true, "Set-Cookie2": true, "Date": true, "Content-Length": true,
	"Connection": true, "Keep-Alive": true, "Proxy-Authenticate": true, "Proxy-Authorization": true,
	"Proxy-Connection": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
	"Idempotent-Replayed": true,
}

// recorder is the ResponseWriter into which a response is rendered, once.
type recorder struct {
	limit   int64
	header  http.Header // what the response sets
	status  int         // 0 until the header is written
	sent    http.Header // header as it was then
	body    bytes.Buffer
	tooLong bool
}

func newRecorder(limit int64) *recorder {
	return &recorder{limit: limit, header: http.Header{}}
}

// Limit returns how many bytes a body may have. Adapters of frameworks that render
// into memory of their own look for this method, to stop in time.
func (r *recorder) Limit() int64 { return r.limit }

// Header implements [http.ResponseWriter].
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements [http.ResponseWriter]. As with a real one the first
// status counts, and informational ones do not.
func (r *recorder) WriteHeader(status int) {
	if r.sent != nil || informational(status) {
		return
	}
	r.status = status
	r.sent = r.header.Clone()
}

// Write implements [http.ResponseWriter]. A status without a body stays without.
func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	if !bodyAllowed(r.status) {
		return len(p), nil
	}
	if int64(r.body.Len())+int64(len(p)) > r.limit {
		r.tooLong = true
		return 0, errResponseTooLarge
	}
	return r.body.Write(p)
}

func informational(status int) bool {
	return status >= 100 && status < 200 && status != http.StatusSwitchingProtocols
}

// finished checks what was rendered. The response cannot be written to any more.
func (r *recorder) finished() error {
	r.WriteHeader(http.StatusOK)
	switch {
	case r.tooLong:
		return errResponseTooLarge
	case r.status < 200 || r.status > 599:
		return errBadStatus
	}
	return nil
}

// unrecorded is the response as it is, for a status that is not final.
func (r *recorder) unrecorded() *Answer {
	return &Answer{status: r.status, header: r.sent, body: r.body.Bytes()}
}

// recorded is the response as it is stored: its status, its body, and those of its
// headers that are named, in canonical spelling.
func (r *recorder) recorded(names []string) (Recorded, error) {
	kept := http.Header{}
	for _, name := range names {
		if values, ok := r.sent[name]; ok {
			kept[name] = values
		}
	}
	response := Recorded{Status: int16(r.status), Headers: formatHeaders(kept), Body: r.body.Bytes()}
	if response.Body == nil {
		response.Body = []byte{}
	}
	if int64(len(response.Headers))+int64(len(response.Body)) > min(r.limit, math.MaxInt32) {
		return Recorded{}, errResponseTooLarge
	}
	return response, nil
}
