package iris

import (
	"context"
	"net"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/kataras/iris/v12"

	"example.com/routers/iris/api"
	"example.com/routers/iris/business"
	"example.com/routers/nethttp"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	app := iris.New()
	strict := api.NewStrictHandler(api.NewIdempotentServer(app, guard, shop, shop, shop), nil)
	api.RegisterHandlersWithOptions(app, strict, api.IrisServerOptions{
		BaseURL:     "/v1",
		Middlewares: []api.MiddlewareFunc{api.IdempotencyMiddleware(guard, "/v1"), identify},
	})
	return nethttp.Serve(ctx, listener, app)
}

func identify(ctx iris.Context) {
	ctx.Values().Set(business.AccountKey, ctx.GetHeader("X-Account"))
	ctx.Next()
}
