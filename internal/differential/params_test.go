package differential

import (
	"encoding/base64"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
)

// parameterText is a parameter as it is sent, without percent-encoding: a string, a
// []string, a map[string]string, or nil if it is not sent.
type parameterText any

// parameter writes a parameter in any spelling that means the same.
func (w speller) parameter(s *shape, v *value) parameterText {
	if !s.takesPart() {
		v = s.drawParameter(w.r)
	} else if !s.required {
		v = w.wording(s, v)
	}
	switch {
	case v.state == missing:
		return nil
	case s.kind == model.List:
		elems := v.elems
		texts := make([]string, len(elems))
		for i, elem := range elems {
			texts[i] = w.characters(s.elem, elem.leaf)
		}
		if s.unordered {
			w.r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		}
		return texts
	case s.kind == model.Object:
		return w.objectParameter(s, v)
	default:
		return w.characters(s, v.leaf)
	}
}

// objectParameter writes the members of an object. It is there if any of them is.
func (w speller) objectParameter(s *shape, v *value) map[string]string {
	texts, all := map[string]string{}, map[string]string{}
	for i, member := range s.members {
		m := v.members[i]
		if m.state == given {
			all[member.name] = w.characters(member, m.leaf)
		}
		if member.takesPart() {
			m = w.wording(member, m)
		}
		if m.state == given {
			texts[member.name] = w.characters(member, m.leaf)
		}
	}
	if len(texts) == 0 {
		return all
	}
	return texts
}

// wording chooses between nothing, the default and the zero value, where they mean
// the same.
func (w speller) wording(s *shape, v *value) *value {
	same := []*value{v}
	for _, other := range s.wordings() {
		if other.state != isNull && s.isSendable(other) && s.meaning(other) == s.meaning(v) {
			same = append(same, other)
		}
	}
	return pick(w.r, same...)
}

// isSendable reports whether a value can be a parameter: lists and objects without
// anything in them cannot, and neither can every string.
func (s *shape) isSendable(v *value) bool {
	switch {
	case v.state == missing:
		return true
	case s.kind == model.List:
		return len(v.elems) > 0
	case s.kind == model.Object:
		return strings.Contains(s.sentObject(v), "=")
	case v.leaf == "":
		return s.in == "query"
	default:
		octets, binary := v.leaf.([]byte)
		return !binary || len(octets) > 0
	}
}

// drawParameter draws a parameter.
func (s *shape) drawParameter(r *rand.Rand) *value {
	if !s.required && oneIn(r, 3) {
		return &value{}
	}
	for {
		if v := s.drawGiven(r); s.isSendable(v) {
			return v
		}
	}
}

// sentObject is what there is to send of an object.
func (s *shape) sentObject(v *value) string {
	var b strings.Builder
	for i, m := range v.members {
		if m.state == given {
			b.WriteString(s.members[i].name + "=")
		}
	}
	return b.String()
}

func (w speller) characters(s *shape, leaf any) string {
	switch v := leaf.(type) {
	case bool:
		if v {
			return pick(w.r, "1", "t", "T", "true", "True", "TRUE")
		}
		return pick(w.r, "0", "f", "F", "false", "False", "FALSE")
	case *big.Int:
		return spellParameterInteger(w.r, s, v)
	case float64:
		return w.parameterNumber(v)
	case []byte:
		return w.parameterBytes(v)
	case time.Time:
		if s.kind == model.Date {
			return v.Format(time.DateOnly)
		}
		return strings.ReplaceAll(spellInstant(w.r, v), ",", ".") // a comma may be a delimiter
	case [16]byte:
		return spellUUID(w.r, v)
	default:
		return w.parameterString(s, v.(string))
	}
}

func spellParameterInteger(r *rand.Rand, s *shape, v *big.Int) string {
	if strings.HasPrefix(s.format, "uint") {
		return pick(r, "", "0", "00") + v.String()
	}
	digits := pick(r, "", "", "0", "00") + new(big.Int).Abs(v).String()
	if v.Sign() < 0 {
		return "-" + digits
	}
	return pick(r, "", "", "+") + digits
}

func (w speller) parameterNumber(v float64) string {
	if oneIn(w.r, 4) {
		return strconv.FormatFloat(v, 'x', -1, 64)
	}
	return spellDecimal(w.r, decimalOf(v))
}

func (w speller) parameterBytes(v []byte) string {
	encoding := pick(w.r, base64.StdEncoding, base64.URLEncoding)
	if oneIn(w.r, 2) {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	return encoding.EncodeToString(v)
}

// parameterString finds another string that means the same and can be sent.
func (w speller) parameterString(s *shape, v string) string {
	same := []string{v}
	for _, other := range s.sendable() {
		if s.meaningOfText(other) == s.meaningOfText(v) {
			same = append(same, other)
		}
	}
	return pick(w.r, same...)
}
