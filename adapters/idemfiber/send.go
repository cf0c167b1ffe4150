package idemfiber

import (
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// Send answers with what the runtime has recorded or decided.
func Send(ctx *fiber.Ctx, answer *idemrt.Answer) error {
	return answer.Send(newWriter(ctx.Response()))
}

// writer is a response of fasthttp's as net/http knows one.
type writer struct {
	response *fasthttp.Response
	header   http.Header
}

func newWriter(response *fasthttp.Response) *writer {
	return &writer{response: response, header: http.Header{}}
}

// Header implements [http.ResponseWriter].
func (w *writer) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter].
func (w *writer) WriteHeader(status int) {
	w.response.SetStatusCode(status)
	w.response.Header.SetNoDefaultContentType(true)
	for name, values := range w.header {
		w.response.Header.Del(name)
		for _, value := range values {
			w.response.Header.Add(name, value)
		}
	}
}

// Write implements [http.ResponseWriter].
func (w *writer) Write(p []byte) (int, error) {
	w.response.AppendBody(p)
	return len(p), nil
}
