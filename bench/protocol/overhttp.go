package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/orderapi"
	"github.com/idemgen/idemgen/idem"
)

func startPlainHTTP(ctx context.Context, env *environment) (contender, error) {
	c, err := startHTTP(ctx, newGuard(env.pool), plainServer{pool: env.pool})
	c.name = namePlainHTTP
	return c, err
}

func startGeneratedHTTP(ctx context.Context, env *environment) (contender, error) {
	c, err := startHTTP(ctx, newGuard(env.pool), newGeneratedServer(env.pool))
	c.name, c.replays, c.compares = nameHTTP, true, true
	return c, err
}

// plainServer creates orders without idempotency. The other operations are there for their
// fingerprints, and nobody calls them.
type plainServer struct {
	orderapi.StrictServerInterface
	pool *pgxpool.Pool
}

func (s plainServer) CreateOrder(ctx context.Context, request orderapi.CreateOrderRequestObject) (orderapi.CreateOrderResponseObject, error) {
	created, err := s.create(ctx, request.Body)
	return responseTo(created), err
}

func (s plainServer) CreateDailyOrder(ctx context.Context, request orderapi.CreateDailyOrderRequestObject) (orderapi.CreateDailyOrderResponseObject, error) {
	created, err := s.create(ctx, request.Body)
	return dailyResponseTo(created), err
}

func (s plainServer) create(ctx context.Context, body *orderapi.NewOrder) (created orderapi.Order, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		created, err = createOrder(ctx, execIn(tx), caller(), body)
		return err
	})
	return created, err
}

// startHTTP serves a strict server on the loopback interface. Its client keeps
// its connections.
func startHTTP(ctx context.Context, guard *idem.Guard, server orderapi.StrictServerInterface) (contender, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return contender{}, err
	}
	handler := orderapi.HandlerWithOptions(orderapi.NewStrictHandler(server, nil), orderapi.StdHTTPServerOptions{
		ErrorHandlerFunc: orderapi.IdempotencyErrorHandler(guard, "", func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadRequest)
		}),
		Middlewares: []orderapi.MiddlewareFunc{orderapi.IdempotencyBodyLimit(guard, "")},
	})
	service := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = service.Serve(listener) }) // until Close
	call, hangUp := client("http://" + listener.Addr().String() + "/orders")
	return contender{http: true, call: call, close: func() {
		hangUp()
		_ = service.Close()
		serving.Wait()
	}}, nil
}

// client posts orders. The answer is read whole.
func client(url string) (call func(context.Context, order) (int, error), hangUp func()) {
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * poolSize}
	posting := &http.Client{Transport: transport}
	call = func(ctx context.Context, o order) (status int, err error) {
		body, err := json.Marshal(o.body)
		if err != nil {
			return 0, err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", o.key)
		response, err := posting.Do(request)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		_, err = io.Copy(io.Discard, response.Body)
		return response.StatusCode, err
	}
	return call, transport.CloseIdleConnections
}
