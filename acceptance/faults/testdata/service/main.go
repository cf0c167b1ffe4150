// Command service serves the annotated operations that the fault driver calls, and sweeps.
//
//	service -database-url postgres://… [-protocol NAME]
//
// It prints its address once it serves, and ends with SIGTERM, or when its
// standard input does, so that it does not outlive its driver. The protocol is
// the generated one, or one of those written by hand, most of which are broken
// on purpose: the driver must find out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/faults/byhand"
	"example.com/faults/paymentapi"
	"github.com/idemgen/idemgen/idem"
)

// Both are short because the driver also stops answers for good, and keeps
// transactions open that nobody waits for.
const (
	finishTimeout   = 800 * time.Millisecond
	recoveryTimeout = 800 * time.Millisecond
)

// requestTimeout bounds a request, as any service does: a statement of the
// business function that is never answered ends here.
const requestTimeout = 2 * time.Second

// The sweeper makes many passes in a round, and purges as early as it may.
const (
	sweepInterval = 100 * time.Millisecond
	retention     = 72 * time.Hour
)

func main() {
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	protocol := flag.String("protocol", "generated", "generated, or a name of package byhand")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // to its end, whichever way it comes
		stop()
	}()
	err := run(ctx, *databaseURL, *protocol, os.Stdout)
	stop()
	if err != nil {
		slog.Error("service failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, databaseURL, protocol string, stdout io.Writer) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	guard, err := idem.New(pool, idem.WithFinishTimeout(finishTimeout), idem.WithRecoveryTimeout(recoveryTimeout))
	if err != nil {
		return err
	}
	server, err := newServer(pool, guard, protocol)
	if err != nil {
		return err
	}
	sweeper, err := idem.NewSweeper(pool, paymentapi.IdempotencyTables(), idem.WithRetention(retention), idem.WithInterval(sweepInterval))
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	sweeping, stop := context.WithCancel(ctx)
	var swept sync.WaitGroup
	swept.Go(func() { sweeper.Run(sweeping) })
	defer swept.Wait()
	defer stop()
	fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
	return serve(ctx, listener, newHandler(guard, server))
}

// newServer returns the operations under a protocol.
func newServer(pool *pgxpool.Pool, guard *idem.Guard, protocol string) (paymentapi.StrictServerInterface, error) {
	if protocol == "generated" {
		return paymentapi.NewIdempotentServer(guard, accounts{}, payments{}), nil
	}
	return byhand.New(pool, protocol, accounts{}, payments{}, finishTimeout)
}

// serve serves until ctx is over and then lets requests finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
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

func newHandler(guard *idem.Guard, server paymentapi.StrictServerInterface) http.Handler {
	strict := paymentapi.NewStrictHandlerWithOptions(server, nil, paymentapi.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  badRequest,
		ResponseErrorHandlerFunc: failed,
	})
	running := newRunning()
	mux := http.NewServeMux()
	mux.Handle("GET /quiet", running.quiet())
	return paymentapi.HandlerWithOptions(strict, paymentapi.StdHTTPServerOptions{
		BaseRouter:       mux,
		ErrorHandlerFunc: paymentapi.IdempotencyErrorHandler(guard, "", badRequest),
		// The last one comes first to a request.
		Middlewares: []paymentapi.MiddlewareFunc{
			survive, identify, paymentapi.IdempotencyBodyLimit(guard, ""), limitTime, running.count,
		},
	})
}

func badRequest(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Error("bad request", "error", err)
	answer(w, http.StatusBadRequest, "bad_request")
}

// failed answers what a business function returned as an error.
func failed(w http.ResponseWriter, _ *http.Request, err error) {
	slog.Info("business function failed", "error", err)
	answer(w, http.StatusInternalServerError, "failed")
}

func answer(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":%q}`, code)
}

// survive answers a request whose business function panicked. Any other panic
// goes on, and the client gets no answer.
func survive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch thrown := recover(); thrown {
			case nil:
			case errPanic:
				answer(w, http.StatusInternalServerError, "panicked")
			default:
				panic(thrown)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func limitTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithTimeout(r.Context(), requestTimeout)
		defer stop()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// accounts knows who calls: whoever the header Account says.
type accounts struct{}

type accountKey struct{}

func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		account, err := strconv.ParseInt(r.Header.Get("Account"), 10, 64)
		if err != nil {
			answer(w, http.StatusUnauthorized, "unauthenticated")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, account)))
	})
}

// AccountScope implements [paymentapi.ScopeResolver].
func (accounts) AccountScope(ctx context.Context) (accountID int64, err error) {
	account, ok := ctx.Value(accountKey{}).(int64)
	if !ok {
		return 0, errors.New("nobody was identified")
	}
	return account, nil
}

// LedgerScope implements [paymentapi.ScopeResolver].
func (a accounts) LedgerScope(ctx context.Context) (accountID int64, err error) {
	return a.AccountScope(ctx)
}

// running knows how many requests run, also those whose clients are gone.
type running struct {
	mu   sync.Mutex
	none *sync.Cond
	n    int
}

func newRunning() *running {
	r := &running{}
	r.none = sync.NewCond(&r.mu)
	return r
}

func (r *running) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n += n; r.n == 0 {
		r.none.Broadcast()
	}
}

func (r *running) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.add(1)
		defer r.add(-1)
		next.ServeHTTP(w, request)
	})
}

// quiet answers once no request runs.
func (r *running) quiet() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for r.n > 0 {
			r.none.Wait()
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
