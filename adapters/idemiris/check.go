package idemiris

import (
	"github.com/kataras/iris/v12"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// Middleware returns a handler that answers a request which does not pass the checks
// of its route.
func Middleware(checks *idemrt.Checks) func(iris.Context) {
	return func(ctx iris.Context) {
		if checks.Pass(route(ctx), ctx.ResponseWriter(), ctx.Request()) {
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
