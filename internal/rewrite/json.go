package rewrite

import (
	"encoding/json"
	"strings"
)

// parseJSON finds where the values of a JSON text stand, which is known to be
// valid.
func parseJSON(text []byte) *value {
	p := jsonPlaces{text: text}
	p.space()
	return p.value()
}

type jsonPlaces struct {
	text []byte
	at   int
}

// space skips what stands between tokens.
func (p *jsonPlaces) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonPlaces) value() *value {
	v := &value{start: p.at, flow: true}
	switch p.text[p.at] {
	case '{':
		p.object(v)
	case '[':
		p.array(v)
	case '"':
		p.string()
	default:
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n,]}", p.text[p.at]) < 0 {
			p.at++
		}
	}
	v.end = p.at
	return v
}

func (p *jsonPlaces) string() {
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

func (p *jsonPlaces) object(v *value) {
	v.kind = mapping
	p.at++
	for p.space(); p.text[p.at] != '}'; p.space() {
		e := entry{start: p.at}
		p.string()
		e.keyEnd = p.at
		_ = json.Unmarshal(p.text[e.start:p.at], &e.name) // it is a valid string
		for p.text[p.at] != ':' {
			p.at++
		}
		e.colon = p.at + 1
		p.space()
		e.value = p.value()
		v.entries = append(v.entries, e)
	}
	p.at++
}

func (p *jsonPlaces) array(v *value) {
	v.kind = sequence
	p.at++
	for p.space(); p.text[p.at] != ']'; p.space() {
		v.items = append(v.items, item{dash: -1, value: p.value()})
	}
	p.at++
}
