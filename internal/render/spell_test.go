package render

import (
	"testing"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// Each form in which a hash call is spelled.
func TestSpellCall(t *testing.T) {
	at := model.Access{Path: []string{"v"}, Pointer: true}
	field := model.Access{Path: []string{"request", "Params", "Key"}}
	for want, call := range map[string]model.HashCall{
		`h.Absent()`:                         {Method: "Absent"},
		`h.Skip("a", "b\n")`:                 {Method: "Skip", Args: []any{"a", "b\n"}},
		`h.List(2)`:                          {Method: "List", Args: []any{2}},
		`h.Bool(true)`:                       {Method: "Bool", Args: []any{true}},
		`h.Int(-7)`:                          {Method: "Int", Args: []any{int64(-7)}},
		`h.Float(1e+100)`:                    {Method: "Float", Args: []any{1e100}},
		`h.Bytes([]byte("\x00` + "`" + `"))`: {Method: "Bytes", Args: []any{[]byte("\x00`")}},
		`h.UUID([16]byte{0x01, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00})`: {Method: "UUID", Args: []any{[16]byte{1, 255}}},
		`h.Time(time.Unix(1, 500).UTC())`:                        {Method: "Time", Args: []any{time.Unix(1, 500)}},
		`h.Int(int64(*v))`:                                       {Method: "Int", Args: []any{model.Value{Access: at, Convert: []model.Conversion{model.ToInt64}}}},
		`h.BigInt(&request.Params.Key)`:                          {Method: "BigInt", Args: []any{model.Value{Access: field, Convert: []model.Conversion{model.AddressOf}}}},
		`h.BigInt(new(big.Int).SetUint64(uint64(*v)))`:           {Method: "BigInt", Args: []any{model.Value{Access: at, Convert: []model.Conversion{model.ToUint64, model.BigInt}}}},
		`h.Normalized(*v, fingerprint.Trim|fingerprint.Decimal)`: {Method: "Normalized", Args: []any{model.Value{Access: at}, model.Normalizations{model.Trim, model.Decimal}}},
	} {
		if got := spellCall(call); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Each way to a key, or to a column of a scope, that needs more than a conversion.
func TestSpellValue(t *testing.T) {
	at := model.Access{Path: []string{"request", "Key"}}
	for want, conversions := range map[string][]model.Conversion{
		"request.Key":                                  nil,
		"idemrt.KeyOf(request.Key)":                    {model.KeyOf},
		"idemrt.KeyText(request.Key)":                  {model.KeyOfUUID},
		"idemrt.KeyText(&request.Key)":                 {model.AddressOf, model.KeyOfUUID},
		"idemrt.KeyOfValue(request.Key)":               {model.KeyOfValue},
		"idemrt.KeyOfNullable(request.Key)":            {model.KeyOfNullable},
		"(*string)(request.Key)":                       {model.StringPointer},
		"pgtype.UUID{Bytes: request.Key, Valid: true}": {model.DatabaseUUID},
	} {
		if got := spellValue(model.Value{Access: at, Convert: conversions}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
