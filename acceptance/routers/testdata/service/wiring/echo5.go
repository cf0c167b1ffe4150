package echo5

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"

	"example.com/routers/echo5/api"
	"example.com/routers/echo5/business"
	"example.com/routers/nethttp"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	e := echo.New()
	e.Use(api.IdempotencyMiddleware(guard, "/v1"), echo.WrapMiddleware(nethttp.Identify(business.AccountKey)))
	strict := api.NewStrictHandler(api.NewIdempotentServer(guard, shop, shop, shop), nil)
	api.RegisterHandlers(e.Group("/v1"), strict)
	return nethttp.Serve(ctx, listener, e)
}
