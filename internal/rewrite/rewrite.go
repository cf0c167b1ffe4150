package rewrite

import (
	"bytes"
	"fmt"

	"github.com/idemgen/idemgen/internal/spec"
)

const byteOrderMark = "\ufeff"

// Apply returns the text of file, YAML or JSON, changed so that it reads as the
// tree want. New entries of want stand behind those that precede them in want.
//
// Kept is false if the text could not be changed in place, which odd YAML may
// bring about; then the result is want written anew, without comments. The error
// says why the text cannot be read.
func Apply(file string, text []byte, want *spec.Node) (result []byte, kept bool, err error) {
	text, marked := bytes.CutPrefix(text, []byte(byteOrderMark))
	have, problems := spec.Parse(file, text)
	if have == nil {
		return nil, false, problems.Err()
	}
	result, kept = apply(file, text, have, want)
	if marked {
		result = append([]byte(byteOrderMark), result...)
	}
	return result, kept, nil
}

func apply(file string, text []byte, have, want *spec.Node) (result []byte, kept bool) {
	if have.Equal(want) {
		return text, true
	}
	json := spec.IsJSON(file, text)
	root, err := parse(text, json)
	if err != nil {
		return []byte(defaultStyle(json).whole(want)), false
	}
	s := styleOf(text, json, root)
	if result, err = patch(text, s, root, have, want); err == nil {
		if read, _ := spec.Parse(file, result); read != nil && read.Equal(want) {
			return result, true
		}
	}
	return []byte(s.whole(want)), false
}

// parse finds the values in a text. It fails on what it does not know of YAML.
func parse(text []byte, json bool) (root *value, err error) {
	defer caught(&err)
	if json {
		return parseJSON(text), nil
	}
	return parseYAML(text)
}

func patch(text []byte, s *style, root *value, have, want *spec.Node) (result []byte, err error) {
	defer caught(&err)
	p := patcher{text: text, style: s}
	p.markShared(root, have, want)
	p.value(root, have, want, place{kind: atRoot})
	return p.apply(), nil
}

// caught turns a panic, over an offset that does not fit the text, into an error.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}
