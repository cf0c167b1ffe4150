package stdhttp

import (
	"context"
	"net"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/nethttp"
	"example.com/routers/std-http/api"
	"example.com/routers/std-http/business"
	"github.com/idemgen/idemgen/idem"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, pool *pgxpool.Pool, guard *idem.Guard) error {
	shop := business.New(pool)
	strict := api.NewStrictHandler(api.NewIdempotentServer(guard, shop, shop, shop), nil)
	return nethttp.Serve(ctx, listener, api.HandlerWithOptions(strict, api.StdHTTPServerOptions{
		BaseURL:          "/v1",
		ErrorHandlerFunc: api.IdempotencyErrorHandler(guard, "/v1", badRequest),
		// The last one comes first to a request.
		Middlewares: []api.MiddlewareFunc{nethttp.Identify(business.AccountKey), api.IdempotencyBodyLimit(guard, "/v1")},
	}))
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, err.Error(), http.StatusBadRequest)
}
