package idemiris

import (
	"net/http"
	"net/url"

	"github.com/kataras/iris/v12"
	"github.com/kataras/iris/v12/context"
)

// Render returns a function that renders a response as app would send it. visit is
// the method that oapi-codegen has generated to write it to a context.
func Render[T any](app *iris.Application, response T, visit func(T, iris.Context) error) func(http.ResponseWriter) error {
	return func(w http.ResponseWriter) error {
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
