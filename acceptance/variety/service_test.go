package variety

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

// service is the generated service, in a process of its own, and its database.
type service struct {
	t        *testing.T
	process  *consumer.Process
	database *pgxpool.Pool
}

func start(t *testing.T) *service {
	t.Helper()
	module := consumer.New(t, "example.com/variety", filepath.Join("testdata", "service"))
	module.MustGenerate()
	program := module.Build()
	database := pgtest.Pool(t, module.Read("keys.sql"), module.Read("business.sql"))
	return &service{t, consumer.Start(t, program, "-database-url", database.Config().ConnString()), database}
}

// request is what a client sends. Without a content type it is JSON.
type request struct {
	path, contentType, body string
	header                  http.Header
}

// answer is what matters of an answer.
type answer struct {
	Status      int
	Replayed    bool
	ContentType string
	Header      http.Header
	Body        string
}

func (s *service) send(r request) answer {
	s.t.Helper()
	a, err := s.try(r)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *service) try(r request) (answer, error) {
	sent, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.process.URL(r.path), strings.NewReader(r.body))
	if err != nil {
		return answer{}, err
	}
	sent.Header = r.header.Clone()
	if sent.Header == nil {
		sent.Header = http.Header{}
	}
	sent.Header.Set("X-Tenant", "ann")
	if r.contentType == "" {
		r.contentType = "application/json"
	}
	sent.Header.Set("Content-Type", r.contentType)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(sent)
	if err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, err
	}
	return answer{
		Status:      response.StatusCode,
		Replayed:    response.Header.Get("Idempotent-Replayed") == "true",
		ContentType: response.Header.Get("Content-Type"),
		Header:      response.Header,
		Body:        string(body),
	}, nil
}

// runs is how often the business function of an operation has left a trace.
func (s *service) runs(operation string) (n int) {
	s.t.Helper()
	if err := s.database.QueryRow(s.t.Context(), "SELECT count(*) FROM runs WHERE operation = $1", operation).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// closed is how many files the service has closed.
func (s *service) closed() string {
	s.t.Helper()
	response, err := http.Get(s.process.URL("/closed"))
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return string(text)
}

// keys is how many keys are recorded.
func (s *service) keys() (n int) {
	s.t.Helper()
	if err := s.database.QueryRow(s.t.Context(), `SELECT count(*) FROM "Billing"."Idempotency Keys"`).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// first demands that a request is carried out, and returns the answer.
func (s *service) first(r request, status int) answer {
	s.t.Helper()
	a := s.send(r)
	if a.Status != status || a.Replayed {
		s.t.Fatalf("first: %d, replayed %t: %s", a.Status, a.Replayed, a.Body)
	}
	return a
}

// retry demands the recorded answer.
func (s *service) retry(r request, want answer) {
	s.t.Helper()
	got := s.send(r)
	if got.Status != want.Status || !got.Replayed || got.Body != want.Body || got.ContentType != want.ContentType {
		s.t.Errorf("retry: %d, replayed %t, %s: %q; want %d, %s: %q", got.Status, got.Replayed, got.ContentType, got.Body, want.Status, want.ContentType, want.Body)
	}
}

// refused demands a problem of ours.
func (s *service) refused(r request, status int, code string) {
	s.t.Helper()
	a := s.send(r)
	if a.Status != status || !strings.Contains(a.Body, `"`+code+`"`) {
		s.t.Errorf("%d: %s; want %d %s", a.Status, a.Body, status, code)
	}
}
