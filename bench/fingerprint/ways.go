package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/idemgen/idemgen/bench/service/orderapi"
	"github.com/idemgen/idemgen/idem/fingerprint"
)

// order is a request, as it comes and as the strict server decodes it.
type order struct {
	raw     []byte
	decoded orderapi.PurchaseOrder
}

// newOrder makes an order of that many bytes of JSON, most of which are its lines.
func newOrder(size int) (*order, error) {
	const head = `{"order_id":"0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e","currency":"EUR","total":129900,"reference":"PO-2026-000117",` +
		`"express":true,"ordered_at":"2026-03-01T09:30:00Z","ship_to":{"name":"Ada Lovelace","city":"Köln","postcode":"50667"},` +
		`"labels":{"channel":"web","campaign":"spring"},"lines":[`
	const line = `{"sku":"SKU-%06d","quantity":3,"price":1250,"note":"engraved: For Ada, with love","gift":true}`
	const tail = `]}`
	text := []byte(head)
	for i := 0; ; i++ {
		next := fmt.Sprintf(line, i)
		if missing := size - len(text) - len(next) - len(tail); missing < len(next)+1 {
			padded := strings.Replace(next, "love", "love"+strings.Repeat("!", missing), 1)
			text = append(append(text, padded...), tail...)
			break
		}
		text = append(append(text, next...), ',')
	}
	if len(text) != size {
		return nil, fmt.Errorf("the body has %d bytes, not %d", len(text), size)
	}
	o := &order{raw: text}
	return o, json.Unmarshal(o.raw, &o.decoded)
}

// way is a way to hash a request.
type way struct {
	name string
	hash func() error
}

func (w way) benchmark(b *testing.B) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if err := w.hash(); err != nil {
			b.Fatal(err)
		}
	}
}

// ways are those that are measured. The first is what the others are compared to.
func (o *order) ways() []way {
	generated := func(of func(*orderapi.PurchaseOrder) fingerprint.Fingerprint) func() error {
		return func() error {
			if of(&o.decoded).Version != 1 {
				return errors.New("no fingerprint")
			}
			return nil
		}
	}
	return []way{
		{"SHA-256 of the raw body", func() error {
			sha256.Sum256(o.raw)
			return nil
		}},
		{"generated, 6 scalars", generated(orderapi.FingerprintScalars)},
		{"generated, 6 fields, 2 of them in each line", generated(orderapi.FingerprintLines)},
		{"generated, all fields", generated(orderapi.FingerprintWhole)},
		{"json.Marshal and SHA-256", func() error {
			text, err := json.Marshal(&o.decoded)
			sha256.Sum256(text)
			return err
		}},
		{"RFC 8785 and SHA-256", func() error {
			text, err := jcs.Transform(o.raw)
			sha256.Sum256(text)
			return err
		}},
		{"for scale: json.Unmarshal, which every server does", func() error {
			var decoded orderapi.PurchaseOrder
			return json.Unmarshal(o.raw, &decoded)
		}},
	}
}
