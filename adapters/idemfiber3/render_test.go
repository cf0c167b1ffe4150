package idemfiber3

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/google/go-cmp/cmp"
)

// Responses as oapi-codegen generates them.
type (
	response     interface{ visit(ctx fiber.Ctx) error }
	jsonResponse struct {
		Name   string
		Status int `json:"-"`
	}
	chosenResponse struct{ StatusCode int }
	fileResponse   struct{ Body io.Reader }
	emptyResponse  struct{}
)

func (r jsonResponse) visit(ctx fiber.Ctx) error {
	ctx.Response().Header.Set("Location", "/here")
	ctx.Response().Header.Set("Content-Type", "application/json")
	ctx.Status(r.Status)
	return ctx.JSON(&r)
}

func (r chosenResponse) visit(ctx fiber.Ctx) error {
	ctx.Status(r.StatusCode)
	return nil
}

func (r fileResponse) visit(ctx fiber.Ctx) error {
	ctx.Response().Header.Set("Content-Type", "application/octet-stream")
	ctx.Status(http.StatusOK)
	if closer, ok := r.Body.(io.Closer); ok {
		defer func() { _ = closer.Close() }()
	}
	_, err := io.Copy(ctx.Response().BodyWriter(), r.Body)
	return err
}

func (emptyResponse) visit(ctx fiber.Ctx) error {
	ctx.Status(http.StatusNoContent)
	return nil
}

func TestRender(t *testing.T) {
	app := fiber.New(fiber.Config{JSONEncoder: func(any) ([]byte, error) { return []byte("encoded by the app"), nil }})
	for name, test := range map[string]struct {
		response response
		status   int
		header   http.Header
		body     string
	}{
		"json":  {jsonResponse{"a", 201}, 201, http.Header{"Location": {"/here"}, "Content-Type": {"application/json; charset=utf-8"}}, "encoded by the app"},
		"file":  {fileResponse{strings.NewReader("content")}, 200, http.Header{"Content-Type": {"application/octet-stream"}}, "content"},
		"empty": {emptyResponse{}, 204, http.Header{}, ""},
		"range": {chosenResponse{418}, 418, http.Header{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			if err := Renderer(app, response.visit)(test.response, w); err != nil {
				t.Fatal(err)
			}
			if w.Code != test.status || w.Body.String() != test.body {
				t.Errorf("got %d %q, want %d %q", w.Code, w.Body, test.status, test.body)
			}
			if diff := cmp.Diff(test.header, w.Header()); diff != "" {
				t.Errorf("headers: -want +got\n%s", diff)
			}
		})
	}
}

// statusWriter keeps a status that no response may have.
type statusWriter struct {
	*httptest.ResponseRecorder
	status int
}

func (w *statusWriter) WriteHeader(status int) { w.status = status }

func TestRenderKeepsAForgottenStatus(t *testing.T) {
	w := &statusWriter{httptest.NewRecorder(), -1}
	if err := Renderer(fiber.New(), response.visit)(chosenResponse{}, w); err != nil || w.status != 0 {
		t.Errorf("status %d, %v", w.status, err)
	}
}

// limitedWriter is what the runtime records into.
type limitedWriter struct{ *httptest.ResponseRecorder }

func (limitedWriter) Limit() int64 { return 10 }

// download counts what is read of it.
type download struct {
	read   int
	closed bool
	err    error
}

func (d *download) Read(p []byte) (int, error) {
	d.read += len(p)
	return len(p), d.err
}

func (d *download) Close() error {
	d.closed = true
	return nil
}

func TestRenderReadsNoFurtherThanTheLimit(t *testing.T) {
	source := &download{}
	w := limitedWriter{httptest.NewRecorder()}
	if err := Renderer(fiber.New(), response.visit)(fileResponse{source}, w); err != nil {
		t.Fatal(err)
	}
	if w.Body.Len() != 11 || source.read != 11 || !source.closed {
		t.Errorf("%d bytes rendered, %d read, closed: %t", w.Body.Len(), source.read, source.closed)
	}
}

func TestRenderReturnsTheError(t *testing.T) {
	broken := errors.New("broken")
	w := httptest.NewRecorder()
	err := Renderer(fiber.New(), response.visit)(fileResponse{&download{err: broken}}, w)
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
