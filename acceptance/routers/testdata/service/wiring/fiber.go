package fiber

import (
	"context"
	"net"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/gofiber/fiber/v2/utils"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/fiber/api"
	"example.com/routers/fiber/business"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	app := fiber.New(fiber.Config{
		ErrorHandler:          api.IdempotencyErrorHandler(guard, "/v1", fiber.DefaultErrorHandler),
		DisableStartupMessage: true,
	})
	app.Use(recover.New(), identify) // fasthttp does not recover
	strict := api.NewStrictHandler(api.NewIdempotentServer(app, guard, shop, shop, shop), nil)
	api.RegisterHandlersWithOptions(app.Group("/v1"), strict, api.FiberServerOptions{
		HandlerMiddlewares: []api.HandlerMiddlewareFunc{api.IdempotencyBodyLimit(guard, "/v1")},
	})
	served := make(chan error, 1)
	go func() { served <- app.Listener(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return app.Shutdown()
	}
}

func identify(c *fiber.Ctx) error {
	c.SetUserContext(context.WithValue(c.UserContext(), business.AccountKey, utils.CopyString(c.Get("X-Account")))) //nolint:staticcheck // a string, as with gin
	return c.Next()
}
