package corpus

// description is one file of the corpus.
type description struct {
	file, pkg  string
	operations []operation
}

// operation is one that the overlay makes idempotent, and two requests of it.
type operation struct {
	name        string // its method in Go
	method, key string
	header      string // one that is required beside the key
	form        bool
	first       request
	other       request // means something else; what it leaves out is as in the first
}

type request struct{ path, header, body string }

const (
	defaultKey = "Idempotency-Key"
	paypalKey  = "PayPal-Request-Id"

	service  = "VAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	id1, id2 = "0d1f6a3e-6cfa-4ffb-8f4a-3b8a0b8f0f01", "0d1f6a3e-6cfa-4ffb-8f4a-3b8a0b8f0f02"
)

// descriptions has every operation that the corpus's README lists.
var descriptions = []description{
	{"adyen-TransferService-v4.yaml", "adyen", []operation{
		{
			name: "PostTransfers", method: "POST", key: defaultKey,
			first: request{path: "/transfers", body: `{"amount":{"value":110000,"currency":"EUR"},"balanceAccountId":"BA1","category":"bank","priorities":["fast","instant"],
				"counterparty":{"bankAccount":{"accountHolder":{"fullName":"A. Klaassen"},"accountIdentification":{"type":"iban","iban":"NL123"}}}}`},
			other: request{body: `{"amount":{"value":110000,"currency":"EUR"},"balanceAccountId":"BA1","category":"bank","priorities":["fast","instant"],
				"counterparty":{"bankAccount":{"accountHolder":{"fullName":"A. Klaassen"},"accountIdentification":{"type":"iban","iban":"NL124"}}}}`},
		},
		{
			name: "PostTransfersTransferIdReturns", method: "POST", key: defaultKey,
			first: request{path: "/transfers/T1/returns", body: `{"amount":{"value":9007199254740993,"currency":"EUR"},"reference":"r"}`},
			other: request{body: `{"amount":{"value":9007199254740992,"currency":"EUR"},"reference":"r"}`},
		},
		{
			name: "PostTransfersApprove", method: "POST", key: defaultKey,
			first: request{path: "/transfers/approve", body: `{"transferIds":["T1","T2"]}`},
			other: request{body: `{"transferIds":["T1"]}`},
		},
		{
			name: "PostGrants", method: "POST", key: defaultKey,
			first: request{path: "/grants", body: `{"grantAccountId":"G1","grantOfferId":"O1","counterparty":{"balanceAccountId":"B1"}}`},
			other: request{body: `{"grantAccountId":"G1","grantOfferId":"O1"}`},
		},
	}},
	{"paypal-payments_payouts_batch_v1.json", "payouts", []operation{
		{
			name: "PayoutsPost", method: "POST", key: paypalKey,
			first: request{path: "/v1/payments/payouts", body: `{"sender_batch_header":{"sender_batch_id":"B1"},"items":[{"receiver":"a@example.com","amount":{"value":"9.87","currency":"USD"}}]}`},
			other: request{body: `{"sender_batch_header":{"sender_batch_id":"B1"},"items":[{"receiver":"a@example.com","amount":{"value":"9.88","currency":"USD"}}]}`},
		},
		{
			name: "PayoutsItemCancel", method: "POST", key: defaultKey,
			first: request{path: "/v1/payments/payouts-item/I1/cancel"},
			other: request{path: "/v1/payments/payouts-item/I2/cancel"},
		},
	}},
	{"paypal-vault_payment_tokens_v3.json", "vault", []operation{
		{
			name: "PaymentTokensCreate", method: "POST", key: paypalKey,
			first: request{path: "/v3/vault/payment-tokens", body: `{"customer":{"id":"C1"},"payment_source":{"card":{"number":"4111111111111111","expiry":"2030-01"}}}`},
			other: request{body: `{"customer":{"id":"C1"},"payment_source":{"card":{"number":"4111111111111112","expiry":"2030-01"}}}`},
		},
		{
			name: "SetupTokensCreate", method: "POST", key: paypalKey,
			first: request{path: "/v3/vault/setup-tokens", body: `{"payment_source":{"token":{"id":"T1","type":"BILLING_AGREEMENT","attributes":{"n":9007199254740993}}}}`},
			other: request{body: `{"payment_source":{"token":{"id":"T1","type":"BILLING_AGREEMENT","attributes":{"n":9007199254740992}}}}`},
		},
	}},
	{"formance-ledger-v3.yaml", "ledger", []operation{
		{
			name: "V2CreateTransaction", method: "POST", key: defaultKey,
			first: request{path: "/v2/main/transactions", body: `{"postings":[{"amount":100000000000000000001,"asset":"USD/2","source":"world","destination":"a"}],"metadata":{"k":"v"},"accountMetadata":{"a":{"k":"v"}}}`},
			other: request{body: `{"postings":[{"amount":100000000000000000002,"asset":"USD/2","source":"world","destination":"a"}],"metadata":{"k":"v"},"accountMetadata":{"a":{"k":"v"}}}`},
		},
		{
			name: "V2RevertTransaction", method: "POST", key: defaultKey,
			first: request{path: "/v2/main/transactions/7/revert?force=true", body: `{}`},
			other: request{path: "/v2/main/transactions/7/revert?force=false"},
		},
		{
			name: "V2AddMetadataOnTransaction", method: "POST", key: defaultKey,
			first: request{path: "/v2/main/transactions/7/metadata", body: `{"admin":"true"}`},
			other: request{body: `{"admin":"false"}`},
		},
		{
			name: "V2AddMetadataToAccount", method: "POST", key: defaultKey,
			first: request{path: "/v2/main/accounts/users:1/metadata", body: `{"admin":"true"}`},
			other: request{path: "/v2/main/accounts/users:2/metadata"},
		},
		{
			name: "V2CreateBulk", method: "POST", key: defaultKey,
			first: request{path: "/v2/main/_bulk", body: `[{"action":"REVERT_TRANSACTION","data":{"id":9007199254740993}}]`},
			other: request{body: `[{"action":"REVERT_TRANSACTION","data":{"id":9007199254740992}}]`},
		},
	}},
	{"moov-paygate.yaml", "paygate", []operation{
		{
			name: "AddTransfer", method: "POST", key: "X-Idempotency-Key", header: "X-Organization",
			first: request{path: "/transfers", header: "moov", body: `{"amount":{"currency":"USD","value":1204},"source":{"customerID":"C1","accountID":"A1"},"destination":{"customerID":"C2","accountID":"A2"},"description":"pay"}`},
			other: request{body: `{"amount":{"currency":"USD","value":1204},"source":{"customerID":"C1","accountID":"A1"},"destination":{"customerID":"C2","accountID":"A2"},"description":"pay","sameDay":true}`},
		},
		{
			name: "InitiateMicroDeposits", method: "POST", key: defaultKey, header: "X-Organization",
			first: request{path: "/micro-deposits", header: "moov", body: `{"destination":{"customerID":"C1","accountID":"A1"}}`},
			other: request{header: "other"},
		},
		{
			name: "DeleteTransferByID", method: "DELETE", key: defaultKey, header: "X-Organization",
			first: request{path: "/transfers/T1", header: "moov"},
			other: request{path: "/transfers/T2"},
		},
	}},
	{"xero_bankfeeds.yaml", "bankfeeds", []operation{
		{
			name: "CreateStatements", method: "POST", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/Statements", header: "T1", body: `{"items":[{"feedConnectionId":"` + id1 + `","startDate":"2018-07-27","startBalance":{"amount":100.1},"statementLines":[{"amount":5,"transactionId":"1","postedDate":"2018-07-27"}]}]}`},
			other: request{body: `{"items":[{"feedConnectionId":"` + id1 + `","startDate":"2018-07-27","startBalance":{"amount":100.2},"statementLines":[{"amount":5,"transactionId":"1","postedDate":"2018-07-27"}]}]}`},
		},
		{
			name: "CreateFeedConnections", method: "POST", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/FeedConnections", header: "T1", body: `{"items":[{"accountToken":"A1","currency":"GBP"}]}`},
			other: request{body: `{"items":[{"accountToken":"A1","currency":"EUR"}]}`},
		},
		{
			name: "DeleteFeedConnections", method: "POST", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/FeedConnections/DeleteRequests", header: "T1", body: `{"items":[{"id":"` + id1 + `"}]}`},
			other: request{body: `{"items":[{"id":"` + id2 + `"}]}`},
		},
	}},
	{"xero-projects.yaml", "projects", []operation{
		{
			name: "CreateTimeEntry", method: "POST", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/Projects/" + id1 + "/Time", header: "T1", body: `{"userId":"` + id1 + `","taskId":"` + id2 + `","dateUtc":"2020-02-26T15:00:00Z","duration":30}`},
			other: request{body: `{"userId":"` + id1 + `","taskId":"` + id2 + `","dateUtc":"2020-02-26T15:00:01Z","duration":30}`},
		},
		{
			name: "CreateTask", method: "POST", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/Projects/" + id1 + "/Tasks", header: "T1", body: `{"name":"Deep Fryer","rate":{"currency":"AUD","value":15.5},"chargeType":"TIME"}`},
			other: request{body: `{"name":"Deep Fryer","rate":{"currency":"NZD","value":15.5},"chargeType":"TIME"}`},
		},
		{
			name: "PatchProject", method: "PATCH", key: defaultKey, header: "Xero-Tenant-Id",
			first: request{path: "/Projects/" + id1, header: "T1", body: `{"status":"INPROGRESS"}`},
			other: request{body: `{"status":"CLOSED"}`},
		},
	}},
	{"twilio_verify_v2.yaml", "verify", []operation{
		{
			name: "CreateVerification", method: "POST", key: defaultKey, form: true,
			first: request{path: "/v2/Services/" + service + "/Verifications", body: `To=%2B15017122661&Channel=sms&RateLimits=%7B%22end_user_ip_address%22%3A%22127.0.0.1%22%7D`},
			other: request{body: `To=%2B15017122661&Channel=sms&RateLimits=%7B%22end_user_ip_address%22%3A%22127.0.0.2%22%7D`},
		},
	}},
}
