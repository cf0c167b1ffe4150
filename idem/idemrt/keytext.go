package idemrt

import "fmt"

// KeyOf returns a key as [Definition] wants it, for generated code in which the key is
// plain text: an empty one is no key.
func KeyOf[T ~string](key T) *string {
	if key == "" {
		return nil
	}
	text := string(key)
	return &text
}

// KeyText returns a key as [Definition] wants it, for generated code in which the key has
// a type of its own, such as a UUID: its spelling, and no key for nil.
func KeyText[T fmt.Stringer](key *T) *string {
	if key == nil {
		return nil
	}
	text := (*key).String()
	return &text
}

// KeyOfValue is [KeyText] for generated code in which the key is always there: the
// zero value is no key.
func KeyOfValue[T interface {
	comparable
	fmt.Stringer
}](key T) *string {
	var none T
	if key == none {
		return nil
	}
	return KeyText(&key)
}

// KeyOfNullable returns a key as [Definition] wants it, for generated code in which the
// key may be null, which is no key.
func KeyOfNullable[M ~map[bool]T, T ~string](key M) *string {
	given, ok := key[true]
	if !ok {
		return nil
	}
	text := string(given)
	return &text
}
