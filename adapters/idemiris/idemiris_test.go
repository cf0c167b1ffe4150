package idemiris

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kataras/iris/v12"
	iriscontext "github.com/kataras/iris/v12/context"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// Responses as oapi-codegen generates them.
type (
	response     interface{ visit(ctx iris.Context) error }
	jsonResponse struct{ Name string }
	fileResponse struct{ Body io.Reader }
	bareResponse struct{ StatusCode int }
)

func (r jsonResponse) visit(ctx iris.Context) error {
	ctx.ResponseWriter().Header().Set("Location", "/here")
	ctx.StatusCode(http.StatusCreated)
	return ctx.JSON(&r)
}

func (r fileResponse) visit(ctx iris.Context) error {
	ctx.ResponseWriter().Header().Set("Content-Type", "application/octet-stream")
	ctx.StatusCode(http.StatusOK)
	_, err := io.Copy(ctx.ResponseWriter(), r.Body)
	return err
}

func (r bareResponse) visit(ctx iris.Context) error {
	ctx.StatusCode(r.StatusCode)
	return nil
}

func TestRender(t *testing.T) {
	app := iris.New()
	app.OnErrorCode(http.StatusPaymentRequired, func(ctx iris.Context) { _, _ = ctx.WriteString("not of the business") })
	for name, test := range map[string]struct {
		response response
		status   int
		header   http.Header
		body     string
	}{
		"json":    {jsonResponse{"a"}, 201, http.Header{"Location": {"/here"}, "Content-Type": {"application/json; charset=utf-8"}}, `{"Name":"a"}` + "\n"},
		"file":    {fileResponse{strings.NewReader("content")}, 200, http.Header{"Content-Type": {"application/octet-stream"}}, "content"},
		"empty":   {bareResponse{204}, 204, http.Header{}, ""},
		"failure": {bareResponse{402}, 402, http.Header{}, ""},
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

// fullWriter takes no byte.
type fullWriter struct{ *httptest.ResponseRecorder }

func (fullWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestRenderStopsWithTheWriter(t *testing.T) {
	if err := Renderer(iris.New(), response.visit)(fileResponse{endless{}}, fullWriter{httptest.NewRecorder()}); err == nil {
		t.Error("no error")
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type key struct{}

func TestDetach(t *testing.T) {
	request, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "of the request"))
	pooled := iriscontext.NewContext(iris.New())
	pooled.BeginRequest(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil).WithContext(request))
	pooled.Values().Set("account", "ann")
	detached := Detach(pooled)

	// iris gives the context to another request, as values go into the same memory.
	pooled.BeginRequest(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil))
	pooled.Values().Set("account", "bob")

	for name, want := range map[any]any{"account": "ann", key{}: "of the request", "nothing": nil} {
		if got := detached.Value(name); got != want {
			t.Errorf("%v is %v, want %v", name, got, want)
		}
	}
	child, stop := context.WithCancel(detached)
	defer stop()
	cancel()
	<-child.Done()
	if detached.Err() == nil {
		t.Error("the context goes on without its request")
	}
	if other := t.Context(); Detach(other) != other {
		t.Error("a context that is not iris's was changed")
	}
}

func TestMiddleware(t *testing.T) {
	app := iris.New()
	app.UseRouter(func(ctx iris.Context) { ctx.Next() })
	create := idemrt.Definition[int, int, int]{
		Name:         "createOrder",
		Key:          idemrt.KeyRule{Name: "Idempotency-Key", Required: true},
		Fingerprints: idemrt.Versions[int]{1: nil},
		Final:        []string{"2XX"},
		Window:       time.Hour,
		MaxBody:      4,
	}.Operation()
	log := &strings.Builder{}
	engine := idemrt.NewEngine(nil, idemrt.Settings{Logger: slog.New(slog.NewTextHandler(log, nil))})
	app.Use(Middleware(idemrt.NewChecks(engine, idemrt.Routes{"POST /v1/orders/:id": create})))
	echo := func(ctx iris.Context) { _, _ = io.Copy(ctx.ResponseWriter(), ctx.Request().Body) }
	app.Post("/v1/orders/:id", echo)
	app.Post("/v1/free/:id", echo)
	if err := app.Build(); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		path    string
		keys    []string
		body    string
		status  int
		content string // part of the answer
	}{
		"within":                    {"/v1/orders/1", []string{"k"}, "1234", 200, "1234"},
		"too large":                 {"/v1/orders/1", []string{"k"}, "12345", 413, "request_too_large"},
		"two lines":                 {"/v1/orders/1", []string{"k", "k"}, "", 400, "idempotency_key_invalid"},
		"no line":                   {"/v1/orders/1", nil, "", 400, "idempotency_key_missing"},
		"another route":             {"/v1/free/1", []string{"k", "k"}, "12345", 200, "12345"},
		"no route, and so no check": {"/v1/none", []string{"k", "k"}, "12345", 404, "Not Found"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, test.path, strings.NewReader(test.body))
			r.Header["Idempotency-Key"] = test.keys
			w := httptest.NewRecorder()
			log.Reset()
			app.ServeHTTP(w, r)
			if refused := strings.Contains(w.Body.String(), "urn:idemgen"); refused != strings.Contains(log.String(), "operation=createOrder") {
				t.Errorf("what the checks refuse, and nothing else, is logged: %s", log)
			}
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.content) {
				t.Errorf("got %d %q; want %d with %q", w.Code, w.Body, test.status, test.content)
			}
		})
	}
}
