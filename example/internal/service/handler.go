// Package service puts the shop behind HTTP.
package service

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/jackc/pgx/v5/pgxpool"
	nethttpmiddleware "github.com/oapi-codegen/nethttp-middleware"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orders"
	"github.com/idemgen/idemgen/idem"
)

// NewHandler returns the API over the database of pool.
func NewHandler(ctx context.Context, pool *pgxpool.Pool, logger *slog.Logger) (http.Handler, error) {
	document, err := loadDocument(ctx)
	if err != nil {
		return nil, err
	}
	errors := errorHandlers{logger: logger}
	callers := auth.NewCallers(pool)
	shop := orders.NewShop(pool, callers)
	guard, err := idem.New(pool, idem.WithLogger(logger))
	if err != nil {
		return nil, err
	}

	server := orderapi.NewIdempotentServer(guard, callers, shop, shop)
	strict := orderapi.NewStrictHandlerWithOptions(server, nil, orderapi.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  errors.badRequest,
		ResponseErrorHandlerFunc: errors.failed,
	})
	validate := nethttpmiddleware.OapiRequestValidatorWithOptions(document, &nethttpmiddleware.Options{
		Options:              openapi3filter.Options{AuthenticationFunc: callers.Authenticate},
		ErrorHandlerWithOpts: errors.invalid,
	})
	return orderapi.HandlerWithOptions(strict, orderapi.StdHTTPServerOptions{
		ErrorHandlerFunc: orderapi.IdempotencyErrorHandler(guard, "", errors.badRequest),
		// The last one comes first to a request.
		Middlewares: []orderapi.MiddlewareFunc{
			validate,
			callers.Identify(errors.unavailable),
			orderapi.IdempotencyBodyLimit(guard, ""),
		},
	}), nil
}

func loadDocument(ctx context.Context) (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(orderapi.Document)
	if err != nil {
		return nil, fmt.Errorf("load the OpenAPI document: %w", err)
	}
	if err := document.Validate(ctx); err != nil {
		return nil, fmt.Errorf("validate the OpenAPI document: %w", err)
	}
	return document, nil
}
