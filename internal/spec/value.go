package spec

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// Value is a value of an annotation with its positions.
type Value[T any] struct {
	V T
	// OK is set if V was read. A value that is present and not OK has been reported.
	OK bool
	// Pos is where the value starts, and Key where its key starts. Both are the zero
	// position if the annotation does not have the value. For a list item they are
	// equal.
	Pos, Key diag.Position
}

// Present reports whether the annotation has the value, valid or not.
func (v Value[T]) Present() bool { return v.Pos != diag.Position{} }

// Or returns the value, or fallback when it is missing or malformed.
func (v Value[T]) Or(fallback T) T {
	if v.OK {
		return v.V
	}
	return fallback
}

// parseSize reads a number of bytes such as 1MiB, 64KiB or 1000.
func parseSize(text string) (n int64, message, remedy string) {
	const example = "write a number of bytes such as 1MiB, 64KiB or 1000"
	number, unit, ok := splitSize(text)
	if !ok {
		return 0, quoted(text) + " is not a size", example
	}
	shift, ok := map[string]uint{"": 0, "KiB": 10, "MiB": 20, "GiB": 30}[unit]
	if !ok {
		return 0, quoted(text) + " has an unknown unit " + quoted(unit), sizeRemedy(number, unit, example)
	}
	big, _ := new(big.Int).SetString(number, 10)
	if big.Lsh(big, shift); !big.IsInt64() {
		return 0, quoted(text) + " is too large", example
	}
	return big.Int64(), "", ""
}

// sizeRemedy proposes a unit for one that is unknown.
func sizeRemedy(number, unit, fallback string) string {
	switch strings.ToLower(unit) {
	case "b", "byte", "bytes":
		return "write " + number
	case "k", "kb", "kib":
		return "write " + number + "KiB, or the number of bytes"
	case "m", "mb", "mib":
		return "write " + number + "MiB, or the number of bytes"
	case "g", "gb", "gib":
		return "write " + number + "GiB, or the number of bytes"
	}
	return fallback
}

func splitSize(text string) (number, unit string, ok bool) {
	m := sizeText.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// statusRemedy proposes a class for a text that is not a status.
func statusRemedy(text string) string {
	if m := classText.FindStringSubmatch(text); m != nil && (m[2] == "" || m[2] == m[1]) {
		return "write " + m[1] + "XX"
	}
	return "write a status such as 402 or a class such as 2XX"
}

func quoted(text string) string { return strconv.Quote(text) }

var (
	sizeText   = regexp.MustCompile(`^([0-9]+) ?([A-Za-z]*)$`)
	statusText = regexp.MustCompile(`^[1-5](?:[0-9][0-9]|XX)$`)
	classText  = regexp.MustCompile(`^([1-5])(?:[Xx*]{1,2}|00 ?(?:-|\.\.) ?([1-5])99)$`) // other notations of a class
)
