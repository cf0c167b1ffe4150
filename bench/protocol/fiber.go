package main

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/idempotency"
	storage "github.com/gofiber/storage/postgres/v3"
	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// startFiber serves the plain transaction behind fiber's middleware, whose
// responses are stored in PostgreSQL after the handler has committed.
func startFiber(ctx context.Context, env *environment) (contender, error) {
	pool, err := env.newPool(ctx)
	if err != nil {
		return contender{}, err
	}
	store := storage.New(storage.Config{DB: pool})
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(idempotency.New(idempotency.Config{KeyHeader: "Idempotency-Key", Storage: store}))
	app.Post("/orders", func(c *fiber.Ctx) error {
		var body orderapi.NewOrder
		if err := c.BodyParser(&body); err != nil {
			return err
		}
		var created orderapi.Order
		err := pgx.BeginFunc(c.Context(), env.pool, func(tx pgx.Tx) (err error) {
			created, err = createOrder(c.Context(), execIn(tx), caller(), &body)
			return err
		})
		if err != nil {
			return err
		}
		c.Location("/orders/" + created.Id.String())
		return c.Status(http.StatusCreated).JSON(created)
	})
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return contender{}, err
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = app.Listener(listener) }) // until Shutdown
	call, hangUp := client("http://" + listener.Addr().String() + "/orders")
	return contender{name: nameFiber, http: true, replays: true, call: call, close: func() {
		hangUp()
		_ = app.Shutdown()
		serving.Wait()
		_ = store.Close()
	}}, nil
}
