package idemiris

import (
	"github.com/kataras/iris/v12"

	"github.com/idemgen/idemgen/idem"
)

// Middleware returns a handler that answers a request which does not pass the check
// of its route. checks is keyed by method and path of the route, as it was
// registered: "POST /orders/:id".
func Middleware(checks map[string]idem.Check) func(iris.Context) {
	return func(ctx iris.Context) {
		if checks[route(ctx)].Pass(ctx.ResponseWriter(), ctx.Request()) {
			ctx.Next()
			return
		}
		ctx.StopExecution()
	}
}

// route is the one that was chosen, or "" where none was.
func route(ctx iris.Context) string {
	chosen := ctx.GetCurrentRoute()
	if chosen == nil {
		return ""
	}
	return chosen.Method() + " " + chosen.Path()
}
