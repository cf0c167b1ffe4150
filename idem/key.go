package idem

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	defaultMaxKeyLength = 255
	maxKeyBytes         = 1020 // of a key in the body, whatever its length in characters
)

// KeyRule says where a key comes from and what it must look like, once decoded.
type KeyRule struct {
	Name      string // of the header, or of the body's property
	InBody    bool   // a string in the body: any Unicode but NUL, taken as it is
	Required  bool   // if not, a call without a key runs without protection
	MinLength int    // in characters; 0 is 1
	MaxLength int    // likewise; 0 is 255
	Pattern   string // a regular expression that must match somewhere; "" is any
	Format    string // "uuid", or "" for any
}

const (
	errKeySpelling fault = "the key is not a bare value nor an RFC 8941 string"
	errKeyText     fault = "the key is not Unicode, or has a NUL in it"
	errKeyLength   fault = "the key is too short or too long"
	errKeyPattern  fault = "the key does not match the pattern"
	errKeyFormat   fault = "the key is not a UUID"
	errBadPattern  fault = "the key's pattern is not a regular expression of Go"
)

var uuidPattern = regexp.MustCompile(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)

// WriteInvalidKey answers a request whose key in name is malformed before any
// operation could see it, because it came twice for instance.
func WriteInvalidKey(w http.ResponseWriter, name string) {
	writeProblem(context.Background(), w, keyInvalid.with(name), "the key could not be bound")
}

// keyOf decodes the key of a call. Without one the result is "", which no key is.
func (g *Guard) keyOf(rule KeyRule, value *string) (string, error) {
	if value == nil {
		if rule.Required {
			return "", refuse(keyMissing.with(rule.Name), stepKey, nil)
		}
		return "", nil
	}
	key, err := rule.decode(*value)
	if err == nil {
		err = g.checkKey(rule, key)
	}
	switch {
	case errors.Is(err, errBadPattern):
		return "", refuse(internalError, stepKey, err)
	case err != nil:
		return "", refuse(keyInvalid.with(rule.Name), stepKey, err)
	}
	return key, nil
}

func (g *Guard) checkKey(rule KeyRule, key string) error {
	shortest, longest := max(rule.MinLength, 1), rule.MaxLength
	if longest == 0 {
		longest = defaultMaxKeyLength
	}
	if length := utf8.RuneCountInString(key); length < shortest || length > longest || len(key) > maxKeyBytes {
		return errKeyLength
	}
	if rule.Format == "uuid" && !uuidPattern.MatchString(key) {
		return errKeyFormat
	}
	if rule.Pattern == "" {
		return nil
	}
	pattern, err := g.pattern(rule.Pattern)
	if err != nil {
		return errBadPattern
	}
	if !pattern.MatchString(key) {
		return errKeyPattern
	}
	return nil
}

// pattern compiles each pattern once.
func (g *Guard) pattern(text string) (*regexp.Regexp, error) {
	if known, ok := g.patterns.Load(text); ok {
		return known.(*regexp.Regexp), nil
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	g.patterns.Store(text, pattern)
	return pattern, nil
}

// header is the name of the header that the key is in, or "".
func (r KeyRule) header() string {
	if r.InBody {
		return ""
	}
	return r.Name
}

func (r KeyRule) decode(value string) (string, error) {
	if r.InBody {
		return value, checkKeyText(value)
	}
	return decodeKey(value)
}

// checkKeyText refuses what PostgreSQL cannot store as text. The replacement
// character is what a JSON decoder makes of text that is not Unicode, so that keys
// with one in them may not be what their client meant.
func checkKeyText(key string) error {
	if !utf8.ValidString(key) || strings.ContainsAny(key, "\x00\uFFFD") {
		return errKeyText
	}
	return nil
}

// decodeKey returns the key that value spells, bare or as an RFC 8941 string
// without parameters. Both spell the same key, of characters 0x21 to 0x7E.
func decodeKey(value string) (string, error) {
	value = strings.Trim(value, " \t")
	if strings.HasPrefix(value, `"`) {
		decoded, ok := unquote(value[1:])
		if !ok {
			return "", errKeySpelling
		}
		value = decoded
	}
	for i := range len(value) {
		if value[i] < 0x21 || value[i] > 0x7e {
			return "", errKeySpelling
		}
	}
	return value, nil
}

// unquote decodes what follows the opening quote. The closing one must end it.
func unquote(rest string) (string, bool) {
	var decoded strings.Builder
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; c {
		case '"':
			return decoded.String(), i == len(rest)-1
		case '\\':
			i++
			if i == len(rest) || rest[i] != '"' && rest[i] != '\\' {
				return "", false
			}
			decoded.WriteByte(rest[i])
		default:
			decoded.WriteByte(c)
		}
	}
	return "", false
}
