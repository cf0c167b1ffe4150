// Package orderapi is generated, but for this file.
package orderapi

import "github.com/idemgen/idemgen/idem"

// Fingerprint is what the generated server computes for each request.
func Fingerprint(request CreateOrderRequestObject) idem.Fingerprint {
	return fingerprintCreateOrderV1(request)
}
