package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// spellPath is a way to a value without following the pointer at its end.
func spellPath(a model.Access) string { return strings.Join(a.Path, ".") }

// spellAccess is the expression of the value itself.
func spellAccess(a model.Access) string {
	if a.Pointer {
		return "*" + spellPath(a)
	}
	return spellPath(a)
}

// spellValue is the expression of a value after its conversions.
func spellValue(v model.Value) string {
	text := spellAccess(v.Access)
	for _, conversion := range v.Convert {
		form, ok := conversions[conversion]
		if !ok {
			form = string(conversion) + "(%s)"
		}
		text = fmt.Sprintf(form, text)
	}
	return text
}

// conversions are those that are not to a type of the conversion's name.
var conversions = map[model.Conversion]string{
	model.AddressOf:     "&%s",
	model.StringPointer: "(*string)(%s)",
	model.BigInt:        "new(big.Int).SetUint64(%s)",
	model.DatabaseUUID:  "pgtype.UUID{Bytes: %s, Valid: true}",
	model.KeyOf:         "idemrt.KeyOf(%s)",
	model.KeyOfUUID:     "idemrt.KeyText(%s)",
	model.KeyOfValue:    "idemrt.KeyOfValue(%s)",
	model.KeyOfNullable: "idemrt.KeyOfNullable(%s)",
}

// operands are what the methods of generated code are handed.
var operands = map[model.Operand]string{
	model.ClaimOperation:     "c.Operation",
	model.ClaimKey:           "c.Key",
	model.ClaimFingerprint:   "c.Fingerprint.Sum[:]",
	model.ClaimVersion:       "c.Fingerprint.Version",
	model.ClaimWindowSeconds: "c.WindowSeconds",
	model.OperationName:      "operation",
	model.IdempotencyKey:     "key",
	model.RecordedStatus:     "r.Status",
	model.RecordedHeaders:    "r.Headers",
	model.RecordedBody:       "r.Body",
	model.SweptUntil:         "batch.SweptUntil",
	model.RetentionSeconds:   "batch.RetentionSeconds",
	model.BatchSize:          "batch.BatchSize",
	model.AheadSeconds:       "ahead",
}

// rowTypes are the runtime's structs for rows.
var rowTypes = map[model.RowType]string{model.RecordRow: "idemrt.Record", model.SweptBatchRow: "idemrt.SweptBatch"}

// spellOperand is the expression of an argument of a query. The method that runs it is
// one of k, the scope.
func spellOperand(arg model.Arg) string {
	if arg.ScopeField != "" {
		return "k." + arg.ScopeField
	}
	return operands[arg.Operand]
}

// normalizations are the hasher's flags.
var normalizations = map[string]string{
	model.Trim: "fingerprint.Trim", model.Lower: "fingerprint.Lower", model.NFC: "fingerprint.NFC", model.Decimal: "fingerprint.Decimal",
}

// spellCall is a call of a method of the hasher, which is called h.
func spellCall(call model.HashCall) string {
	args := make([]string, len(call.Args))
	for i, arg := range call.Args {
		args[i] = spellArgument(arg)
	}
	return "h." + call.Method + "(" + strings.Join(args, ", ") + ")"
}

func spellCalls(calls []model.HashCall) string {
	lines := make([]string, len(calls))
	for i, call := range calls {
		lines[i] = spellCall(call)
	}
	return strings.Join(lines, "\n")
}

// spellArgument is a value of the request, or one that is known beforehand.
func spellArgument(arg any) string {
	switch arg := arg.(type) {
	case model.Value:
		return spellValue(arg)
	case model.Normalizations:
		flags := make([]string, len(arg))
		for i, step := range arg {
			flags[i] = normalizations[step]
		}
		return strings.Join(flags, "|")
	case string:
		return strconv.Quote(arg)
	case []byte:
		return "[]byte(" + strconv.Quote(string(arg)) + ")"
	case float64:
		return strconv.FormatFloat(arg, 'g', -1, 64)
	case time.Time:
		return fmt.Sprintf("time.Unix(%d, %d).UTC()", arg.Unix(), arg.Nanosecond())
	case [16]byte:
		digits := make([]string, len(arg))
		for i, b := range arg {
			digits[i] = fmt.Sprintf("0x%02x", b)
		}
		return "[16]byte{" + strings.Join(digits, ", ") + "}"
	default: // a bool, an integer
		return fmt.Sprint(arg)
	}
}

// held is the name of the value that a nullable.Nullable holds, which Go wants to be
// used.
func held(n *model.GoNode) string {
	if n.Kind == model.Object && len(n.Members) == 0 {
		return "_"
	}
	return "v"
}
