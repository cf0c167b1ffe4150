// Package byhand is the idempotency protocol as a service would write it by
// hand, a statement at a time: correct once, and then with one defect each that
// such code has had elsewhere. The fault driver must find every defect and
// nothing wrong with the correct one.
package byhand

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/faults/paymentapi"
	"example.com/faults/transfer"
)

// defects are what may be wrong.
type defects struct {
	claimEarly    bool // the claim is committed before the business function runs
	recordLate    bool // the response is recorded after the commit
	assumeFailure bool // a COMMIT without an answer is said to have done nothing
	freeKey       bool // the key of a COMMIT without an answer is deleted, for the retry
}

var protocols = map[string]defects{
	"correct":               {},
	"claim-committed-early": {claimEarly: true},
	"recorded-after-commit": {recordLate: true},
	"failure-assumed":       {assumeFailure: true},
	"key-freed":             {freeKey: true},
}

// New returns the operations under a protocol of the given name. What follows the
// business function is given timeout, whatever the client does.
func New(pool *pgxpool.Pool, protocol string, scopes paymentapi.ScopeResolver, business paymentapi.IdempotentOperations, timeout time.Duration) (paymentapi.StrictServerInterface, error) {
	defects, ok := protocols[protocol]
	if !ok {
		return nil, fmt.Errorf("there is no protocol %q", protocol)
	}
	s := server{table: payments(), pool: pool, defects: defects, scopes: scopes, business: business, timeout: timeout}
	t := s
	t.table = transfers()
	return servers{&s, &t}, nil
}

// servers are one for each operation.
type servers struct {
	*server   // of payments
	transfers *server
}

// CreateTransfer implements [paymentapi.StrictServerInterface].
func (s servers) CreateTransfer(ctx context.Context, request paymentapi.CreateTransferRequestObject) (paymentapi.CreateTransferResponseObject, error) {
	return transfer.Answer(s.transfers.CreatePayment(ctx, transfer.AsPayment(request)))
}

type server struct {
	table    table
	pool     *pgxpool.Pool
	defects  defects
	scopes   paymentapi.ScopeResolver
	business paymentapi.IdempotentOperations
	timeout  time.Duration
}

// CreatePayment implements [paymentapi.StrictServerInterface].
func (s *server) CreatePayment(ctx context.Context, request paymentapi.CreatePaymentRequestObject) (paymentapi.CreatePaymentResponseObject, error) {
	account, err := s.scopes.AccountScope(ctx)
	if err != nil {
		return nil, err
	}
	if request.Params.IdempotencyKey == nil {
		return keyMissing.answer(), nil
	}
	meaning := sha256.Sum256(fmt.Append(nil, request.Body.Amount))
	c := &call{server: s, scope: paymentapi.AccountScope{AccountID: account}, key: *request.Params.IdempotencyKey, fingerprint: meaning[:], request: request}
	return c.run(ctx)
}

// call is one call on its way.
type call struct {
	*server
	scope       paymentapi.AccountScope
	key         string
	fingerprint []byte
	request     paymentapi.CreatePaymentRequestObject
}

func (c *call) run(ctx context.Context) (paymentapi.CreatePaymentResponseObject, error) {
	if c.defects.claimEarly {
		if taken := c.claim(ctx, c.pool); taken != nil {
			return taken, nil
		}
	}
	tx, err := c.pool.Begin(ctx)
	if err != nil {
		return unavailable.answer(), nil // said without the cause
	}
	defer func() {
		ctx, stop := c.detached(ctx)
		defer stop()
		_ = tx.Rollback(ctx) // nothing, once it is committed
	}()
	if !c.defects.claimEarly {
		if taken := c.claim(ctx, tx); taken != nil {
			return taken, nil
		}
	}
	return c.execute(ctx, tx)
}

func (c *call) detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
}

// execute runs the business function, records and commits.
func (c *call) execute(ctx context.Context, tx pgx.Tx) (paymentapi.CreatePaymentResponseObject, error) {
	response, final, err := c.attempt(ctx, tx)
	if err != nil || !final {
		c.forgetEarlyClaim(ctx)
		return response, err
	}
	ctx, stop := c.detached(ctx)
	defer stop()
	if !c.defects.recordLate {
		if err := c.record(ctx, tx, response); err != nil {
			return c.commitFailed(ctx, err), nil
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return c.commitFailed(ctx, err), nil
	}
	if c.defects.recordLate {
		if err := c.record(ctx, c.pool, response); err != nil {
			return outcomeUnknown.answer(), nil // it is committed; said without the cause
		}
	}
	return response, nil
}

// attempt runs the business function in a savepoint, which a final refusal
// undoes. A panic is passed on.
func (c *call) attempt(ctx context.Context, tx pgx.Tx) (response *answer, final bool, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			c.forgetEarlyClaim(ctx)
			panic(thrown)
		}
	}()
	savepoint, err := tx.Begin(ctx)
	if err != nil {
		return nil, false, err
	}
	outcome, err := c.business.CreatePayment(ctx, savepoint, c.scope, c.request)
	if err != nil {
		return nil, false, err
	}
	if response, err = render(outcome); err != nil {
		return nil, false, err
	}
	switch {
	case response.status == http.StatusCreated:
		return response, true, savepoint.Commit(ctx)
	case response.status == http.StatusPaymentRequired && c.table.declinedFinal:
		return response, true, savepoint.Rollback(ctx)
	default:
		return response, false, nil
	}
}

// commitFailed says what became of a transaction whose end failed.
func (c *call) commitFailed(ctx context.Context, err error) *answer {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.SeverityUnlocalized == "ERROR" {
		c.forgetEarlyClaim(ctx)
		return unavailable.answer()
	}
	if c.defects.assumeFailure {
		return unavailable.answer()
	}
	if c.defects.freeKey {
		c.freeKey(ctx)
	}
	return outcomeUnknown.answer()
}
