package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/idemgen/idemgen/example/internal/auth"
	"github.com/idemgen/idemgen/example/internal/database"
	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/sample"
	"github.com/idemgen/idemgen/pgserver/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

func TestAccounts(t *testing.T) {
	callers := auth.NewCallers(samplePool(t))
	ada := orderapi.AccountScope{TenantID: sample.TenantID, UserID: sample.UserID}
	tests := []struct {
		name, authorization string
		known               bool
	}{
		{"token", "Bearer " + sample.Token, true},
		{"scheme in another case", "bearer " + sample.Token, true},
		{"nothing", "", false},
		{"unknown token", "Bearer " + sample.Token + "x", false},
		{"no token", "Bearer ", false},
		{"another scheme", "Basic " + sample.Token, false},
		{"token alone", sample.Token, false},
		{"token twice", "Bearer " + sample.Token + " " + sample.Token, false},
		{"not UTF-8", "Bearer \xff\x00", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := identified(t, callers, "/orders", http.Header{"Authorization": {tt.authorization}})
			tenantID, userID, err := callers.AccountScope(ctx)
			account := orderapi.AccountScope{TenantID: tenantID, UserID: userID}
			if tt.known && (err != nil || account != ada) {
				t.Errorf("got %v, %v", account, err)
			}
			if !tt.known && !errors.Is(err, auth.ErrUnauthenticated) {
				t.Errorf("got %v, %v, want ErrUnauthenticated", account, err)
			}
			if err := callers.Authenticate(ctx, scheme("bearer")); (err == nil) != tt.known {
				t.Errorf("Authenticate: %v", err)
			}
			if err := callers.Authenticate(ctx, scheme("providerSignature")); err == nil {
				t.Error("a customer passed for a provider")
			}
		})
	}
}

func TestProviders(t *testing.T) {
	callers := auth.NewCallers(samplePool(t))
	tests := []struct {
		name, path, secret string
		known              bool
	}{
		{"secret", "/providers/acmepay/payments", sample.ProviderSecret, true},
		{"nothing", "/providers/acmepay/payments", "", false},
		{"wrong secret", "/providers/acmepay/payments", sample.ProviderSecret + "x", false},
		{"unknown provider", "/providers/nopay/payments", sample.ProviderSecret, false},
		{"another path", "/orders", sample.ProviderSecret, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := identified(t, callers, tt.path, http.Header{auth.ProviderSecretHeader: {tt.secret}})
			if err := callers.Authenticate(ctx, scheme("providerSignature")); (err == nil) != tt.known {
				t.Errorf("Authenticate: %v", err)
			}
			if err := callers.Authenticate(ctx, scheme("bearer")); err == nil {
				t.Error("a provider passed for a customer")
			}
		})
	}
}

func TestUnknownSchemeIsRefused(t *testing.T) {
	callers := auth.NewCallers(nil)
	if err := callers.Authenticate(t.Context(), scheme("mutualTLS")); !errors.Is(err, auth.ErrUnauthenticated) {
		t.Errorf("got %v", err)
	}
}

func TestNoDatabaseIsNotAnUnknownCaller(t *testing.T) {
	pool := samplePool(t)
	pool.Close()
	callers := auth.NewCallers(pool)
	failed := false
	fail := func(http.ResponseWriter, *http.Request, error) { failed = true }
	handler := callers.Identify(fail)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the request went on")
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/orders", nil)
	r.Header.Set("Authorization", "Bearer "+sample.Token)
	handler.ServeHTTP(httptest.NewRecorder(), r)
	if !failed {
		t.Error("nothing was reported")
	}
}

// identified sends a request through Identify, behind a router, and returns
// the context that came out.
func identified(t *testing.T, callers *auth.Callers, path string, header http.Header) context.Context {
	t.Helper()
	var ctx context.Context
	fail := func(_ http.ResponseWriter, _ *http.Request, err error) { t.Error(err) }
	handler := callers.Identify(fail)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ctx = r.Context() }))
	mux := http.NewServeMux()
	mux.Handle("/orders", handler)
	mux.Handle("/providers/{provider}/payments", handler)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil)
	r.Header = header
	mux.ServeHTTP(httptest.NewRecorder(), r)
	if ctx == nil {
		t.Fatal("the request was turned away")
	}
	return ctx
}

func scheme(name string) *openapi3filter.AuthenticationInput {
	return &openapi3filter.AuthenticationInput{SecuritySchemeName: name}
}

func samplePool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.Pool(t)
	if err := database.Migrate(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	if err := sample.Fill(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	return pool
}
