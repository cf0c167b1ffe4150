package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/corpustest"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// corpusCase makes one operation of a real API description idempotent.
type corpusCase struct {
	file, path, method, key string
	fields                  []string
	refused                 []string // a part of each error, in order
}

var corpusCases = []corpusCase{
	{
		file: "adyen-TransferService-v4.yaml", path: "/transfers", method: "post", key: "Idempotency-Key",
		fields: []string{"body.amount.value", "body.amount.currency", "body.balanceAccountId", "body.category", "body.priorities[]", "body.executionDate.date"},
	},
	{
		file: "adyen-TransferService-v4.yaml", path: "/transfers", method: "post", key: "Idempotency-Key",
		fields:  []string{"body.counterparty.bankAccount.accountIdentification"},
		refused: []string{"body.counterparty.bankAccount.accountIdentification is kept as raw JSON whose defaults only the validating middleware fills in"},
	},
	{
		file: "adyen-TransferService-v4.yaml", path: "/transfers/{transferId}/returns", method: "post", key: "Idempotency-Key",
		fields: []string{"path.transferId", "body.amount.value", "body.amount.currency", "body.reference"},
	},
	{
		file: "adyen-TransferService-v4.yaml", path: "/transfers/approve", method: "post", key: "Idempotency-Key",
		fields: []string{"body.transferIds[]"},
	},
	{
		file: "adyen-TransferService-v4.yaml", path: "/grants", method: "post", key: "Idempotency-Key",
		fields: []string{"body.grantAccountId", "body.grantOfferId", "body.counterparty.balanceAccountId"},
	},
	{
		file: "paypal-payments_payouts_batch_v1.json", path: "/v1/payments/payouts", method: "post", key: "PayPal-Request-Id",
		fields: []string{
			"body.sender_batch_header.sender_batch_id", "body.items[].receiver", "body.items[].amount.value", "body.items[].amount.currency",
			"body.items[].purpose", "body.items[].alternate_notification_method.phone.national_number",
		},
	},
	{
		file: "paypal-payments_payouts_batch_v1.json", path: "/v1/payments/payouts-item/{payout_item_id}/cancel", method: "post", key: "PayPal-Request-Id",
		fields: []string{"path.payout_item_id"},
	},
	{
		file: "paypal-vault_payment_tokens_v3.json", path: "/v3/vault/payment-tokens", method: "post", key: "PayPal-Request-Id",
		fields: []string{"body.customer.id", "body.payment_source.card.number", "body.payment_source.token.id"},
	},
	{
		file: "paypal-vault_payment_tokens_v3.json", path: "/v3/vault/setup-tokens", method: "post", key: "PayPal-Request-Id",
		fields:  []string{"body.customer.id", "body.payment_source"},
		refused: []string{"body.payment_source.token.attributes, which body.payment_source includes, is free-form JSON"},
	},
	{
		file: "formance-ledger-v3.yaml", path: "/v2/{ledger}/transactions", method: "post", key: "Idempotency-Key",
		fields: []string{
			"path.ledger", "body.postings[].amount", "body.postings[].asset", "body.postings[].source", "body.postings[].destination",
			"body.reference", "body.timestamp", "body.metadata", "body.accountMetadata",
		},
	},
	{
		file: "formance-ledger-v3.yaml", path: "/v2/{ledger}/transactions/{id}/revert", method: "post", key: "Idempotency-Key",
		fields: []string{"path.ledger", "path.id", "query.force", "query.atEffectiveDate", "body.metadata"},
	},
	{
		file: "formance-ledger-v3.yaml", path: "/v2/{ledger}/transactions/{id}/metadata", method: "post", key: "Idempotency-Key",
		fields: []string{"body"},
	},
	{
		file: "formance-ledger-v3.yaml", path: "/v2/{ledger}/accounts/{address}/metadata", method: "post", key: "Idempotency-Key",
		fields: []string{"body"},
	},
	{
		file: "formance-ledger-v3.yaml", path: "/v2/{ledger}/_bulk", method: "post", key: "Idempotency-Key",
		fields: []string{"query.atomic", "body[]"},
	},
	{
		file: "moov-paygate.yaml", path: "/transfers", method: "post", key: "X-Idempotency-Key",
		fields: []string{"header.X-Organization", "body.amount.value", "body.amount.currency", "body.source.accountID", "body.destination.accountID", "body.sameDay"},
	},
	{
		file: "moov-paygate.yaml", path: "/micro-deposits", method: "post", key: "Idempotency-Key",
		fields: []string{"header.X-Organization", "body.destination.customerID", "body.destination.accountID"},
	},
	{
		file: "moov-paygate.yaml", path: "/transfers/{transferID}", method: "delete", key: "Idempotency-Key",
		fields: []string{"path.transferID", "header.X-Organization"},
	},
	{
		file: "xero_bankfeeds.yaml", path: "/Statements", method: "post", key: "Idempotency-Key",
		fields: []string{
			"header.Xero-Tenant-Id", "body.items[].feedConnectionId", "body.items[].startDate", "body.items[].startBalance.amount",
			"body.items[].statementLines[].amount", "body.items[].statementLines[].transactionId", "body.items[].statementLines[].postedDate",
		},
	},
	{
		file: "xero_bankfeeds.yaml", path: "/FeedConnections", method: "post", key: "Idempotency-Key",
		fields: []string{"header.Xero-Tenant-Id", "body.items[].accountToken", "body.items[].currency"},
	},
	{
		file: "xero_bankfeeds.yaml", path: "/FeedConnections/DeleteRequests", method: "post", key: "Idempotency-Key",
		fields: []string{"header.Xero-Tenant-Id", "body.items[].id"},
	},
	{
		file: "xero-projects.yaml", path: "/Projects/{projectId}/Time", method: "post", key: "Idempotency-Key",
		fields: []string{"header.Xero-Tenant-Id", "path.projectId", "body.userId", "body.taskId", "body.dateUtc", "body.duration"},
	},
	{
		file: "xero-projects.yaml", path: "/Projects/{projectId}/Tasks", method: "post", key: "Idempotency-Key",
		fields: []string{"path.projectId", "body.name", "body.rate.value", "body.rate.currency", "body.chargeType"},
	},
	{
		file: "xero-projects.yaml", path: "/Projects/{projectId}", method: "patch", key: "Idempotency-Key",
		fields: []string{"path.projectId", "body.status"},
	},
	{
		file: "twilio_verify_v2.yaml", path: "/v2/Services/{ServiceSid}/Verifications", method: "post", key: "Idempotency-Key",
		fields: []string{"path.ServiceSid", "body.To", "body.Channel"},
	},
	{
		file: "twilio_verify_v2.yaml", path: "/v2/Services/{ServiceSid}/Verifications", method: "post", key: "Idempotency-Key",
		fields: []string{"body.RateLimits"}, refused: []string{`read it as text with the overlay action {target: "$.paths['/v2/Services/{ServiceSid}/Verifications'].post.requestBody.content['application/x-www-form-urlencoded'].schema.properties.RateLimits", update: {type: string}}`},
	},
}

// TestCorpus annotates real descriptions by overlay, and expects each declared field
// in the plan, or the error for its form.
func TestCorpus(t *testing.T) {
	dir := corpustest.Folder(t)
	for _, test := range corpusCases {
		t.Run(test.file+test.path, func(t *testing.T) {
			overlay := filepath.Join(t.TempDir(), "overlay.yaml")
			if err := os.WriteFile(overlay, []byte(test.operation().Overlay()), 0o600); err != nil {
				t.Fatal(err)
			}
			doc, list := spec.Load(filepath.Join(dir, test.file), overlay)
			if list.HasErrors() {
				t.Fatal(list.Error())
			}
			contract, list := Contract(doc, Options{})
			checkPositions(t, list)
			var errors []string
			for _, d := range list {
				if d.Severity == 0 {
					errors = append(errors, d.String())
				}
			}
			if len(errors) != len(test.refused) {
				t.Fatalf("%d errors, want %d: %s", len(errors), len(test.refused), strings.Join(errors, "\n"))
			}
			for i, want := range test.refused {
				if !strings.Contains(errors[i], want) {
					t.Errorf("error %q does not say %q", errors[i], want)
				}
			}
			if len(errors) == 0 {
				test.checkFields(t, contract.Operations[0])
				checkRestored(t, contract)
			}
		})
	}
}

func (c corpusCase) operation() corpustest.Operation {
	return corpustest.Operation{File: c.file, Path: c.path, Method: c.method, Key: c.key, Fields: c.fields}
}

func (c corpusCase) checkFields(t *testing.T, operation *model.Operation) {
	t.Helper()
	for _, field := range c.fields {
		if !hasField(operation.Fingerprint.Roots, field) {
			t.Errorf("field %s is not in the plan", field)
		}
	}
}

func hasField(nodes []*model.Node, full string) bool {
	for _, n := range nodes {
		if n.Full == full || hasField(n.Members, full) || n.Elem != nil && hasField([]*model.Node{n.Elem}, full) {
			return true
		}
	}
	return false
}
