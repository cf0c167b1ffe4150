package main

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/bench/protocol/idemdb"
	"github.com/idemgen/idemgen/bench/protocol/orderapi"
	"github.com/idemgen/idemgen/idem"
)

const operationName = "createOrder"

// guarded calls the runtime as generated code does, but with a fingerprint that
// was computed beforehand.
func guarded(pool *pgxpool.Pool) contender {
	guard := idem.New(pool, idem.WithLogger(quiet()))
	operation := &idem.Operation{
		Name:          operationName,
		Key:           idem.KeyRule{Name: "Idempotency-Key", Required: true, MaxLength: 255},
		Final:         []idem.StatusPattern{"2XX"},
		Window:        72 * time.Hour,
		ReplayHeaders: []string{"Location"},
		Wait:          10 * time.Second,
	}
	same := orderapi.Fingerprint(newOrder("").request())
	other := orderapi.Fingerprint(otherMeaning("").request())
	return contender{name: nameGuard, replays: true, compares: true, close: func() {}, call: func(ctx context.Context, o order) (int, error) {
		meaning := same
		if o.body.Currency != "EUR" {
			meaning = other
		}
		call := idem.Call{Key: &o.key, Fingerprints: []idem.Fingerprint{meaning}}
		answer, err := guard.Execute(ctx, operation, keysOfCaller{}, call, func(ctx context.Context, tx pgx.Tx) (idem.Outcome, error) {
			created, err := createOrder(ctx, execIn(tx), caller(), &o.body)
			response := responseTo(created)
			return idem.Outcome{Response: response, Render: response.VisitCreateOrderResponse}, err
		})
		if err != nil {
			return 0, err
		}
		return sent(answer.Send)
	}}
}

// keysOfCaller is the caller's part of the key table, as generated code has it.
type keysOfCaller struct{}

func (keysOfCaller) Claim(ctx context.Context, db idem.DBTX, claim idem.Claim) error {
	_, err := idemdb.New().ClaimAccountKey(ctx, db, idemdb.ClaimAccountKeyParams{
		TenantID: caller().TenantID, UserID: caller().UserID,
		Operation:          claim.Operation,
		IdempotencyKey:     claim.Key,
		Fingerprint:        claim.Fingerprint.Sum[:],
		FingerprintVersion: claim.Fingerprint.Version,
		ReplaySeconds:      claim.WindowSeconds,
	})
	return err
}

func (keysOfCaller) Load(ctx context.Context, db idem.DBTX, operation, key string) (idem.Record, error) {
	row, err := idemdb.New().LoadAccountKey(ctx, db, idemdb.LoadAccountKeyParams{
		TenantID: caller().TenantID, UserID: caller().UserID, Operation: operation, IdempotencyKey: key,
	})
	return idem.Record{
		Fingerprint:        row.Fingerprint,
		FingerprintVersion: row.FingerprintVersion,
		Expired:            row.Expired,
		Status:             row.Status,
		Headers:            row.Headers,
		Body:               row.Body,
	}, err
}

func (keysOfCaller) Finish(ctx context.Context, db idem.DBTX, operation, key string, response idem.Recorded) error {
	_, err := idemdb.New().FinishAccountKey(ctx, db, idemdb.FinishAccountKeyParams{
		Status: response.Status, Headers: response.Headers, Body: response.Body,
		TenantID: caller().TenantID, UserID: caller().UserID, Operation: operation, IdempotencyKey: key,
	})
	return err
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
	return orderapi.NewIdempotentServer(idem.New(pool, idem.WithLogger(quiet())), scopes{}, business{})
}

type scopes struct{}

func (scopes) AccountScope(context.Context) (orderapi.AccountScope, error) { return caller(), nil }

func (scopes) DailyScope(context.Context) (orderapi.DailyScope, error) {
	return orderapi.DailyScope(caller()), nil
}

type business struct{}

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
