package idemrt

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxKeyBytes bounds a key in the body, whatever its length in characters.
const maxKeyBytes = 1020

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
	errKeyLines    fault = "the key came in several lines"
	errKeyEmpty    fault = "the key is empty"
	errKeyUnread   fault = "the key cannot be read as its type"
)

var uuidPattern = regexp.MustCompile(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)

// setDefaults fills in what the annotation does not say.
func (r *KeyRule) setDefaults() {
	r.MinLength = orDefault(r.MinLength, defaultMinKeyLength)
	r.MaxLength = orDefault(r.MaxLength, defaultMaxKeyLength)
}

// keyOf decodes the key of a call. Without one the result is "", which no key is.
func (r *rules) keyOf(value *string) (string, error) {
	if value == nil {
		if r.key.Required {
			return "", refuse(keyMissing.with(r.key.Name), stepKey, nil)
		}
		return "", nil
	}
	key, err := r.key.decode(*value)
	if err == nil {
		err = r.checkKey(key)
	}
	if err != nil {
		return "", refuse(keyInvalid.with(r.key.Name), stepKey, err)
	}
	return key, nil
}

func (r *rules) checkKey(key string) error {
	length := utf8.RuneCountInString(key)
	switch {
	case length < r.key.MinLength, length > r.key.MaxLength, len(key) > maxKeyBytes:
		return errKeyLength
	case r.key.Format == "uuid" && !uuidPattern.MatchString(key):
		return errKeyFormat
	case r.keyPattern != nil && !r.keyPattern.MatchString(key):
		return errKeyPattern
	}
	return nil
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
