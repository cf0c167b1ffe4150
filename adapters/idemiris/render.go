package idemiris

import (
	"net/http"
	"net/url"

	"github.com/kataras/iris/v12"
	"github.com/kataras/iris/v12/context"
)

// Renderer returns a function that renders responses as app would send them. visit is
// the method that oapi-codegen has generated to write them to a context.
func Renderer[T any](app *iris.Application, visit func(T, iris.Context) error) func(T, http.ResponseWriter) error {
	return func(response T, w http.ResponseWriter) error {
		ctx := context.NewContext(app)
		ctx.BeginRequest(w, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/"}, Header: http.Header{}})
		defer ctx.ResponseWriter().EndResponse()
		if err := visit(response, ctx); err != nil {
			return err
		}
		ctx.ResponseWriter().FlushResponse()
		return nil
	}
}
