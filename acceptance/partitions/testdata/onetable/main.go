// Command onetable serves payments whose responses are recorded in the key table.
//
//	onetable -database-url postgres://…
//
// It prints its address once it serves, and ends with SIGTERM.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/onetable/paymentapi"
	"github.com/idemgen/idemgen/idem"
)

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *databaseURL); err != nil {
		slog.Error("onetable failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, databaseURL string) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	guard, err := idem.New(pool)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())

	server := &http.Server{Handler: newHandler(guard), ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

func newHandler(guard *idem.Guard) http.Handler {
	strict := paymentapi.NewStrictHandlerWithOptions(
		paymentapi.NewIdempotentServer(guard, accounts{}, payments{}), nil,
		paymentapi.StrictHTTPServerOptions{RequestErrorHandlerFunc: failed, ResponseErrorHandlerFunc: failed})
	return paymentapi.HandlerWithOptions(strict, paymentapi.StdHTTPServerOptions{
		ErrorHandlerFunc: paymentapi.IdempotencyErrorHandler(guard, "", failed),
		Middlewares:      []paymentapi.MiddlewareFunc{paymentapi.IdempotencyBodyLimit(guard, "")},
	})
}

func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("operation failed", "error", err)
	http.Error(w, "something went wrong", http.StatusInternalServerError)
}

// accounts names the one account that calls.
type accounts struct{}

// AccountScope implements [paymentapi.ScopeResolver].
func (accounts) AccountScope(context.Context) (accountID int64, err error) { return 7, nil }

// payments is the business side.
type payments struct{}

// CreatePayment writes one payment. An amount of 402 is declined.
func (payments) CreatePayment(ctx context.Context, tx pgx.Tx, _ paymentapi.AccountScope, request paymentapi.CreatePaymentRequestObject) (paymentapi.CreatePaymentResponseObject, error) {
	payment := paymentapi.Payment{Amount: request.Body.Amount, Note: request.Body.Note}
	err := tx.QueryRow(ctx, "INSERT INTO payments (amount, note) VALUES ($1, coalesce($2, '')) RETURNING execution", payment.Amount, payment.Note).Scan(&payment.Execution)
	switch {
	case err != nil:
		return nil, err
	case payment.Amount == 402:
		return paymentapi.CreatePayment402JSONResponse(payment), nil
	default:
		return paymentapi.CreatePayment201JSONResponse{
			Body:    payment,
			Headers: paymentapi.CreatePayment201ResponseHeaders{Location: fmt.Sprintf("/payments/%d", payment.Execution)},
		}, nil
	}
}
