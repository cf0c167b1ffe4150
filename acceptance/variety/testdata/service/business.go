package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	server "example.com/variety/idem"
)

// maxResponse is how many bytes a recorded response may have.
const maxResponse = 1000

// business writes down that it was run, and tells how often.
type business struct{ closed atomic.Int64 }

func (b *business) run(ctx context.Context, tx pgx.Tx, operation, what string) (server.Run, error) {
	const insert = "WITH this AS (INSERT INTO runs VALUES ($1, $2)) SELECT count(*) + 1 FROM runs WHERE operation = $1"
	run := server.Run{What: what}
	err := tx.QueryRow(ctx, insert, operation, what).Scan(&run.Run)
	return run, err
}

func amount(n *int64) string {
	if n == nil {
		return "none"
	}
	return strconv.FormatInt(*n, 10)
}

func (b *business) BodyKey(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.BodyKeyRequestObject) (server.BodyKeyResponseObject, error) {
	run, err := b.run(ctx, tx, "body key", amount(request.Body.Amount))
	return server.BodyKey201JSONResponse(run), err
}

func (b *business) OptionalKey(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.OptionalKeyRequestObject) (server.OptionalKeyResponseObject, error) {
	run, err := b.run(ctx, tx, "optional key", amount(request.Body.Amount))
	return server.OptionalKey201JSONResponse(run), err
}

func (b *business) Oddheader(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.OddheaderRequestObject) (server.OddheaderResponseObject, error) {
	run, err := b.run(ctx, tx, "odd header", amount(request.Body.Amount))
	return server.Oddheader201JSONResponse(run), err
}

func (b *business) N2Several(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.N2SeveralRequestObject) (server.N2SeveralResponseObject, error) {
	what := ""
	switch {
	case request.JSONBody != nil:
		what = "json " + amount(request.JSONBody.Amount)
	case request.ApplicationVndAcmePlusJSONBody != nil:
		what = "acme " + amount(request.ApplicationVndAcmePlusJSONBody.Amount)
	case request.FormdataBody != nil:
		what = "form " + amount(request.FormdataBody.Amount)
	case request.TextBody != nil:
		what = "text " + *request.TextBody
	}
	run, err := b.run(ctx, tx, "several", what)
	return server.N2Several201JSONResponse(run), err
}

func (b *business) Type(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.TypeRequestObject) (server.TypeResponseObject, error) {
	what := "nothing"
	switch {
	case request.JSONBody != nil:
		what = "json " + amount(request.JSONBody.Amount)
	case request.TextBody != nil:
		what = "text " + *request.TextBody
	}
	run, err := b.run(ctx, tx, "optional body", what)
	return server.Type201JSONResponse(run), err
}

func (b *business) Download(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.DownloadRequestObject) (server.DownloadResponseObject, error) {
	run, err := b.run(ctx, tx, "download", "")
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf(`"%d"`, run.Run)
	return server.Download200ApplicationoctetStreamResponse{
		Body:    &file{Reader: io.LimitReader(strings.NewReader(strings.Repeat("\x00\xff", maxResponse)), request.Params.Size), closed: &b.closed},
		Headers: server.Download200ResponseHeaders{ETag: &tag},
	}, nil
}

// file counts how many files have been closed.
type file struct {
	io.Reader
	closed *atomic.Int64
}

func (f *file) Close() error {
	f.closed.Add(1)
	return nil
}

// Error answers as the request asks.
func (b *business) Error(ctx context.Context, tx pgx.Tx, _ server.TenantScope, request server.ErrorRequestObject) (server.ErrorResponseObject, error) {
	status := request.Params.Status
	run, err := b.run(ctx, tx, "outcome", strconv.Itoa(status))
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("run %d", run.Run)
	switch {
	case status == 204:
		return server.Error204Response{}, nil
	case status == 409:
		return server.Error409TextResponse{Body: title, Headers: server.Error409ResponseHeaders{XReason: &title}}, nil
	case status/100 == 4:
		return server.Error4XXApplicationProblemPlusJSONResponse{StatusCode: status, Body: server.Error{Title: title}}, nil
	default:
		return server.ErrordefaultJSONResponse{StatusCode: status, Body: server.Error{Title: title}}, nil
	}
}

func (b *business) GetClosed(context.Context, server.GetClosedRequestObject) (server.GetClosedResponseObject, error) {
	return server.GetClosed200TextResponse(strconv.FormatInt(b.closed.Load(), 10)), nil
}
