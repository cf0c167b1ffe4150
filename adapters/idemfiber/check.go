package idemfiber

import (
	"errors"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"github.com/idemgen/idemgen/idem/idemrt"
)

// LimitBodies returns a handler's middleware that answers 413 to a request whose
// body is larger than its route allows.
func LimitBodies(checks *idemrt.Checks) func(ctx *fiber.Ctx, next fiber.Handler) error {
	return func(ctx *fiber.Ctx, next fiber.Handler) error {
		limit, limited := checks.Limit(route(ctx))
		if !limited {
			return next(ctx)
		}
		request := ctx.Request()
		size := int64(request.Header.ContentLength())
		if size <= limit {
			size = int64(len(request.Body()))
		}
		if size > limit && !checks.PassSize(ctx.UserContext(), route(ctx), newWriter(ctx.Response()), headerOf(ctx), size) {
			return nil
		}
		return next(ctx)
	}
}

// KeyErrors returns an error handler that answers with a problem where an error of
// status 400 goes back to a key's header that cannot be read, and hands every other
// error to next.
func KeyErrors(checks *idemrt.Checks, next fiber.ErrorHandler) fiber.ErrorHandler {
	return func(ctx *fiber.Ctx, err error) error {
		var refused *fiber.Error
		if !errors.As(err, &refused) || refused.Code != fiber.StatusBadRequest {
			return next(ctx, err)
		}
		if checks.PassKey(ctx.UserContext(), route(ctx), newWriter(ctx.Response()), headerOf(ctx)) {
			return next(ctx, err)
		}
		return nil
	}
}

// route is the one that was chosen, as it was registered.
func route(ctx *fiber.Ctx) string { return ctx.Method() + " " + ctx.Route().Path }

func headerOf(ctx *fiber.Ctx) http.Header {
	header := http.Header{}
	//nolint:staticcheck // the release that fiber v2 asks for has no All
	ctx.Request().Header.VisitAll(func(name, value []byte) { header.Add(string(name), string(value)) })
	return header
}
