// Package nethttp serves the frameworks that have a handler of net/http.
package nethttp

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Serve serves until ctx is over.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Shutdown(context.WithoutCancel(ctx))
	}
}

// Identify puts the caller's name into the context, under key.
func Identify(key any) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key, r.Header.Get("X-Account"))))
		})
	}
}
