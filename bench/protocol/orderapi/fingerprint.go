// Package orderapi is generated, but for this file.
package orderapi

import "github.com/idemgen/idemgen/idem/fingerprint"

// Fingerprint is what the generated server computes for each request.
func Fingerprint(request CreateOrderRequestObject) fingerprint.Fingerprint {
	return fingerprintCreateOrderV1(request)
}
