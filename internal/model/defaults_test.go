package model_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// defaults is an operation as it is planned from an annotation that says nothing.
func defaults() *model.Operation {
	return &model.Operation{
		Key:  model.Key{MaxLength: model.DefaultMaxKeyLength},
		Wait: model.DefaultWait, RetryAfter: model.DefaultRetryAfter, MaxBody: model.DefaultMaxBody,
		Mismatch: model.DefaultMismatch, InFlight: model.DefaultInFlight, Expired: model.DefaultExpired,
	}
}

func TestDefaultsAreNotChosen(t *testing.T) {
	o := defaults()
	if o.ChoosesWait() || o.ChoosesRetryAfter() || o.ChoosesMaxBody() || o.Key.ChoosesMaxLength() || len(o.ChosenStatuses()) > 0 {
		t.Errorf("a default is stated: %+v", o)
	}
}

func TestWhatDiffersIsChosen(t *testing.T) {
	o := defaults()
	o.Wait, o.RetryAfter, o.MaxBody, o.Key.MaxLength, o.InFlight = time.Minute, time.Minute, 1, 1, 425
	if !o.ChoosesWait() || !o.ChoosesRetryAfter() || !o.ChoosesMaxBody() || !o.Key.ChoosesMaxLength() {
		t.Errorf("something that differs is not stated: %+v", o)
	}
	if got, want := o.ChosenStatuses(), []model.ChosenStatus{{Problem: "InFlight", Status: 425}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The runtime does not know the generator, so its defaults are written down there
// again.
func TestRuntimeHasTheSameDefaults(t *testing.T) {
	source, err := os.ReadFile("../../idem/idemrt/operation.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"Wait": "3 * time.Second", "RetryAfter": "2 * time.Second", "MaxBody": "1 << 20", "MaxKeyLength": "255",
		"MismatchStatus": "http.StatusUnprocessableEntity", "InFlightStatus": "http.StatusConflict", "ExpiredStatus": "http.StatusGone",
	} {
		if !regexp.MustCompile(`(?m)^\tdefault` + name + ` += ` + regexp.QuoteMeta(text) + `$`).Match(source) {
			t.Errorf("the runtime's default%s is not %s, as the generator assumes", name, text)
		}
	}
	if model.DefaultWait != 3*time.Second || model.DefaultRetryAfter != 2*time.Second || model.DefaultMaxBody != 1<<20 || model.DefaultMaxKeyLength != 255 {
		t.Error("a default of the generator has changed: change the runtime's, and this test")
	}
}
