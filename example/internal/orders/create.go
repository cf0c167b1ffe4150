package orders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/idemgen/idemgen/example/internal/orderapi"
	"github.com/idemgen/idemgen/example/internal/orderdb"
)

// A line is one article of an order.
type line struct {
	position  int32
	sku       string
	quantity  int32
	unitPrice int64
}

// CreateOrder takes the articles from stock and writes the order. If there is
// not enough of one, it answers 409.
func (s *Shop) CreateOrder(ctx context.Context, tx pgx.Tx, account orderapi.AccountScope, request orderapi.CreateOrderRequestObject) (orderapi.CreateOrderResponseObject, error) {
	body := request.Body
	currency := string(valueOr(body.Currency, orderapi.EUR))
	lines := linesOf(body.Items)

	missing, err := s.takeFromStock(ctx, tx, account, currency, lines)
	if err != nil {
		return nil, fmt.Errorf("take from stock: %w", err)
	}
	if missing != "" {
		return outOfStock(missing, currency), nil
	}
	row, err := s.queries.InsertOrder(ctx, tx, orderdb.InsertOrderParams{
		TenantID:   account.TenantID,
		UserID:     account.UserID,
		Currency:   currency,
		Total:      total(lines),
		ShipName:   body.ShipTo.Name,
		ShipStreet: text(body.ShipTo.Street),
		ShipCity:   body.ShipTo.City,
		Note:       text(body.Note),
		TraceID:    text(body.TraceId),
	})
	if err != nil {
		return nil, fmt.Errorf("insert order: %w", err)
	}
	if _, err := s.queries.InsertOrderItems(ctx, tx, itemRows(row.ID, lines)); err != nil {
		return nil, fmt.Errorf("insert order items: %w", err)
	}
	return orderapi.CreateOrder201JSONResponse{
		Headers: orderapi.CreateOrder201ResponseHeaders{Location: "/orders/" + row.ID.String()},
		Body: orderapi.Order{
			Id:        row.ID,
			Status:    orderapi.OrderStatus(row.Status),
			Currency:  currency,
			Items:     items(lines),
			Total:     total(lines),
			CreatedAt: row.CreatedAt.UTC(),
		},
	}, nil
}

// takeFromStock takes every line and fills in its price. It returns the first
// article of which there is not enough. Articles are locked in the order of
// their names, so that two orders never wait for each other.
func (s *Shop) takeFromStock(ctx context.Context, tx pgx.Tx, account orderapi.AccountScope, currency string, lines []line) (missing string, err error) {
	sorted := make([]*line, len(lines))
	for i := range lines {
		sorted[i] = &lines[i]
	}
	slices.SortStableFunc(sorted, func(a, b *line) int { return cmp.Compare(a.sku, b.sku) })
	for _, l := range sorted {
		l.unitPrice, err = s.queries.TakeFromStock(ctx, tx, orderdb.TakeFromStockParams{
			TenantID: account.TenantID,
			Sku:      l.sku,
			Quantity: int64(l.quantity),
			Currency: currency,
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return l.sku, nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

func linesOf(items []orderapi.Item) []line {
	lines := make([]line, len(items))
	for i, item := range items {
		lines[i] = line{position: int32(i + 1), sku: item.Sku, quantity: valueOr(item.Quantity, 1)}
	}
	return lines
}

func items(lines []line) []orderapi.Item {
	items := make([]orderapi.Item, len(lines))
	for i, l := range lines {
		items[i] = orderapi.Item{Sku: l.sku, Quantity: &l.quantity}
	}
	return items
}

func itemRows(order uuid.UUID, lines []line) []orderdb.InsertOrderItemsParams {
	rows := make([]orderdb.InsertOrderItemsParams, len(lines))
	for i, l := range lines {
		rows[i] = orderdb.InsertOrderItemsParams{
			OrderID:   order,
			Position:  l.position,
			Sku:       l.sku,
			Quantity:  l.quantity,
			UnitPrice: l.unitPrice,
		}
	}
	return rows
}

func total(lines []line) (sum int64) {
	for _, l := range lines {
		sum += int64(l.quantity) * l.unitPrice
	}
	return sum
}

// valueOr is what p points to, or a default that the API declares.
func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// text is p for a column that may be null.
func text(p *string) pgtype.Text {
	return pgtype.Text{String: valueOr(p, ""), Valid: p != nil}
}
