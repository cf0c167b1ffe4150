package gorilla

import (
	"context"
	"net"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/gorilla/api"
	"example.com/routers/gorilla/business"
	"example.com/routers/nethttp"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	strict := api.NewStrictHandler(api.NewIdempotentServer(guard, shop, shop, shop), nil)
	return nethttp.Serve(ctx, listener, api.HandlerWithOptions(strict, api.GorillaServerOptions{
		BaseURL:          "/v1",
		ErrorHandlerFunc: api.IdempotencyErrorHandler(guard, "/v1", badRequest),
		// The last one comes first to a request.
		Middlewares: []api.MiddlewareFunc{nethttp.Identify(business.AccountKey), api.IdempotencyBodyLimit(guard, "/v1")},
	}))
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, err.Error(), http.StatusBadRequest)
}
