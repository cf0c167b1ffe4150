package byhand

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"

	"example.com/faults/paymentapi"
)

// answer is what the client gets.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	replayed bool
}

// problem is an answer that says only what is the matter.
type problem struct {
	status int
	code   string
}

var (
	keyMissing     = problem{http.StatusBadRequest, "idempotency_key_missing"}
	keyReused      = problem{http.StatusUnprocessableEntity, "idempotency_key_reused"}
	inFlight       = problem{http.StatusConflict, "idempotency_in_flight"}
	unavailable    = problem{http.StatusServiceUnavailable, "idempotency_unavailable"}
	outcomeUnknown = problem{http.StatusServiceUnavailable, "idempotency_outcome_unknown"}
	unreadable     = problem{http.StatusInternalServerError, "record_unreadable"}
)

func (p problem) answer() *answer {
	return &answer{
		status: p.status,
		header: http.Header{"Content-Type": {"application/problem+json"}},
		body:   fmt.Appendf(nil, `{"code":%q}`, p.code),
	}
}

// render keeps a response of the business function.
func render(response paymentapi.CreatePaymentResponseObject) (*answer, error) {
	w := httptest.NewRecorder()
	if err := response.VisitCreatePaymentResponse(w); err != nil {
		return nil, err
	}
	return &answer{status: w.Code, header: w.Header(), body: w.Body.Bytes()}, nil
}

// VisitCreatePaymentResponse implements [paymentapi.CreatePaymentResponseObject].
func (a *answer) VisitCreatePaymentResponse(w http.ResponseWriter) error {
	maps.Copy(w.Header(), a.header)
	if a.replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(a.status)
	_, err := w.Write(a.body)
	return err
}
