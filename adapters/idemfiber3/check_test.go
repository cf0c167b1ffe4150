package idemfiber3

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gofiber/fiber/v3"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// create is the operation of the annotated route.
var create = idemrt.Definition[int, int, int]{
	Name:         "createOrder",
	Key:          idemrt.KeyRule{Name: "Idempotency-Key", Required: true},
	Fingerprints: idemrt.Versions[int]{1: nil},
	Final:        []string{"2XX"},
	Window:       time.Hour,
	MaxBody:      4,
}.Operation()

// newChecks returns the checks of the annotated route, and what they log.
func newChecks() (*idemrt.Checks, *strings.Builder) {
	log := &strings.Builder{}
	engine := idemrt.NewEngine(nil, idemrt.Settings{Logger: slog.New(slog.NewTextHandler(log, nil))})
	return idemrt.NewChecks(engine, idemrt.Routes{"POST /v1/orders/:id": create}), log
}

// newApp serves an annotated route and another one, both of which fail with the
// error that oapi-codegen's wrapper has for a header that is there twice.
func newApp(checks *idemrt.Checks, status int) *fiber.App {
	app := fiber.New(fiber.Config{ErrorHandler: KeyErrors(checks, func(ctx fiber.Ctx, _ error) error {
		return ctx.Status(http.StatusTeapot).SendString("next")
	})})
	limit := LimitBodies(checks)
	handler := func(ctx fiber.Ctx) error {
		return limit(ctx, func(ctx fiber.Ctx) error {
			if status != http.StatusOK {
				return fiber.NewError(status)
			}
			return ctx.Send(ctx.Body())
		})
	}
	v1 := app.Group("/v1")
	v1.Post("/orders/:id", handler)
	v1.Post("/free/:id", handler)
	return app
}

func TestChecks(t *testing.T) {
	for name, test := range map[string]struct {
		path    string
		keys    []string
		body    string
		fails   int // what the handler fails with
		status  int
		content string // part of the answer
	}{
		"within":                    {"/v1/orders/1", []string{"k"}, "1234", 200, 200, "1234"},
		"too large":                 {"/v1/orders/1", []string{"k"}, "12345", 200, 413, "request_too_large"},
		"large, of another route":   {"/v1/free/1", []string{"k"}, "12345", 200, 200, "12345"},
		"two lines":                 {"/v1/orders/1", []string{"k", "k"}, "", 400, 400, "idempotency_key_invalid"},
		"no line":                   {"/v1/orders/1", nil, "", 400, 400, "idempotency_key_missing"},
		"a mistake of another kind": {"/v1/orders/1", []string{"k"}, "", 400, 418, "next"},
		"an error of another kind":  {"/v1/orders/1", []string{"k", "k"}, "", 401, 418, "next"},
		"two lines, another route":  {"/v1/free/1", []string{"k", "k"}, "", 400, 418, "next"},
		"no route":                  {"/v1/none", []string{"k", "k"}, "", 400, 418, "next"},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, test.path, strings.NewReader(test.body))
			request.Header["Idempotency-Key"] = test.keys
			checks, log := newChecks()
			response, err := newApp(checks, test.fails).Test(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.status || !strings.Contains(string(body), test.content) {
				t.Errorf("got %d %q, %v; want %d with %q", response.StatusCode, body, err, test.status, test.content)
			}
			if refused := strings.Contains(string(body), "urn:idemgen"); refused != strings.Contains(log.String(), "operation=createOrder") {
				t.Errorf("what the checks refuse, and nothing else, is logged: %s", log)
			}
		})
	}
}

// What is kept of a request must not change with fasthttp's memory.
func TestClone(t *testing.T) {
	memory := []byte("key")
	view := unsafe.String(&memory[0], len(memory))
	clone, key := Clone(view), CloneKey(&view)
	memory[0] = 'x'
	if clone != "key" || *key != "key" {
		t.Errorf("got %q and %q", clone, *key)
	}
	if CloneKey(nil) != nil {
		t.Error("a missing key is there")
	}
}
