// Command payouts serves PayPal's Payouts API, as far as it creates payouts.
//
//	payouts -database-url postgres://… [-validate]
//
// It prints its address once it serves, and ends with SIGTERM.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	nethttpmiddleware "github.com/oapi-codegen/nethttp-middleware"

	"example.com/payouts/payoutapi"
	"github.com/idemgen/idemgen/idem"
)

//go:embed payoutapi/openapi.gen.yaml
var document []byte

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	validate := flag.Bool("validate", false, "check requests against the description first")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *databaseURL, *validate); err != nil {
		slog.Error("payouts failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, databaseURL string, validate bool) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	handler, err := newHandler(ctx, pool, validate)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())

	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

func newHandler(ctx context.Context, pool *pgxpool.Pool, validate bool) (http.Handler, error) {
	guard, err := idem.New(pool)
	if err != nil {
		return nil, err
	}
	merchants := merchants{pool}
	server := payoutapi.NewIdempotentServer(guard, merchants, payouts{}, closed{})
	strict := payoutapi.NewStrictHandlerWithOptions(server, nil, payoutapi.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  badRequest,
		ResponseErrorHandlerFunc: failed,
	})
	// The last one comes first to a request.
	middlewares := []payoutapi.MiddlewareFunc{merchants.identify, payoutapi.IdempotencyBodyLimit(guard, "")}
	if validate {
		validator, err := newValidator(ctx)
		if err != nil {
			return nil, err
		}
		middlewares = append([]payoutapi.MiddlewareFunc{validator}, middlewares...)
	}
	return payoutapi.HandlerWithOptions(strict, payoutapi.StdHTTPServerOptions{
		ErrorHandlerFunc: payoutapi.IdempotencyErrorHandler(guard, "", badRequest),
		Middlewares:      middlewares,
	}), nil
}

func newValidator(ctx context.Context) (payoutapi.MiddlewareFunc, error) {
	description, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, err
	}
	if err := description.Validate(ctx); err != nil {
		return nil, err
	}
	description.Servers = nil // PayPal's hosts; this service answers on any
	return nethttpmiddleware.OapiRequestValidatorWithOptions(description, &nethttpmiddleware.Options{
		// Who calls has been found out before.
		Options: openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}), nil
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Info("bad request", "error", err)
	http.Error(w, "bad request", http.StatusBadRequest)
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("operation failed", "error", err)
	http.Error(w, "something went wrong", http.StatusInternalServerError)
}

// merchants knows who may call.
type merchants struct{ pool *pgxpool.Pool }

type merchantKey struct{}

// identify lets requests with a merchant's bearer token through.
func (m merchants) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		var merchant string
		err := m.pool.QueryRow(r.Context(), "SELECT merchant_id FROM merchants WHERE token = $1", token).Scan(&merchant)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			http.Error(w, "who are you?", http.StatusUnauthorized)
		case err != nil:
			failed(w, r, err)
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), merchantKey{}, merchant)))
		}
	})
}

// MerchantScope implements [payoutapi.ScopeResolver].
func (m merchants) MerchantScope(ctx context.Context) (merchantID string, err error) {
	merchant, ok := ctx.Value(merchantKey{}).(string)
	if !ok {
		return "", errors.New("nobody was identified")
	}
	return merchant, nil
}
