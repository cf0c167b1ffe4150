package fingerprint

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func jsonSum(text string) Fingerprint {
	h := NewHasher("op", 1)
	h.JSON([]byte(text))
	return h.Sum()
}

func TestJSONEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "-",
		"null":                           "0",
		" null ":                         "0",
		"true":                           "jb\x01",
		"false":                          "jb\x00",
		`""`:                             "js\x00",
		`"ä\u00e4\n\"\\\/\b\f\r\t"`:      "js\x0cää\n\"\\/\b\f\r\t",
		`"\ud83d\ude00"`:                 "js\x04😀",
		`"\u0000"`:                       "js\x01\x00",
		"0":                              "jn\x010",
		"-0.0":                           "jn\x010",
		"1.50":                           "jn\x0515e-1",
		"100":                            "jn\x031e2",
		"9007199254740993":               "jn\x129007199254740993e0",
		"[]":                             "j[\x00",
		"{}":                             "j{\x00",
		" [ null , [ ] , { } , 1 ] ":     "j[\x040[\x00{\x00n\x031e0",
		`{"b":1,"a":{"d":[true],"c":2}}`: "j{\x02\x01a{\x02\x01cn\x032e0\x01d[\x01b\x01\x01bn\x031e0",
		`{"\u0062":1,"":2,"B":3}`:        "j{\x03\x00n\x032e0\x01Bn\x033e0\x01bn\x031e0",
	} {
		got := jsonSum(text)
		if got.err != nil || got.Sum != sha256.Sum256([]byte(prefix+want)) {
			t.Errorf("%s: got %x, %v, want the hash of %q", text, got.Sum, got.err, want)
		}
	}
}

func TestJSONRefuses(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2)
	for text, want := range map[string]error{
		`{"a":1,"a":1}`:            errDuplicateMember,
		`{"a":1,"b":2,"\u0061":1}`: errDuplicateMember,
		`[{"x":{"a":1,"a":2}}]`:    errDuplicateMember,
		`"\ud800"`:                 errNoUnicode,
		`"\ud800\ud800"`:           errNoUnicode,
		`"\udc00\ud800"`:           errNoUnicode,
		`"\ud800x"`:                errNoUnicode,
		"\"\xff\"":                 errNoUnicode,
		"{\"\xff\":1}":             errNoUnicode,
		deep:                       errDeepJSON,
		"[":                        errNoJSON,
		"[1":                       errNoJSON,
		"[1,]":                     errNoJSON,
		"{":                        errNoJSON,
		"{1:2}":                    errNoJSON,
		`{"a"}`:                    errNoJSON,
		`{"a":1`:                   errNoJSON,
		`"`:                        errNoJSON,
		`"\`:                       errNoJSON,
		`"\x"`:                     errNoJSON,
		`"\u12"`:                   errNoJSON,
		"\"\n\"":                   errNoJSON,
		"1 2":                      errNoJSON,
		"+1":                       errNoJSON,
		"01":                       errNoJSON,
		"-00":                      errNoJSON,
		"nul":                      errNoJSON,
		" ":                        errNoJSON,
	} {
		if got := jsonSum(text); !errors.Is(got.err, want) {
			t.Errorf("%.40s: got %v, want %v", text, got.err, want)
		}
	}
}

// The first error stays, whatever comes after it.
func TestJSONErrorStays(t *testing.T) {
	h := NewHasher("op", 1)
	h.Multiset(1)
	h.Element()
	h.JSON([]byte(`{"a":1,"a":1}`))
	h.EndMultiset()
	h.JSON([]byte(`"\ud800"`))
	if got := h.Sum(); !errors.Is(got.err, errDuplicateMember) {
		t.Errorf("got %v", got.err)
	}
}

// Everything that encoding/json takes is JSON here, and what it calls different
// has another fingerprint.
func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,2.50,"x\u00e4",null,true]}`, `{"a":[1,2.5,"xä",null,true]}`)
	f.Add(`{"a":{"b":1},"c":[{}]}`, `{"c":[{}],"a":{"b":1}}`)
	f.Add(`[[1,2],[3]]`, `[[1],[2,3]]`)
	f.Add(`{"a":1,"a":2}`, `1e400`)
	f.Add(`"\ud800"`, "\"\xff\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := jsonSum(a), jsonSum(b)
		if valid := json.Valid([]byte(a)); valid && errors.Is(x.err, errNoJSON) {
			t.Fatalf("%q is JSON", a)
		}
		if valid := json.Valid([]byte(a)); !valid && a != "" && x.err == nil {
			t.Fatalf("%q is no JSON", a)
		}
		if x.err != nil || y.err != nil || a == "" || b == "" || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		p, err1 := decoded(a)
		q, err2 := decoded(b)
		if err1 != nil || err2 != nil {
			return
		}
		if reflect.DeepEqual(p, q) != (x.Sum == y.Sum) {
			t.Errorf("%q and %q: same value %t, same fingerprint %t", a, b, reflect.DeepEqual(p, q), x.Sum == y.Sum)
		}
	})
}

// decoded is what encoding/json makes of a text, with canonical numbers.
func decoded(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return numbers(value), nil
}

func numbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return json.Number(canonical(v.String()))
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = numbers(v[key])
		}
	}
	return value
}

func BenchmarkHasherJSON(b *testing.B) {
	text := []byte(`{"items":[` + strings.Repeat(`{"sku":"A-0815","quantity":12.50,"tags":["x","y"]},`, 1000) + `null]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		h := NewHasher("createOrder", 1)
		h.JSON(text)
		h.Sum()
	}
}
