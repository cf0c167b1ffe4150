// Package orders is generated, but for this file.
package orders

import "github.com/idemgen/idemgen/idem/fingerprint"

// FingerprintScalars is what the generated server computes of six scalars.
func FingerprintScalars(body *Order) fingerprint.Fingerprint {
	return fingerprintScalarsV1(ScalarsRequestObject{Body: body})
}

// FingerprintLines is that of four scalars and of two in each line.
func FingerprintLines(body *Order) fingerprint.Fingerprint {
	return fingerprintLinesV1(LinesRequestObject{Body: body})
}

// FingerprintWhole is that of all fields.
func FingerprintWhole(body *Order) fingerprint.Fingerprint {
	return fingerprintWholeV1(WholeRequestObject{Body: body})
}
