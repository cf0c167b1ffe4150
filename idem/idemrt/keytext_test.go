package idemrt

import (
	"testing"
	"time"
)

func TestKeyOf(t *testing.T) {
	type named string
	if got := KeyOf(""); got != nil {
		t.Errorf("an empty key is %q", *got)
	}
	if got := KeyOf(named("a")); got == nil || *got != "a" {
		t.Errorf("got %v", got)
	}
}

func TestKeyText(t *testing.T) {
	if got := KeyText[time.Duration](nil); got != nil {
		t.Errorf("no key is %q", *got)
	}
	key := time.Second
	if got := KeyText(&key); got == nil || *got != "1s" {
		t.Errorf("got %v", got)
	}
}

func TestKeyOfValue(t *testing.T) {
	if got := KeyOfValue(time.Duration(0)); got != nil {
		t.Errorf("no key is %q", *got)
	}
	if got := KeyOfValue(time.Second); got == nil || *got != "1s" {
		t.Errorf("got %v", got)
	}
}

func TestKeyOfNullable(t *testing.T) {
	type nullable map[bool]string // as in github.com/oapi-codegen/nullable
	for _, none := range []nullable{nil, {false: ""}} {
		if got := KeyOfNullable(none); got != nil {
			t.Errorf("no key is %q", *got)
		}
	}
	if got := KeyOfNullable(nullable{true: "a"}); got == nil || *got != "a" {
		t.Errorf("got %v", got)
	}
}
