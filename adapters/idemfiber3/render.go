package idemfiber3

import (
	"net/http"

	"github.com/gofiber/fiber/v3"
	"github.com/valyala/fasthttp"

	"github.com/idemgen/idemgen/idem/idemrt/strict"
)

// Render returns a function that renders a response as app would send it. visit is
// the method that oapi-codegen has generated to write it to a context.
//
// A response that is read from somewhere is read no further than the writer's Limit
// says, if it has that method.
func Render[T any](app *fiber.App, response T, visit func(T, fiber.Ctx) error) func(http.ResponseWriter) error {
	return func(w http.ResponseWriter) error {
		if limit, ok := w.(interface{ Limit() int64 }); ok {
			response = strict.Limited(response, limit.Limit())
		}
		exchange := &fasthttp.RequestCtx{}
		exchange.Response.Header.SetNoDefaultContentType(true)
		ctx := app.AcquireCtx(exchange)
		defer app.ReleaseCtx(ctx)
		if err := visit(response, ctx); err != nil {
			return err
		}
		return write(w, &exchange.Response, strict.StatusOf(response, exchange.Response.StatusCode()))
	}
}

// write copies a response that is complete.
func write(w http.ResponseWriter, response *fasthttp.Response, status int) error {
	header := w.Header()
	for name, value := range response.Header.All() {
		header.Add(string(name), string(value))
	}
	w.WriteHeader(status)
	body := response.Body()
	if len(body) == 0 {
		return nil
	}
	_, err := w.Write(body)
	return err
}
