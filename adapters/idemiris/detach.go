package idemiris

import (
	"context"
	"slices"

	"github.com/kataras/iris/v12"
	"github.com/kataras/iris/v12/core/memstore"
)

// Detach returns the context of the request that ctx is iris's context of, with a
// copy of its values. It ends when the client goes, and stays what it is when iris
// uses its own for another request. Another context is returned as it is.
func Detach(ctx context.Context) context.Context {
	pooled, ok := ctx.(iris.Context)
	if !ok {
		return ctx
	}
	return detached{pooled.Request().Context(), slices.Clone(*pooled.Values())}
}

type detached struct {
	context.Context //nolint:containedctx // it is a context itself
	values          memstore.Store
}

// Value implements [context.Context].
func (d detached) Value(key any) any {
	if name, ok := key.(string); ok {
		if entry, ok := d.values.GetEntry(name); ok {
			return entry.ValueRaw
		}
	}
	return d.Context.Value(key)
}
