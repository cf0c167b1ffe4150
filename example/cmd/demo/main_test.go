package main

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/pgserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheStoryIsAsTold(t *testing.T) {
	requirePostgres(t)
	var stdout, stderr strings.Builder
	if code := run(t.Context(), &stdout, &stderr, false); code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
	for _, part := range []string{
		"422 Unprocessable Entity", "402 Payment Required", "409 Conflict", "410 Gone", "replayed: 19", "in 10 steps.",
	} {
		if !strings.Contains(stdout.String(), part) {
			t.Errorf("%q was not printed in\n%s", part, stdout.String())
		}
	}
	if strings.Contains(stdout.String(), "\x1b") {
		t.Error("colours without a terminal")
	}
	if stderr.String() != "" {
		t.Errorf("on stderr: %s", stderr.String())
	}
}

func TestWhatIsNotAsToldFailsTheDemo(t *testing.T) {
	var out strings.Builder
	s := newStory(&teller{out: &out}, nil, "")
	s.step("A step")
	s.exchange(request{method: http.MethodPost, path: "/orders/12345678-1234-1234-1234-123456789abc/refunds", key: "k", body: "{}"},
		answer{status: http.StatusOK, replayed: true, body: []byte("not a problem")})
	s.expect(answer{status: http.StatusOK}, http.StatusOK, false)
	s.expect(answer{status: http.StatusOK, replayed: true}, http.StatusOK, false)
	s.expectCode(answer{body: []byte("not a problem")}, "some_code")
	if code := s.end(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	const want = `
 1  A step
    > POST /orders/12345678.../refunds         key k
      {}
    < 200 OK                                   replayed
      not a problem
    ok answered 200, not replayed
    NOT SO: answered 200, not replayed
    NOT SO: the problem's code is some_code

2 of 3 checks failed.
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestAnswersDifferByAnyByte(t *testing.T) {
	a := answer{status: 201, location: "/orders/1", body: []byte("one"), replayed: false}
	same := a
	same.replayed = true
	if !a.same(same) {
		t.Error("a replay is not the same answer")
	}
	for name, other := range map[string]answer{
		"status":   {status: 200, location: a.location, body: a.body},
		"location": {status: a.status, location: "/orders/2", body: a.body},
		"body":     {status: a.status, location: a.location, body: []byte("one\n")},
	} {
		if a.same(other) {
			t.Errorf("another %s is the same answer", name)
		}
	}
}

// requirePostgres skips the test where there is no PostgreSQL to start.
func requirePostgres(t *testing.T) {
	t.Helper()
	server, err := pgserver.Start(t.Context(), pgserver.Options{})
	if errors.Is(err, pgserver.ErrNotFound) && os.Getenv("IDEMGEN_REQUIRE") != "1" {
		t.Skip("SKIPPED, no PostgreSQL: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
}
