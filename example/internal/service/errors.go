package service

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/jackc/pgx/v5/pgconn"
	nethttpmiddleware "github.com/oapi-codegen/nethttp-middleware"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/problem"
)

// errorHandlers answer what goes wrong around the operations. An error's text
// goes to the log, never to the client.
type errorHandlers struct {
	logger *slog.Logger
}

// badRequest answers what the generated server could not decode.
func (e errorHandlers) badRequest(w http.ResponseWriter, r *http.Request, err error) {
	e.logger.DebugContext(r.Context(), "request not decoded", "error", err)
	e.write(r, w, problem.New(http.StatusBadRequest, "bad_request", "The request could not be read as the API describes it."))
}

// failed answers an error that an operation returned.
func (e errorHandlers) failed(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, auth.ErrUnauthenticated) {
		e.unauthenticated(w, r)
		return
	}
	if unstorable(err) {
		e.logger.InfoContext(r.Context(), "request not storable", "route", r.Pattern, "error", err)
		e.write(r, w, problem.New(http.StatusBadRequest, "invalid_request", "A text has a NUL in it, or a number is too large."))
		return
	}
	e.logger.ErrorContext(r.Context(), "operation failed", "route", r.Pattern, "error", err)
	e.write(r, w, problem.New(http.StatusInternalServerError, "internal_error", "Something went wrong on our side."))
}

// unstorable reports whether PostgreSQL could not represent a value of the request, or
// what is computed from it: the OpenAPI document cannot say that JSON's \u0000 is no
// text to PostgreSQL, nor that a sum of amounts is too large. PostgreSQL, Appendix A.
func unstorable(err error) bool {
	const (
		characterNotInRepertoire = "22021"
		numericValueOutOfRange   = "22003"
	)
	found, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (found.Code == characterNotInRepertoire || found.Code == numericValueOutOfRange)
}

// unavailable answers when the caller could not be identified for want of the
// database.
func (e errorHandlers) unavailable(w http.ResponseWriter, r *http.Request, err error) {
	e.logger.ErrorContext(r.Context(), "caller not identified", "route", r.Pattern, "error", err)
	w.Header().Set("Retry-After", "2")
	e.write(r, w, problem.New(http.StatusServiceUnavailable, "unavailable", "The service is not available just now."))
}

// invalid answers what the request validator found.
func (e errorHandlers) invalid(_ context.Context, err error, w http.ResponseWriter, r *http.Request, options nethttpmiddleware.ErrorHandlerOpts) {
	switch options.StatusCode {
	case http.StatusUnauthorized:
		e.unauthenticated(w, r)
	case http.StatusBadRequest:
		e.write(r, w, problem.New(http.StatusBadRequest, "invalid_request", whatIsInvalid(err)))
	case http.StatusNotFound:
		e.write(r, w, problem.New(http.StatusNotFound, "not_found", "There is nothing here."))
	default:
		e.failed(w, r, err)
	}
}

func (e errorHandlers) unauthenticated(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	e.write(r, w, problem.New(http.StatusUnauthorized, "unauthenticated", "Show who you are: a bearer token, or a provider's secret."))
}

func (e errorHandlers) write(r *http.Request, w http.ResponseWriter, p orderapi.Problem) {
	if err := problem.Write(w, p); err != nil {
		e.logger.DebugContext(r.Context(), "answer not written", "error", err)
	}
}

// whatIsInvalid says which part of a request breaks which rule of the
// document.
func whatIsInvalid(err error) string {
	where := "The request"
	if invalid, ok := errors.AsType[*openapi3filter.RequestError](err); ok {
		switch {
		case invalid.Parameter != nil:
			where = "Parameter " + invalid.Parameter.Name
		case invalid.RequestBody != nil:
			where = "The body"
		}
	}
	broken, ok := errors.AsType[*openapi3.SchemaError](err)
	if !ok {
		return where + " is not as the API describes it."
	}
	if pointer := broken.JSONPointer(); len(pointer) > 0 {
		where += ", at /" + strings.Join(pointer, "/")
	}
	return where + ": " + broken.Reason + "."
}
