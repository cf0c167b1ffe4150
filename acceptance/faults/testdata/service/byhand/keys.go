package byhand

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/textproto"

	"github.com/jackc/pgx/v5"

	"example.com/faults/idemdb"
)

// claim returns nil if the call has the key now, and else what to answer.
func (c *call) claim(ctx context.Context, db idemdb.DBTX) *answer {
	_, err := c.table.claim(ctx, db, idemdb.ClaimAccountKeyParams{
		AccountID:      c.scope.AccountID,
		Operation:      c.table.operation,
		IdempotencyKey: c.key,
		Fingerprint:    c.fingerprint,
		ReplaySeconds:  3600,
	})
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, pgx.ErrNoRows):
		return unavailable.answer()
	}
	return c.load(ctx, db)
}

// load answers from the record of another call.
func (c *call) load(ctx context.Context, db idemdb.DBTX) *answer {
	record, err := c.table.load(ctx, db, idemdb.LoadAccountKeyParams{
		AccountID:      c.scope.AccountID,
		Operation:      c.table.operation,
		IdempotencyKey: c.key,
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return inFlight.answer()
	case err != nil:
		return unavailable.answer()
	case !bytes.Equal(record.Fingerprint, c.fingerprint):
		return keyReused.answer()
	case record.Status == 0:
		return inFlight.answer()
	}
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(record.Headers, "\r\n"...)))).ReadMIMEHeader()
	if err != nil {
		return unreadable.answer()
	}
	return &answer{status: int(record.Status), header: http.Header(header), body: record.Body, replayed: true}
}

func (c *call) record(ctx context.Context, db idemdb.DBTX, response *answer) error {
	var headers bytes.Buffer
	if err := response.header.Write(&headers); err != nil {
		return err
	}
	_, err := c.table.finish(ctx, db, idemdb.FinishAccountKeyParams{
		Status:         int16(response.status),
		Headers:        headers.Bytes(),
		Body:           response.body,
		AccountID:      c.scope.AccountID,
		Operation:      c.table.operation,
		IdempotencyKey: c.key,
	})
	return err
}

// forgetEarlyClaim frees the key after a known failure. With the claim in the
// transaction there is nothing to do.
func (c *call) forgetEarlyClaim(ctx context.Context) {
	if c.defects.claimEarly {
		c.freeKey(ctx)
	}
}

func (c *call) freeKey(ctx context.Context) {
	ctx, stop := c.detached(ctx)
	defer stop()
	_, _ = c.pool.Exec(ctx, c.table.free, c.scope.AccountID, c.table.operation, c.key) // as well as it can
}
