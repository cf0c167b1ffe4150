// Package orderapi is generated, but for this file.
package orderapi

import "github.com/idemgen/idemgen/idem/fingerprint"

// Fingerprint is what the generated server computes for each request to create an order.
func Fingerprint(request CreateOrderRequestObject) fingerprint.Fingerprint {
	return fingerprintCreateOrderV1(request)
}

// FingerprintScalars is what the generated server computes of six scalars.
func FingerprintScalars(body *PurchaseOrder) fingerprint.Fingerprint {
	return fingerprintScalarsV1(ScalarsRequestObject{Body: body})
}

// FingerprintLines is that of four scalars and of two in each line.
func FingerprintLines(body *PurchaseOrder) fingerprint.Fingerprint {
	return fingerprintLinesV1(LinesRequestObject{Body: body})
}

// FingerprintWhole is that of all fields.
func FingerprintWhole(body *PurchaseOrder) fingerprint.Fingerprint {
	return fingerprintWholeV1(WholeRequestObject{Body: body})
}
