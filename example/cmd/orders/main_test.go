package main

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

func TestServesFromADatabaseThatIsThere(t *testing.T) {
	address := pgtest.Database(t, pgtest.Server(t))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	base, ended := runInBackground(ctx, t, "-listen", "127.0.0.1:0", "-database-url", address)

	// Nobody is known to an empty database.
	if got := get(t, base+"/orders/0b0f4b1c-2f8e-4d7e-9f57-f6a7b0c5a001"); got != http.StatusUnauthorized {
		t.Errorf("status %d, want 401", got)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

func TestServesASampleShopWithoutADatabase(t *testing.T) {
	pgtest.Server(t) // skips where no server can be had
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	base, ended := runInBackground(ctx, t, "-listen", "127.0.0.1:0")

	if got := get(t, base+"/orders/0b0f4b1c-2f8e-4d7e-9f57-f6a7b0c5a001"); got != http.StatusNotFound {
		t.Errorf("status %d, want 404", got)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"help", []string{"-help"}, 0, "-database-url"},
		{"unknown flag", []string{"-port", "80"}, 2, "not defined: -port"},
		{"argument", []string{"serve"}, 2, `unexpected argument "serve"`},
		{"bad URL", []string{"-database-url", "postgres://me:hunter2@%zz"}, 1, "the database URL is not valid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stderr strings.Builder
			if code := run(t.Context(), tt.args, &stderr); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stderr.String(), tt.says) {
				t.Errorf("%q is not in %s", tt.says, stderr.String())
			}
			if strings.Contains(stderr.String(), "hunter2") {
				t.Error("the password was printed")
			}
		})
	}
}

// runInBackground runs the command and returns the address that it serves on,
// once it does, and where its exit code will be.
func runInBackground(ctx context.Context, t *testing.T, args ...string) (base string, ended <-chan int) {
	t.Helper()
	log := &logWriter{found: make(chan string, 1)}
	codes := make(chan int, 1)
	go func() { codes <- run(ctx, args, log) }()
	select {
	case base := <-log.found:
		return base, codes
	case code := <-codes:
		t.Fatalf("ended with exit code %d\n%s", code, log)
	}
	return "", nil
}

var addressPattern = regexp.MustCompile(`msg=serving address=(http://\S+)`)

// A logWriter waits for the line that says where the service is.
type logWriter struct {
	found chan string

	mu  sync.Mutex
	log bytes.Buffer
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if match := addressPattern.FindSubmatch(p); match != nil {
		w.found <- string(match[1])
	}
	return w.log.Write(p)
}

func (w *logWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

// get asks as the sample customer and returns the status.
func get(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+sample.Token)
	var client http.Client
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}
