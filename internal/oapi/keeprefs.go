package oapi

import (
	"reflect"

	"github.com/getkin/kin-openapi/openapi3"
)

// setAside takes the references that match out of doc, with what they lead to, and
// returns what puts them back.
func setAside(doc *openapi3.T, match func(ref string) bool) (restore func()) {
	a := aside{match: match, seen: map[any]bool{}}
	a.walk(reflect.ValueOf(doc))
	return func() {
		for _, back := range a.back {
			back()
		}
	}
}

type aside struct {
	match func(ref string) bool
	seen  map[any]bool
	back  []func()
}

// walk visits everything that can be reached through exported fields.
func (a *aside) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || a.seen[v.Interface()] {
			return
		}
		a.seen[v.Interface()] = true
		a.walk(v.Elem())
	case reflect.Struct:
		if item, ok := v.Interface().(openapi3.PathItem); ok && isOutside(item.Ref) {
			return // what is in it is relative to another file
		}
		if a.take(v) {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				a.walk(v.Field(i))
			}
		}
		if paths, ok := pathsOf(v); ok {
			a.walk(paths)
		}
	case reflect.Slice:
		for i := range v.Len() {
			a.walk(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			a.walk(v.MapIndex(key))
		}
	}
}

// take takes what a reference leads to out of it, if it matches.
func (a *aside) take(v reflect.Value) bool {
	ref, value := v.FieldByName("Ref"), v.FieldByName("Value")
	if !ref.IsValid() || ref.Kind() != reflect.String || !value.IsValid() || value.Kind() != reflect.Pointer || !a.match(ref.String()) {
		return false
	}
	whole := reflect.New(v.Type()).Elem()
	whole.Set(v)
	v.SetZero()
	v.FieldByName("Value").Set(reflect.New(value.Type().Elem()))
	a.back = append(a.back, func() { v.Set(whole) })
	return true
}

// pathsOf returns the map inside of the document's paths, an operation's responses
// and a callback, which kin-openapi hands out by a method.
func pathsOf(v reflect.Value) (reflect.Value, bool) {
	if !v.CanAddr() {
		return reflect.Value{}, false
	}
	method := v.Addr().MethodByName("Map")
	if !method.IsValid() || method.Type().NumIn() != 0 || method.Type().NumOut() != 1 {
		return reflect.Value{}, false
	}
	return method.Call(nil)[0], true
}
