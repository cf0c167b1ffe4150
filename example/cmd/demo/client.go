package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/sample"
)

// A request is one that the demo sends.
type request struct {
	method, path string
	key          string // "" sends none
	body         string
	provider     bool // sent by the payment provider, not by the customer
}

// An answer is what came back.
type answer struct {
	status   int
	replayed bool
	location string
	body     []byte
}

// same reports whether two answers agree to the byte.
func (a answer) same(b answer) bool {
	return a.status == b.status && a.location == b.location && bytes.Equal(a.body, b.body)
}

// code is the problem's code, or "".
func (a answer) code() string {
	var problem struct{ Code string }
	if json.Unmarshal(a.body, &problem) != nil {
		return ""
	}
	return problem.Code
}

// A client sends requests to the service.
type client struct {
	address string
	http    http.Client
}

func (c *client) send(ctx context.Context, q request) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, q.method, c.address+q.path, strings.NewReader(q.body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	keyHeader := "Idempotency-Key"
	if q.provider {
		keyHeader = "Webhook-Id"
		r.Header.Set(auth.ProviderSecretHeader, sample.ProviderSecret)
	} else {
		r.Header.Set("Authorization", "Bearer "+sample.Token)
	}
	if q.key != "" {
		r.Header.Set(keyHeader, q.key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, fmt.Errorf("read the answer to %s %s: %w", q.method, q.path, err)
	}
	return answer{
		status:   response.StatusCode,
		replayed: response.Header.Get("Idempotent-Replayed") == "true",
		location: response.Header.Get("Location"),
		body:     body,
	}, nil
}
