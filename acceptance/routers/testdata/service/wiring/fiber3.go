package fiber3

import (
	"context"
	"net"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/gofiber/utils/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/fiber3/api"
	"example.com/routers/fiber3/business"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	app := fiber.New(fiber.Config{ErrorHandler: api.IdempotencyErrorHandler(guard, "/v1", fiber.DefaultErrorHandler)})
	app.Use(recover.New(), identify) // fasthttp does not recover
	strict := api.NewStrictHandler(api.NewIdempotentServer(app, guard, shop, shop, shop), nil)
	api.RegisterHandlersWithOptions(app, strict, api.FiberServerOptions{
		BaseURL:            "/v1",
		HandlerMiddlewares: []api.HandlerMiddlewareFunc{api.IdempotencyBodyLimit(guard, "/v1")},
	})
	served := make(chan error, 1)
	go func() { served <- app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return app.Shutdown()
	}
}

func identify(c fiber.Ctx) error {
	c.SetContext(context.WithValue(c.Context(), business.AccountKey, utils.CopyString(c.Get("X-Account")))) //nolint:staticcheck // a string, as with gin
	return c.Next()
}
