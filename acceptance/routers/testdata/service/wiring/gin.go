package gin

import (
	"context"
	"net"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/gin/api"
	"example.com/routers/gin/business"
	"example.com/routers/nethttp"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(api.IdempotencyMiddleware(guard, "/v1"), identify)
	strict := api.NewStrictHandler(api.NewIdempotentServer(guard, shop, shop, shop), nil)
	api.RegisterHandlersWithOptions(router, strict, api.GinServerOptions{BaseURL: "/v1"})
	return nethttp.Serve(ctx, listener, router)
}

func identify(c *gin.Context) { c.Set(business.AccountKey, c.GetHeader("X-Account")) }
