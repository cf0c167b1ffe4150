package idemfiber

import (
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// Renderer returns a function that renders responses as app would send them. visit is
// the method that oapi-codegen has generated to write them to a context.
//
// A response that is read from somewhere is read no further than the writer's Limit
// says, if it has that method.
func Renderer[T any](app *fiber.App, visit func(T, *fiber.Ctx) error) func(T, http.ResponseWriter) error {
	return func(response T, w http.ResponseWriter) error {
		if limit, ok := w.(interface{ Limit() int64 }); ok {
			response = idemrt.Limited(response, limit.Limit())
		}
		exchange := &fasthttp.RequestCtx{}
		exchange.Response.Header.SetNoDefaultContentType(true)
		ctx := app.AcquireCtx(exchange)
		defer app.ReleaseCtx(ctx)
		if err := visit(response, ctx); err != nil {
			return err
		}
		return write(w, &exchange.Response, idemrt.StatusOf(response, exchange.Response.StatusCode()))
	}
}

// write copies a response that is complete.
func write(w http.ResponseWriter, response *fasthttp.Response, status int) error {
	header := w.Header()
	//nolint:staticcheck // the release that fiber v2 asks for has no All
	response.Header.VisitAll(func(name, value []byte) { header.Add(string(name), string(value)) })
	w.WriteHeader(status)
	body := response.Body()
	if len(body) == 0 {
		return nil
	}
	_, err := w.Write(body)
	return err
}
