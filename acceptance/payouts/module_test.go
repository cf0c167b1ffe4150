package payouts

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/acceptance/internal/consumer"
	"github.com/idemgen/idemgen/acceptance/internal/corpus"
)

// program is the service, compiled, and the SQL that its database needs.
type program struct {
	path    string
	schemas []string
}

// build generates into a module of its own, and compiles what comes of it.
func build(t *testing.T) program {
	t.Helper()
	description, err := os.ReadFile(filepath.Join(corpus.Folder(t), "paypal-payments_payouts_batch_v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	module := consumer.New(t, "example.com/payouts", filepath.Join("testdata", "service"))
	module.Write("payouts.json", string(description))
	diagnostics, generated := module.Generate()
	if !generated {
		t.Fatalf("idemgen generate:\n%s", diagnostics)
	}
	checkWarnings(t, diagnostics)
	return program{
		path:    module.Build(),
		schemas: []string{module.Read("schema/idempotency.sql"), module.Read("business.sql")},
	}
}

// checkWarnings demands one warning for each field that the overlay leaves
// undecided, with its place in PayPal's file, and no other.
func checkWarnings(t *testing.T, stderr string) {
	t.Helper()
	// The first is printed in full, the others as a list.
	folded := regexp.MustCompile(`(?ms)^payouts\.json:\d+:\d+: warning: (\S+) of POST /v1/payments/payouts is undecided: .*^    and \d+ more: (.*)^\d+ warnings$`)
	match := folded.FindStringSubmatch(stderr)
	if match == nil {
		t.Fatalf("idemgen had something else to say:\n%s", stderr)
	}
	undecided := []string{match[1]}
	for _, other := range regexp.MustCompile(`(\S+) \(\d+:\d+\)`).FindAllStringSubmatch(match[2], -1) {
		undecided = append(undecided, other[1])
	}
	want := []string{
		"body.sender_batch_header.recipient_type",
		"body.items[].alternate_notification_method.phone.country_code",
		"body.items[].alternate_notification_method.phone.extension_number",
		"body.items[].recipient_type",
		"body.items[].sender_item_id",
		"body.items[].recipient_wallet",
	}
	if diff := cmp.Diff(want, undecided); diff != "" {
		t.Errorf("undecided fields: -want +got\n%s", diff)
	}
	if all := regexp.MustCompile(`(?m)^\S+:\d+:\d+: `).FindAllString(stderr, -1); len(all) != 1 {
		t.Errorf("idemgen had something else to say:\n%s", stderr)
	}
}
