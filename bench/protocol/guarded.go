package main

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/service/idemdb"
	"github.com/idemgen/idemgen/bench/service/orderapi"
	"github.com/idemgen/idemgen/idem"
	"github.com/idemgen/idemgen/idem/fingerprint"
	"github.com/idemgen/idemgen/idem/idemrt"
)

const operationName = "createOrder"

// newOperation returns the one that guarded runs. Its requests bring a fingerprint that
// was computed beforehand.
func newOperation() *idemrt.Operation[orderapi.AccountScope, digested, orderapi.CreateOrderResponseObject] {
	return idemrt.Definition[orderapi.AccountScope, digested, orderapi.CreateOrderResponseObject]{
		Name:          operationName,
		Key:           idemrt.KeyRule{Name: "Idempotency-Key", Required: true},
		KeyOf:         func(o digested) *string { return &o.key },
		Fingerprints:  idemrt.Versions[digested]{1: func(o digested) fingerprint.Fingerprint { return o.meaning }},
		Final:         []string{"2XX"},
		Window:        72 * time.Hour,
		ReplayHeaders: []string{"Location"},
		Wait:          10 * time.Second,
		Render:        orderapi.CreateOrderResponseObject.VisitCreateOrderResponse,
		Answer:        func(a *idemrt.Answer) orderapi.CreateOrderResponseObject { return answered{a} },
	}.Operation()
}

// digested is an order with its fingerprint.
type digested struct {
	order
	meaning fingerprint.Fingerprint
}

type answered struct{ *idemrt.Answer }

// VisitCreateOrderResponse implements [orderapi.CreateOrderResponseObject].
func (a answered) VisitCreateOrderResponse(w http.ResponseWriter) error { return a.Send(w) }

// guarded calls the runtime as generated code does, but with a fingerprint that
// was computed beforehand.
func guarded(pool *pgxpool.Pool) contender {
	guard, operation := newGuard(pool), newOperation()
	same := orderapi.Fingerprint(newOrder("").request())
	other := orderapi.Fingerprint(otherMeaning("").request())
	create := func(ctx context.Context, tx pgx.Tx, who orderapi.AccountScope, o digested) (orderapi.CreateOrderResponseObject, error) {
		created, err := createOrder(ctx, execIn(tx), who, &o.body)
		return responseTo(created), err
	}
	return contender{name: nameGuard, replays: true, compares: true, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		request := digested{o, same}
		if o.body.Currency != "EUR" {
			request.meaning = other
		}
		response, err := idemrt.Run(ctx, guard.Engine(), operation, keysOfCaller{}, caller(), request, create)
		if err != nil {
			return 0, err
		}
		return sent(response.VisitCreateOrderResponse)
	}}
}

// newGuard returns a guard that logs nothing.
func newGuard(pool *pgxpool.Pool) *idem.Guard {
	guard, err := idem.New(pool, idem.WithLogger(quiet()))
	if err != nil {
		panic(err) // the option is a constant
	}
	return guard
}

// keysOfCaller is the caller's part of the key table, as generated code has it.
type keysOfCaller struct{}

// Claim implements [idemrt.Keys].
func (keysOfCaller) Claim(ctx context.Context, db idemrt.DBTX, claim idemrt.Claim) error {
	return idemrt.ErrorOf(idemdb.New().ClaimAccountKey(ctx, db, idemdb.ClaimAccountKeyParams{
		TenantID: caller().TenantID, UserID: caller().UserID,
		Operation:          claim.Operation,
		IdempotencyKey:     claim.Key,
		Fingerprint:        claim.Fingerprint.Sum[:],
		FingerprintVersion: claim.Fingerprint.Version,
		ReplaySeconds:      claim.WindowSeconds,
	}))
}

// Load implements [idemrt.Keys].
func (keysOfCaller) Load(ctx context.Context, db idemrt.DBTX, operation, key string) (idemrt.Record, error) {
	row, err := idemdb.New().LoadAccountKey(ctx, db, idemdb.LoadAccountKeyParams{
		TenantID: caller().TenantID, UserID: caller().UserID, Operation: operation, IdempotencyKey: key,
	})
	return idemrt.Record(row), err
}

// Finish implements [idemrt.Keys].
func (keysOfCaller) Finish(ctx context.Context, db idemrt.DBTX, operation, key string, response idemrt.Recorded) error {
	return idemrt.ErrorOf(idemdb.New().FinishAccountKey(ctx, db, idemdb.FinishAccountKeyParams{
		Status: response.Status, Headers: response.Headers, Body: response.Body,
		TenantID: caller().TenantID, UserID: caller().UserID, Operation: operation, IdempotencyKey: key,
	}))
}

// generated calls the generated server as the strict handler does: fingerprint
// included, HTTP not.
func generated(pool *pgxpool.Pool) contender {
	server := newGeneratedServer(pool)
	return contender{name: nameGenerated, replays: true, compares: true, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		response, err := server.CreateOrder(ctx, o.request())
		if err != nil {
			return 0, err
		}
		return sent(response.VisitCreateOrderResponse)
	}}
}

// partitioned is the same with responses in daily partitions.
func partitioned(pool *pgxpool.Pool) contender {
	server := newGeneratedServer(pool)
	return contender{name: namePartitioned, replays: true, compares: true, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		response, err := server.CreateDailyOrder(ctx, o.dailyRequest())
		if err != nil {
			return 0, err
		}
		return sent(response.VisitCreateDailyOrderResponse)
	}}
}

func newGeneratedServer(pool *pgxpool.Pool) orderapi.StrictServerInterface {
	return orderapi.NewIdempotentServer(newGuard(pool), scopes{}, business{})
}

type scopes struct{}

func (scopes) AccountScope(context.Context) (tenantID uuid.UUID, userID int64, err error) {
	return caller().TenantID, caller().UserID, nil
}

func (scopes) DailyScope(context.Context) (tenantID uuid.UUID, userID int64, err error) {
	return caller().TenantID, caller().UserID, nil
}

// business creates orders. The other operations are there for their fingerprints, and
// nobody calls them.
type business struct{ orderapi.IdempotentOperations }

func (business) CreateOrder(ctx context.Context, tx pgx.Tx, who orderapi.AccountScope, request orderapi.CreateOrderRequestObject) (orderapi.CreateOrderResponseObject, error) {
	created, err := createOrder(ctx, execIn(tx), who, request.Body)
	return responseTo(created), err
}

func (business) CreateDailyOrder(ctx context.Context, tx pgx.Tx, who orderapi.DailyScope, request orderapi.CreateDailyOrderRequestObject) (orderapi.CreateDailyOrderResponseObject, error) {
	created, err := createOrder(ctx, execIn(tx), orderapi.AccountScope(who), request.Body)
	return dailyResponseTo(created), err
}

// sent sends an answer to nobody and returns its status.
func sent(send func(http.ResponseWriter) error) (int, error) {
	w := &nobody{header: http.Header{}}
	err := send(w)
	return w.status, err
}

type nobody struct {
	header http.Header
	status int
}

func (n *nobody) Header() http.Header         { return n.header }
func (n *nobody) Write(p []byte) (int, error) { return len(p), nil }
func (n *nobody) WriteHeader(status int)      { n.status = status }
