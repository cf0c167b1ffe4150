// Package problem makes the service's problem details, RFC 9457.
package problem

import (
	"encoding/json"
	"net/http"

	"github.com/idemgen/idemgen/example/internal/orderapi"
)

// New returns a problem. code is for programs and never changes its meaning;
// detail is for people.
func New(status int, code, detail string) orderapi.Problem {
	return orderapi.Problem{
		Type:   "about:blank",
		Title:  http.StatusText(status),
		Status: int32(status),
		Code:   &code,
		Detail: &detail,
	}
}

// Write answers a request with a problem. It returns the error of writing to
// a caller who is gone.
func Write(w http.ResponseWriter, p orderapi.Problem) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(int(p.Status))
	_, err = w.Write(append(body, '\n'))
	return err
}
