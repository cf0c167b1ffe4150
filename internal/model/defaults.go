package model

import (
	"net/http"
	"time"
)

// What applies where an annotation says nothing. The runtime has the same defaults,
// so that generated code states only what differs from them.
const (
	DefaultMaxKeyLength = 255
	DefaultWait         = 3 * time.Second
	DefaultRetryAfter   = 2 * time.Second
	DefaultMismatch     = http.StatusUnprocessableEntity
	DefaultInFlight     = http.StatusConflict
	DefaultExpired      = http.StatusGone
	DefaultMaxBody      = 1 << 20
)

// ChoosesMaxLength reports whether the longest key is another one than the runtime's
// default.
func (k Key) ChoosesMaxLength() bool { return k.MaxLength != DefaultMaxKeyLength }

// ChoosesWait reports whether the operation waits for another time than the runtime's
// default.
func (o *Operation) ChoosesWait() bool { return o.Wait != DefaultWait }

// ChoosesRetryAfter reports whether Retry-After is another one than the runtime's
// default.
func (o *Operation) ChoosesRetryAfter() bool { return o.RetryAfter != DefaultRetryAfter }

// ChoosesMaxBody reports whether the largest body is another one than the runtime's
// default.
func (o *Operation) ChoosesMaxBody() bool { return o.MaxBody != DefaultMaxBody }

// ChosenStatus is the status of one problem.
type ChosenStatus struct {
	Problem string // the runtime's name for it: "Mismatch"
	Status  int
}

// ChosenStatuses are the statuses that differ from the runtime's defaults.
func (o *Operation) ChosenStatuses() []ChosenStatus {
	var chosen []ChosenStatus
	for _, s := range []struct {
		ChosenStatus
		otherwise int
	}{
		{ChosenStatus{"Mismatch", o.Mismatch}, DefaultMismatch},
		{ChosenStatus{"InFlight", o.InFlight}, DefaultInFlight},
		{ChosenStatus{"Expired", o.Expired}, DefaultExpired},
	} {
		if s.Status != s.otherwise {
			chosen = append(chosen, s.ChosenStatus)
		}
	}
	return chosen
}
