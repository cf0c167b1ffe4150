// Command routers serves one API with the framework that it is told.
//
//	routers -framework chi -database-url postgres://…
//
// It prints its address once it serves, and ends with SIGTERM.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"

	chi "example.com/routers/chi"
	echo "example.com/routers/echo"
	echo5 "example.com/routers/echo5"
	fiber "example.com/routers/fiber"
	fiber3 "example.com/routers/fiber3"
	gin "example.com/routers/gin"
	gorilla "example.com/routers/gorilla"
	iris "example.com/routers/iris"
	stdhttp "example.com/routers/std-http"
	"github.com/idemgen/idemgen/idem"
)

// serve are the services, by framework.
var serve = map[string]func(context.Context, net.Listener, *pgxpool.Pool, *idem.Guard) error{
	"std-http": stdhttp.Serve, "chi": chi.Serve, "gorilla": gorilla.Serve,
	"echo": echo.Serve, "echo5": echo5.Serve, "gin": gin.Serve,
	"fiber": fiber.Serve, "fiber3": fiber3.Serve, "iris": iris.Serve,
}

func main() {
	framework := flag.String("framework", "", "framework to serve with")
	databaseURL := flag.String("database-url", "", "PostgreSQL to use")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *framework, *databaseURL); err != nil {
		slog.Error("routers failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, framework, databaseURL string) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	guard, err := idem.New(pool, idem.WithMaxResponse(1<<16))
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return serve[framework](ctx, listener, pool, guard)
}
