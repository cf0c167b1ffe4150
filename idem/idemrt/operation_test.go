package idemrt

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDefaults(t *testing.T) {
	r := operation(nil).rules
	if r.wait != 3*time.Second || r.retryAfter != 2*time.Second || r.maxBody != 1<<20 || r.key.MinLength != 1 || r.key.MaxLength != 255 {
		t.Errorf("got %+v", r)
	}
	if want := (Statuses{Mismatch: 422, InFlight: 409, Expired: 410}); r.statuses != want {
		t.Errorf("got %+v, want %+v", r.statuses, want)
	}
	if diff := cmp.Diff([]string{"Content-Type"}, r.replayHeaders); diff != "" {
		t.Error(diff)
	}
}

func TestDefinitionsOverrideDefaults(t *testing.T) {
	r := operation(func(d *testDefinition) {
		d.Wait, d.RetryAfter, d.MaxBody = time.Second, time.Minute, 7
		d.Statuses = Statuses{Mismatch: 400}
		d.Window = 1500 * time.Millisecond
		d.ReplayHeaders = []string{"location", "Set-Cookie"}
	}).rules
	if r.wait != time.Second || r.retryAfter != time.Minute || r.maxBody != 7 || r.windowSeconds != 2 {
		t.Errorf("got %+v", r)
	}
	if want := (Statuses{Mismatch: 400, InFlight: 409, Expired: 410}); r.statuses != want {
		t.Errorf("got %+v, want %+v", r.statuses, want)
	}
	if diff := cmp.Diff([]string{"Content-Type", "Location"}, r.replayHeaders); diff != "" {
		t.Error(diff)
	}
}

func TestMalformedDefinitionsPanic(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*testDefinition)
		want   string
	}{
		"lower case class": {func(d *testDefinition) { d.Final = []string{"2xx"} }, `"2xx"`},
		"no status":        {func(d *testDefinition) { d.Final = []string{"600"} }, `"600"`},
		"four digits":      {func(d *testDefinition) { d.Final = []string{"2000"} }, `"2000"`},
		"empty":            {func(d *testDefinition) { d.Final = []string{""} }, `""`},
		"letters":          {func(d *testDefinition) { d.Final = []string{"2X1"} }, `"2X1"`},
		"none":             {func(d *testDefinition) { d.Final = nil }, "no status is final"},
		"pattern":          {func(d *testDefinition) { d.Key.Pattern = "(" }, "pattern"},
		"no versions":      {func(d *testDefinition) { d.Fingerprints = nil }, "no fingerprint function"},
		"no window":        {func(d *testDefinition) { d.Window = 0 }, "no window"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				text, _ := recover().(string)
				if !strings.Contains(text, test.want) || !strings.Contains(text, `"createOrder"`) {
					t.Errorf("got %q, want %s", text, test.want)
				}
			}()
			operation(test.change)
		})
	}
}

func TestStatusSet(t *testing.T) {
	set, err := newStatusSet([]string{"2XX", "402"})
	if err != nil {
		t.Fatal(err)
	}
	for status, want := range map[int]bool{199: false, 200: true, 299: true, 300: false, 401: false, 402: true, 403: false} {
		if got := set.has(status); got != want {
			t.Errorf("%d: got %t", status, got)
		}
	}
	if !set.reaches(402) || set.reaches(403) {
		t.Error("the highest status is 402")
	}
}
