package differential

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/internal/model"
)

// wilder writes requests that nobody should send: members that are repeated and in
// other letter case, nulls, values that are nearly right, and some that are not.
type wilder struct {
	speller
	errors int // one value in so many is not accepted; 0 for none
}

func (w wilder) wrong() bool { return w.errors > 0 && oneIn(w.r, w.errors) }

// wild draws a request. What is not declared is as it should be, since explain does
// not look at it.
func (op *operation) wild(r *rand.Rand) request {
	w := wilder{speller{r}, pick(r, 0, 0, 60, 15)}
	q := request{parameters: map[string]map[string]parameterText{}}
	for _, p := range op.parameters {
		switch {
		case !p.takesPart():
			q.set(p, w.parameter(p, &value{}))
		case p.required && !w.wrong() || !oneIn(r, 3) || p.in == "path":
			q.set(p, w.wildParameter(p))
		}
	}
	switch {
	case op.body == nil:
		return q
	case !op.body.takesPart():
		q.body = w.value(op.body, op.body.drawGiven(r))
	case !oneIn(r, 15):
		q.body = w.text(op.body, true)
	}
	q.end(r)
	return q
}

// text writes a value as JSON.
func (w wilder) text(s *shape, root bool) string {
	switch {
	case oneIn(w.r, 15) && (w.errors > 0 || !s.refusesNull()):
		return "null"
	case w.wrong() && (!s.union || s.component != knownComponent):
		return pick(w.r, "1", `"x"`, "true", "[]", "{}", "[1]", `{"zz":1}`, "1.5", `""`, "-1", "[null]", "[[]]", "1e400")
	}
	switch s.kind {
	case model.Object:
		return w.braced(w.members(s, s.exact && (!root || s.component != "")))
	case model.List:
		parts := make([]string, w.r.IntN(4))
		for i := range parts {
			parts[i] = w.text(s.elem, false)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case model.Map:
		parts := make([]string, w.r.IntN(4))
		for i := range parts {
			parts[i] = w.speller.text(pick(w.r, keys...)) + ":" + w.text(s.elem, false)
		}
		return w.braced(parts)
	case model.JSON:
		return w.freeForm(s)
	default:
		if texts := wildLeaves(s); w.errors > 0 && oneIn(w.r, 3) && texts != nil {
			return pick(w.r, texts...)
		}
		return w.leaf(s, s.drawLeaf(w.r))
	}
}

// members writes the members of an object, some of them more than once.
func (w wilder) members(s *shape, exactly bool) []string {
	var members []string
	for _, member := range s.members {
		for range pick(w.r, 0, 1, 1, 1, 1, 2, 3) {
			name := member.name
			if oneIn(w.r, 5) {
				name = folded(w.r, name)
			}
			if text := w.received(s, name, exactly); text != "" {
				members = append(members, w.speller.text(name)+":"+text)
			}
		}
	}
	return members
}

// received writes a value for whatever property takes a member of that name, or
// nothing if nothing is known of that property.
func (w wilder) received(s *shape, name string, exactly bool) string {
	is := func(member *shape) bool { return member.name == name }
	i := slices.IndexFunc(s.members, is)
	if i < 0 && !exactly {
		i = slices.IndexFunc(s.members, func(member *shape) bool { return strings.EqualFold(member.name, name) })
	}
	switch {
	case i < 0:
		return w.undeclared(&shape{exact: true})
	case s.members[i].kind == "":
		return ""
	case !s.members[i].takesPart():
		return w.value(s.members[i], s.members[i].draw(w.r))
	default:
		return w.text(s.members[i], false)
	}
}

// folded changes the letter case of some letters, in one of the ways that Unicode
// has for it.
func folded(r *rand.Rand, name string) string {
	return strings.Map(func(c rune) rune {
		for range r.IntN(3) {
			c = unicode.SimpleFold(c)
		}
		return c
	}, name)
}

func (w wilder) freeForm(s *shape) string {
	if s.union || w.errors == 0 || oneIn(w.r, 2) {
		return spellJSON(w.r, s.drawFreeForm(w.r))
	}
	return pick(w.r, `{"a":1,"a":1}`, `{"a":1,"\u0061":2}`, `"\ud800"`, `{"\udc00":1}`, `[{"a":{"b":1,"b":null}}]`, `"`+"\xff"+`"`, "1e99999999999999999999", "10e99999999999999999999",
		"0.1e-99999999999999999999", "100e-100000000000000000000", `"\ud800\ud800"`, `"\ud83d\u0061"`, "-0.000e-99999999999999999999", "123456789012345678901234567890.5e-3", `{"A":1,"a":1}`, `"\ud83d\ude00"`, `{"é":1,"e\u0301":2}`, `[[[[[[[[]]]]]]]]`, `{"":{"":""}}`)
}

// wildLeaves are texts that are nearly, or after all, values of the shape.
func wildLeaves(s *shape) []string {
	switch s.kind {
	case model.Integer:
		return []string{
			"0", "-0", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65536", "2147483647", "2147483648", "-2147483649", "4294967296",
			"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e1", "1.0", "1E0", `"1"`,
		}
	case model.Number:
		return []string{
			"-0", "-0.0", "1e-1", "16777217", "9007199254740993", "3.4028235677973366e38", "3.5e38", "1e39", "1e309", "1e-400", "1.00000005960464478",
			"7e-46", "0.1000000000000000055511151231257827", `"1"`, "1E+2",
		}
	case model.Bytes:
		return []string{`""`, `"AB=="`, `"AA"`, `"A\nA=="`, `"A\r\nA=\n="`, `"-_=="`, `"+/=="`, "[]", "[1,2]", "[256]", "[null,1]", "[-1]", `"AA==AA=="`, `" AA=="`, `"AA\u003d="`, "[1.0]"}
	case model.Date:
		return []string{`"2023-02-29"`, `"0000-01-01"`, `"2024-2-9"`, `"2024-02-29T00:00:00Z"`, `"02024-02-29"`, `""`, `" 2024-02-29"`, `"10000-01-01"`, `"2024-02-29 "`}
	case model.Instant:
		return []string{
			`"2024-02-29T12:00:00.1234567899Z"`, `"2024-02-29T12:00:00,5+01:00"`, `"2024-02-29T9:00:00Z"`, `"2024-02-29T12:00:00+24:00"`, `"2024-02-29T12:00:00-24:60"`,
			`"2024-02-29T12:00:00+24:61"`, `"2024-02-29T12:00:00+25:00"`, `"2024-02-29T24:00:00Z"`, `"2024-02-29T12:00:60Z"`, `"0000-01-01T00:00:00+23:59"`, `"9999-12-31T23:59:59-23:59"`,
			`"2024-02-29t12:00:00Z"`, `"2024-02-29T12:00:00"`, `"2024-02-29T12:00Z"`, `"2024-02-29T12:00:00.Z"`, `""`, `"2024-02-29T12:00:00\u005a"`, `"2024-02-29T12:00:00+0100"`,
			`"2024-02-29 12:00:00Z"`, `"2023-02-29T12:00:00Z"`, `"2024-02-29T12:0:00Z"`, `"2024-02-29T12:00:00Z "`,
		}
	case model.UUID:
		return []string{
			`"URN:UUID:0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e"`, `"é0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e"`, `"00b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e0"`, `"0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5"`,
			`"urn-uuid:0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e"`, `"0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5g"`, `""`, `"0b6f1f0e6a0c-4d5e-9d5f-0c1a2b3c4d5e--"`, `"{0b6f1f0e6a0c4d5e9d5f0c1a2b3c4d5e}"`,
		}
	case model.String:
		if s.isEmail() {
			return []string{`"x"`, `"a@b.c "`, `"\"q q\"@b.c"`, `"(c) a@b.c"`, `"=?utf-8?q?x?= <a@b>"`, `"a@b"`, `"a@[1.2.3.4]"`, `"A <a@b.c>, B <b@b.c>"`, `"<>"`, `"é@b.c"`, `"a@b.c\u0000"`}
		}
		return []string{`"\ud800"`, `"\udc00x"`, `"\ud800\ud800"`, `"` + "\xff" + `"`, `"+001.500e-2"`, `"0e9"`, `"1e99999999999999999999999"`, `".1"`, `"1."`, `"10e-99999999999999999999"`, `"10e99999999999999999999"`, `"1_0"`, `"0x10"`, `"\/"`, `"1.5E+3"`, `"++1"`, `"١"`}
	default:
		return nil
	}
}

// wildParameter writes a parameter.
func (w wilder) wildParameter(s *shape) parameterText {
	switch s.kind {
	case model.List:
		list := make([]string, 1+w.r.IntN(3))
		for i := range list {
			list[i] = w.wildCharacters(s.elem)
		}
		return list
	case model.Object:
		object := map[string]string{}
		for _, member := range s.members {
			switch {
			case oneIn(w.r, 3):
			case !member.takesPart():
				object[member.name] = w.characters(member, member.drawLeaf(w.r))
			default:
				object[member.name] = w.wildCharacters(member)
			}
		}
		if w.wrong() {
			object[pick(w.r, "zz", "A", "")] = "1"
		}
		if len(object) == 0 {
			return nil
		}
		return object
	default:
		return w.wildCharacters(s)
	}
}

func (w wilder) wildCharacters(s *shape) string {
	texts := slices.DeleteFunc(wildTexts(s.kind), func(text string) bool { return !canStand(s.in, text) })
	if w.errors > 0 && oneIn(w.r, 3) && len(texts) > 0 {
		return pick(w.r, texts...)
	}
	for {
		if v := (&value{state: given, leaf: s.drawLeaf(w.r)}); s.isSendable(v) {
			return w.characters(s, v.leaf)
		}
	}
}

// canStand reports whether characters can be sent in a place at all.
func canStand(in, text string) bool {
	switch in {
	case "path":
		return text != "" && text != "." && text != ".."
	case "header":
		return !strings.ContainsAny(text, "\r\n\x00") && strings.TrimSpace(text) == text
	case "cookie":
		return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-./:=_%#{}") == ""
	default:
		return true
	}
}

func wildTexts(k model.Kind) []string {
	switch k {
	case model.Boolean:
		return []string{"T", "1", "0", "f", "FALSE", "yes", "", "tRue", " true", "null"}
	case model.Integer:
		return []string{"+1", "-1", "007", "-007", "128", "32768", "2147483648", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1_0", "0x10", "", " 1", "1.0", "1e1", "+", "--1", "null"}
	case model.Number:
		return []string{"1.", ".5", "+1e2", "inf", "-Infinity", "+Inf", "nan", "NaN", "+nan", "-nan", "0x1p-2", "0x1_0p0", "1_0", "1e39", "3.4028235677973366e38", "1e309", "", "-0", "1.00000005960464478", "infinite", "0x1", "1e-400", "0x_1p0", "."}
	case model.Date:
		return []string{"2024-02-29", "", "2024-02-30", "2024-2-9", "2024-02-29T00:00:00Z", "2024-02-29 "}
	case model.Instant:
		return []string{"2024-02-29T12:00:00Z", "2024-02-29", "", "2024-02-29T1:00:00,5+01:00", "2024-02-29T12:00:00.Z", "2024-02-29T12:00:00+24:60", "2024-02-29T12:00:00", "2024-02-30", "2024-02-29T12:00:00 01:00"}
	case model.UUID:
		return []string{"{0B6F1F0E-6A0C-4D5E-9D5F-0C1A2B3C4D5E}", "", "0b6f1f0e6a0c4d5e9d5f0c1a2b3c4d5e", "0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5", "(0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e)", "urn:uuid:0b6f1f0e-6a0c-4d5e-9d5f-0c1a2b3c4d5e"}
	case model.Bytes:
		return []string{"AA==", "AA", "-_", "+/", "AB", "", "A", "AA=", "-_==", "+-AA", "A\nA", "AA AA", "A%3D"}
	default:
		return []string{"", "a,b", "a b", "ä", "a+b", "a%20b", "x;y", "a|b", "\"q\"", "%", "%zz", "a\tb", "null", "[1]", "{}", strconv.Itoa(1 << 40)}
	}
}
