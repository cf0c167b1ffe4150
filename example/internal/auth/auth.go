// Package auth says who is calling: an account by its bearer token, or a
// payment provider by its secret.
package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// ErrUnauthenticated means that the caller has not shown who they are.
var ErrUnauthenticated = errors.New("unauthenticated")

// ProviderSecretHeader carries a payment provider's secret.
const ProviderSecretHeader = "X-Provider-Secret" //nolint:gosec // the name of a header, no credential

type (
	accountKey  struct{}
	providerKey struct{}
)

// Callers finds out who is calling. It implements [orderapi.ScopeResolver] and
// is safe for concurrent use.
type Callers struct {
	db      orderdb.DBTX
	queries *orderdb.Queries
}

var _ orderapi.ScopeResolver = (*Callers)(nil)

// NewCallers returns Callers that look tokens and secrets up in db.
func NewCallers(db orderdb.DBTX) *Callers {
	return &Callers{db: db, queries: orderdb.New()}
}

// Identify returns middleware that leaves in the request's context who is
// calling. It turns nobody away; whether an operation is open to the caller
// is for Authenticate to say. It needs the router's path values. fail answers
// when the database could not be asked.
func (c *Callers) Identify(fail func(http.ResponseWriter, *http.Request, error)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, err := c.identify(r)
			if err != nil {
				fail(w, r, err)
				return
			}
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// Authenticate is the request validator's hook: it says whether the caller
// meets one security scheme of the operation.
func (c *Callers) Authenticate(ctx context.Context, input *openapi3filter.AuthenticationInput) error {
	var known bool
	switch input.SecuritySchemeName {
	case "bearer":
		_, known = ctx.Value(accountKey{}).(orderapi.AccountScope)
	case "providerSignature":
		_, known = ctx.Value(providerKey{}).(string)
	}
	if !known {
		return ErrUnauthenticated
	}
	return nil
}

// AccountScope is the account whose token came with the request, or
// [ErrUnauthenticated].
func (c *Callers) AccountScope(ctx context.Context) (tenantID uuid.UUID, userID int64, err error) {
	account, ok := ctx.Value(accountKey{}).(orderapi.AccountScope)
	if !ok {
		return uuid.UUID{}, 0, ErrUnauthenticated
	}
	return account.TenantID, account.UserID, nil
}

func (c *Callers) identify(r *http.Request) (context.Context, error) {
	ctx := r.Context()
	if token, ok := bearerToken(r.Header); ok {
		account, err := c.account(ctx, token)
		switch {
		case err == nil:
			ctx = context.WithValue(ctx, accountKey{}, account)
		case !errors.Is(err, ErrUnauthenticated):
			return nil, err
		}
	}
	if secret, provider := r.Header.Get(ProviderSecretHeader), r.PathValue("provider"); secret != "" && provider != "" {
		switch err := c.checkProvider(ctx, provider, secret); {
		case err == nil:
			ctx = context.WithValue(ctx, providerKey{}, provider)
		case !errors.Is(err, ErrUnauthenticated):
			return nil, err
		}
	}
	return ctx, nil
}

func (c *Callers) account(ctx context.Context, token string) (orderapi.AccountScope, error) {
	row, err := c.queries.AccountOfToken(ctx, c.db, Digest(token))
	if errors.Is(err, pgx.ErrNoRows) {
		return orderapi.AccountScope{}, ErrUnauthenticated
	}
	if err != nil {
		return orderapi.AccountScope{}, fmt.Errorf("look the token up: %w", err)
	}
	return orderapi.AccountScope{TenantID: row.TenantID, UserID: row.UserID}, nil
}

func (c *Callers) checkProvider(ctx context.Context, provider, secret string) error {
	want, err := c.queries.ProviderSecret(ctx, c.db, provider)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrUnauthenticated
	}
	if err != nil {
		return fmt.Errorf("look the provider up: %w", err)
	}
	if subtle.ConstantTimeCompare(want, Digest(secret)) != 1 {
		return ErrUnauthenticated
	}
	return nil
}

// Digest is what the database keeps of a token or secret. Tokens are long and
// random, so that a plain hash does.
func Digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func bearerToken(header http.Header) (string, bool) {
	scheme, token, ok := strings.Cut(header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", false
	}
	return token, true
}
