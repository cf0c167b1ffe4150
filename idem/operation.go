package idem

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	defaultWait       = 3 * time.Second
	defaultRetryAfter = 2 * time.Second
)

// DBTX is what a query function runs on: a pool, a connection, a transaction,
// or the runtime's own adapter that sends the query in a batch with others.
type DBTX interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// Operation is what the annotation of one operation says. It is never changed.
type Operation struct {
	Name          string          // as stored with each key
	Key           KeyRule         // what a key must look like
	Final         []StatusPattern // statuses that are recorded and replayed
	Window        time.Duration   // how long a record is replayed
	ReplayHeaders []string        // recorded besides Content-Type
	Wait          time.Duration   // one deadline for gate, pool and claim; 0 is 3 s
	RetryAfter    time.Duration   // what 409 and 503 advise; 0 is 2 s
	Statuses      Statuses
}

// Statuses are the statuses of the problems that an operation may choose.
// Zero is the default.
type Statuses struct {
	Mismatch int // 422
	InFlight int // 409
	Expired  int // 410
}

// StatusPattern is a status, like "201", or a class of them, like "2XX".
type StatusPattern string

// Match reports whether status is one of p.
func (p StatusPattern) Match(status int) bool {
	if len(p) != 3 || status < 100 || status > 999 {
		return false
	}
	if p[1:] == "XX" {
		return int(p[0]-'0') == status/100
	}
	return int(p[0]-'0') == status/100 && int(p[1]-'0') == status/10%10 && int(p[2]-'0') == status%10
}

// Call is what one request brings: its key as the client spelt it, nil when
// there is none, and its fingerprint under every version that the code knows,
// the newest first.
type Call struct {
	Key          *string
	Fingerprints []Fingerprint
}

// Outcome is what a business function returned, and how to render it. The zero
// Outcome, no response at all, is a mistake and rolls back.
type Outcome struct {
	Response any
	Render   func(http.ResponseWriter) error
}

// Keys is the key table of one scope. Its dynamic type must be comparable: equal
// values are the same scope. It is implemented by generated code.
//
// Each method runs exactly one statement on the DBTX it is given, with Exec,
// Query or QueryRow, and reads its result before it returns.
type Keys interface {
	// Claim inserts the key. It returns [pgx.ErrNoRows] when the key exists or
	// another transaction is deciding it.
	Claim(ctx context.Context, db DBTX, claim Claim) error
	// Load reads the record. It returns [pgx.ErrNoRows] when there is none.
	Load(ctx context.Context, db DBTX, operation, key string) (Record, error)
	// Finish stores the response in the row that this very transaction claimed. It
	// fails when there is none.
	Finish(ctx context.Context, db DBTX, operation, key string, response Recorded) error
}

// Claim is a key to be inserted.
type Claim struct {
	Operation     string
	Key           string
	Fingerprint   Fingerprint
	WindowSeconds int64
}

// Record is a committed key. An expired one has no response.
type Record struct {
	Fingerprint        []byte
	FingerprintVersion int16
	Expired            bool
	Status             int16
	Headers            []byte // as in Recorded
	Body               []byte
}

// Recorded is a response to be stored.
type Recorded struct {
	Status  int16
	Headers []byte // an HTTP header block: "Name: value\r\n" each
	Body    []byte
}

func (o *Operation) final(status int) bool {
	for _, pattern := range o.Final {
		if pattern.Match(status) {
			return true
		}
	}
	return false
}

// undoes reports whether a final response may undo what the business function
// wrote: if statuses from 400 on can be final.
func (o *Operation) undoes() bool {
	return slices.ContainsFunc(o.Final, func(p StatusPattern) bool { return p != "" && p[0] >= '4' })
}

func (o *Operation) wait() time.Duration {
	if o.Wait <= 0 {
		return defaultWait
	}
	return o.Wait
}

func (o *Operation) retryAfter() time.Duration {
	if o.RetryAfter <= 0 {
		return defaultRetryAfter
	}
	return o.RetryAfter
}

// windowSeconds rounds up: a record is never replayed for less than its window.
func (o *Operation) windowSeconds() int64 {
	return int64((o.Window + time.Second - 1) / time.Second)
}
