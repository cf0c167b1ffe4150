package scale

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// document writes a description as big companies have them: operations on resources
// that share schemas, with nested objects, enums and much prose. The first ones that
// post have x-idempotent. The same seed writes the same text.
type document struct {
	random     *rand.Rand
	operations int
	annotated  int
	properties int  // of each schema
	prose      int  // words of a description
	whole      bool // each fingerprint is the whole body

	strings.Builder
}

func (d *document) text() string {
	d.Reset()
	d.random = rand.New(rand.NewPCG(1, 2))
	d.line(0, `openapi: 3.0.3`)
	d.line(0, `info: {title: Large, version: "1"}`)
	d.line(0, `x-idempotent: {scopes: {tenant: {columns: [{name: tenant_id, type: uuid}]}}}`)
	d.line(0, "paths:")
	for i := 0; i < d.operations; i += 2 {
		d.resource(i)
	}
	d.line(0, "components:")
	d.line(1, "schemas:")
	for i := range d.operations / 2 {
		d.schema(i)
	}
	d.shared()
	return d.String()
}

func (d *document) line(indent int, format string, arguments ...any) {
	d.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(d, format, arguments...)
	d.WriteByte('\n')
}

// resource is a path with two operations.
func (d *document) resource(i int) {
	name := resourceName(i / 2)
	d.line(1, "/v1/accounts/{account_id}/%s_%d:", name, i)
	for j, method := range []string{"post", "get"} {
		d.line(2, "%s:", method)
		d.line(3, "operationId: %s%s", method, name)
		d.line(3, "summary: %s", d.words(6))
		d.line(3, "description: >-")
		d.paragraph(4)
		d.line(3, "tags: [%s]", name)
		if method == "post" && i/2 < d.annotated {
			d.annotation()
		}
		d.line(3, "parameters:")
		d.line(4, "- {name: account_id, in: path, required: true, schema: {type: string}, description: %s}", d.words(8))
		if j == 1 {
			d.line(4, "- {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 10}}")
			d.line(4, "- {name: cursor, in: query, schema: {type: string}}")
			d.line(4, "- {name: expand, in: query, schema: {type: array, items: {type: string}}}")
		} else {
			d.line(3, "requestBody:")
			d.line(4, "required: true")
			d.line(4, "content: {application/json: {schema: {$ref: '#/components/schemas/%s'}}}", name)
		}
		d.line(3, "responses:")
		d.line(4, "'20%d':", 1-j)
		d.line(5, "description: %s", d.words(5))
		d.line(5, "headers: {Request-Id: {schema: {type: string}}}")
		d.line(5, "content: {application/json: {schema: {$ref: '#/components/schemas/%s'}}}", name)
		d.line(4, "default:")
		d.line(5, "description: %s", d.words(5))
		d.line(5, "content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}")
	}
}

func (d *document) annotation() {
	if d.whole {
		d.line(3, "x-idempotent: {scope: tenant, fingerprint: [body]}")
		return
	}
	d.line(3, "x-idempotent:")
	d.line(4, "scope: tenant")
	d.line(4, "fingerprint:")
	d.line(5, "fields: [body.amount.value, body.amount.currency, body.reference, 'body.lines[].quantity']")
	d.line(5, "ignore: [body]")
}

func (d *document) schema(i int) {
	d.line(2, "%s:", resourceName(i))
	d.line(3, "type: object")
	d.line(3, "description: >-")
	d.paragraph(4)
	d.line(3, "required: [amount, reference]")
	d.line(3, "properties:")
	d.line(4, "amount: {$ref: '#/components/schemas/Amount'}")
	d.line(4, "address: {$ref: '#/components/schemas/Address'}")
	d.line(4, "reference: {type: string, maxLength: 80, description: %s}", d.words(10))
	d.line(4, "lines:")
	d.line(5, "type: array")
	d.line(5, "items:")
	d.line(6, "type: object")
	d.line(6, "properties:")
	d.line(7, "sku: {type: string}")
	d.line(7, "quantity: {type: integer, format: int32}")
	d.line(7, "unit_price: {$ref: '#/components/schemas/Amount'}")
	for p := range d.properties {
		d.property(p)
	}
}

func (d *document) property(p int) {
	name := fmt.Sprintf("%s_%d", d.word(), p)
	d.line(4, "%s:", name)
	d.line(5, "description: >-")
	d.paragraph(6)
	switch p % 6 {
	case 0:
		d.line(5, "type: string")
		d.line(5, "enum: [%s_a, %s_b, %s_c]", d.word(), d.word(), d.word())
	case 1:
		d.line(5, "type: integer")
		d.line(5, "format: int64")
	case 2:
		d.line(5, "type: string")
		d.line(5, "format: date-time")
	case 3:
		d.line(5, "type: object")
		d.line(5, "properties:")
		d.line(6, "id: {type: string, format: uuid}")
		d.line(6, "name: {type: string, example: %s}", d.word())
		d.line(6, "address: {$ref: '#/components/schemas/Address'}")
	case 4:
		d.line(5, "type: array")
		d.line(5, "items: {type: string, maxLength: 40}")
	case 5:
		d.line(5, "type: boolean")
		d.line(5, "default: false")
	}
}

func (d *document) shared() {
	for _, line := range []string{
		"Amount:", "  type: object", "  required: [value, currency]", "  properties:",
		"    value: {type: integer, format: int64}", "    currency: {type: string, enum: [EUR, USD, GBP, JPY]}",
		"Address:", "  type: object", "  properties:",
		"    street: {type: string}", "    city: {type: string}", "    country: {type: string, minLength: 2, maxLength: 2}",
		"Problem:", "  type: object", "  required: [title, status]", "  properties:",
		"    title: {type: string}", "    status: {type: integer, format: int32}", "    detail: {type: string}",
	} {
		d.line(2, "%s", line)
	}
}

func (d *document) paragraph(indent int) {
	for left := d.prose; left > 0; left -= 12 {
		d.line(indent, "%s.", d.words(min(left, 12)))
	}
}

func (d *document) words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = d.word()
	}
	return strings.Join(words, " ")
}

func (d *document) word() string { return vocabulary[d.random.IntN(len(vocabulary))] }

func resourceName(i int) string {
	return fmt.Sprintf("%s%d", vocabulary[i%len(vocabulary)], i)
}

var vocabulary = strings.Fields(`account balance bearer capture cardholder charge confirm currency customer
	delivery deposit dispute document invoice issuer ledger mandate merchant method network
	order partner payee payment payout period pricing product profile provider quota receipt
	refund region report reserve review reward schedule settlement shipment source statement
	status store subscription supplier tariff tenant terminal threshold transfer treasury
	verification voucher wallet webhook`)
