// Package transfer lets code for payments make transfers too. The two differ only in
// their annotations, but not for Go.
package transfer

import (
	"net/http"

	"example.com/faults/paymentapi"
)

// AsPayment is the payment that a transfer is.
func AsPayment(request paymentapi.CreateTransferRequestObject) paymentapi.CreatePaymentRequestObject {
	return paymentapi.CreatePaymentRequestObject{
		Params: paymentapi.CreatePaymentParams(request.Params),
		Body:   request.Body,
	}
}

// Answer gives a transfer the answer of its payment.
func Answer(response paymentapi.CreatePaymentResponseObject, err error) (paymentapi.CreateTransferResponseObject, error) {
	if err != nil {
		return nil, err
	}
	return answer{response}, nil
}

type answer struct {
	payment paymentapi.CreatePaymentResponseObject
}

// VisitCreateTransferResponse implements [paymentapi.CreateTransferResponseObject].
func (a answer) VisitCreateTransferResponse(w http.ResponseWriter) error {
	return a.payment.VisitCreatePaymentResponse(w)
}
