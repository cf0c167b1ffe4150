package expand

import (
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		72 * time.Hour:          "3 days",
		24 * time.Hour:          "24 hours",
		36 * time.Hour:          "36 hours",
		time.Hour:               "1 hour",
		90 * time.Minute:        "90 minutes",
		time.Minute:             "1 minute",
		30 * time.Second:        "30 seconds",
		1500 * time.Millisecond: "1.5s",
	} {
		if got := inWords(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestRetries(t *testing.T) {
	operation := &model.Operation{
		Key: model.Key{Name: "Idempotency-Key", Required: true}, Window: 72 * time.Hour, Expired: 410, Final: []string{"2XX", "402"},
	}
	want := "**Idempotency.** For 3 days, a retry with the same `Idempotency-Key` gets the recorded response again. " +
		"After that the key is refused with status 410, and the request is not carried out again. " +
		"A response is recorded if its status is 2XX or 402."
	if got := retries(operation); got != want {
		t.Errorf("got %s", got)
	}
	operation.Key = model.Key{Name: "request_id", In: model.InBody}
	if got := retries(operation); !strings.Contains(got, "`request_id` in the body") || !strings.HasSuffix(got, unprotected) {
		t.Errorf("got %s", got)
	}
}

// A description is kept, and existing text is not added again.
func TestDescribe(t *testing.T) {
	operation := &model.Operation{Key: model.Key{Name: "Idempotency-Key", Required: true}, Window: time.Hour, Expired: 410, Final: []string{"2XX"}}
	op := mapping(member("description", text("Orders things.\n")), member("responses", mapping()))
	want := "Orders things.\n\n" + retries(operation)
	for range 2 {
		describe(op, operation)
		if got := textOf(op, "description"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	bare := mapping(member("operationId", text("a")), member("responses", mapping()))
	describe(bare, operation)
	if bare.Members[0].Name != "description" || bare.Members[0].Value.Text != retries(operation) {
		t.Errorf("got %+v", bare.Members[0])
	}
}
