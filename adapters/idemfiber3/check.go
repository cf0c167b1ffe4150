package idemfiber3

import (
	"errors"
	"net/http"

	"github.com/gofiber/fiber/v3"

	"github.com/idemgen/idemgen/idem"
)

// LimitBodies returns a handler's middleware that answers 413 to a request whose
// body is larger than its route allows. checks is keyed by method and path of the
// route, as it was registered: "POST /orders/:id".
func LimitBodies(checks map[string]idem.Check) func(ctx fiber.Ctx, next fiber.Handler) error {
	return func(ctx fiber.Ctx, next fiber.Handler) error {
		request := ctx.Request()
		size := int64(request.Header.ContentLength())
		if check := checks[route(ctx)]; check.MaxBody > 0 {
			if size <= check.MaxBody {
				size = int64(len(request.Body()))
			}
			if !check.PassSize(newWriter(ctx.Response()), size) {
				return nil
			}
		}
		return next(ctx)
	}
}

// KeyErrors returns an error handler that answers with a problem where an error of
// status 400 goes back to a key's header that cannot be read, and hands every other
// error to next. checks are those of [LimitBodies].
func KeyErrors(checks map[string]idem.Check, next fiber.ErrorHandler) fiber.ErrorHandler {
	return func(ctx fiber.Ctx, err error) error {
		check, annotated := checks[route(ctx)]
		var refused *fiber.Error
		if !annotated || !errors.As(err, &refused) || refused.Code != fiber.StatusBadRequest {
			return next(ctx, err)
		}
		if check.PassKey(newWriter(ctx.Response()), headerOf(ctx)) {
			return next(ctx, err)
		}
		return nil
	}
}

// route is the one that was chosen, as it was registered.
func route(ctx fiber.Ctx) string { return ctx.Method() + " " + ctx.Route().Path }

func headerOf(ctx fiber.Ctx) http.Header {
	header := http.Header{}
	for name, value := range ctx.Request().Header.All() {
		header.Add(string(name), string(value))
	}
	return header
}
