package main

import (
	"context"

	"example.com/transfers/api"
)

// tenants knows the one tenant that there is.
type tenants struct{}

// TenantScope implements [api.ScopeResolver].
func (tenants) TenantScope(context.Context) (api.TenantScope, error) {
	return api.TenantScope{TenantID: 1}, nil
}
