// Package business is what the service does, the same for all frameworks.
package business

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/routers/FRAMEWORK/api"
)

// AccountKey is the key of a context's value that says who calls. It is a string
// because gin and iris have no others.
const AccountKey = "account"

// Shop takes orders that say themselves what is to become of them.
type Shop struct {
	pool *pgxpool.Pool

	mu       sync.Mutex
	seen     map[string]bool // acts of which the first attempt fails
	released chan struct{}   // closed when goroutines are to end
}

// New returns a shop.
func New(pool *pgxpool.Pool) *Shop {
	return &Shop{pool: pool, seen: map[string]bool{}, released: make(chan struct{})}
}

// AccountScope implements [api.ScopeResolver]. The column that comes from the path
// is not its concern.
func (s *Shop) AccountScope(ctx context.Context) (account string, err error) {
	account, ok := ctx.Value(AccountKey).(string)
	if !ok || account == "" {
		return "", errors.New("nobody was identified")
	}
	return account, nil
}

// CountOrders implements [api.OtherOperations].
func (s *Shop) CountOrders(ctx context.Context, request api.CountOrdersRequestObject) (api.CountOrdersResponseObject, error) {
	var count int
	err := s.pool.QueryRow(ctx, "SELECT count(*) FROM orders WHERE shop = $1", request.Shop).Scan(&count)
	return api.CountOrders200JSONResponse{Count: count}, err
}

// Reserve implements [api.IdempotentOperations].
func (s *Shop) Reserve(ctx context.Context, tx pgx.Tx, _ api.AccountScope, _ api.ReserveRequestObject) (api.ReserveResponseObject, error) {
	return api.Reserve204Response{}, wait(ctx, tx)
}

// gate is the advisory lock by which a test holds up those that wait.
const gate = 4711

func wait(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", gate)
	return err
}

// CreateOrder implements [api.IdempotentOperations].
func (s *Shop) CreateOrder(ctx context.Context, tx pgx.Tx, scope api.AccountScope, request api.CreateOrderRequestObject) (api.CreateOrderResponseObject, error) {
	act := request.Body.Act
	if scope.Shop != request.Shop {
		return nil, fmt.Errorf("the scope's shop is %q and not %q", scope.Shop, request.Shop)
	}
	var id int64
	if err := tx.QueryRow(ctx, "INSERT INTO orders (account, shop, sku) VALUES ($1, $2, $3) RETURNING id",
		scope.Account, scope.Shop, request.Body.Sku).Scan(&id); err != nil {
		return nil, err
	}
	if first, once := strings.CutSuffix(act, "-once"); once && s.firstTime(request.Body.Sku) {
		act = first
	}
	stock := 5
	created := api.CreateOrder201JSONResponse{
		Body:    api.Order{Id: id, Sku: request.Body.Sku, Note: "<größer & größer>"},
		Headers: api.CreateOrder201ResponseHeaders{Location: fmt.Sprintf("/orders/%d", id), XStock: &stock},
	}
	problem := api.Problem{Title: act}
	switch act {
	case "wait":
		if err := wait(ctx, tx); err != nil {
			return nil, err
		}
	case "linger":
		go s.linger(ctx, scope.Account)
	case "release":
		close(s.released)
	case "panic":
		panic("as asked")
	case "error":
		return nil, errors.New("as asked")
	case "nothing":
		return nil, nil
	case "204":
		return api.CreateOrder204Response{}, nil
	case "text":
		return api.CreateOrder200TextResponse("order for " + request.Body.Sku + "\n"), nil
	case "download":
		return api.CreateOrder200ApplicationoctetStreamResponse{Body: io.NopCloser(bytes.NewReader([]byte{0, 1, 0xff, '\n'})), ContentLength: 4}, nil
	case "endless":
		return api.CreateOrder200ApplicationoctetStreamResponse{Body: endless{}}, nil
	case "402":
		return api.CreateOrder402ApplicationProblemPlusJSONResponse(problem), nil
	case "423":
		return api.CreateOrder4XXJSONResponse{Body: problem, StatusCode: 423}, nil
	case "429":
		return api.CreateOrder4XXJSONResponse{Body: problem, StatusCode: 429}, nil
	case "599":
		return api.CreateOrderdefaultJSONResponse{Body: problem, StatusCode: 599}, nil
	case "0":
		return api.CreateOrderdefaultJSONResponse{Body: problem}, nil
	}
	return created, nil
}

// firstTime reports whether it has not been asked before.
func (s *Shop) firstTime(sku string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.seen[sku]
	s.seen[sku] = true
	return first
}

// linger looks at the context of a request that is long over, until it is told to
// stop, and writes down what it has seen.
func (s *Shop) linger(ctx context.Context, account string) {
	seen := map[string]bool{}
	for done := false; !done; {
		seen[fmt.Sprint(ctx.Value(AccountKey))] = true
		_, _ = ctx.Deadline()
		_ = ctx.Err()
		select {
		case <-s.released:
			done = true
		case <-time.After(time.Millisecond):
		}
	}
	for value := range seen {
		if _, err := s.pool.Exec(context.Background(), "INSERT INTO findings VALUES ($1, $2)", account, value); err != nil {
			panic(err)
		}
	}
}

// endless is a download without an end.
type endless struct{}

// Read implements [io.Reader].
func (endless) Read(p []byte) (int, error) { return len(p), nil }
