package oapi

import (
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// detachRefs takes the references that match out of doc, with what they lead to, and
// returns what puts them back.
func detachRefs(doc *openapi3.T, match func(ref string) bool) (restore func()) {
	d := detacher{match: match, seen: map[any]bool{}}
	d.walk(reflect.ValueOf(doc))
	return func() {
		for _, back := range d.back {
			back()
		}
	}
}

type detacher struct {
	match func(ref string) bool
	seen  map[any]bool
	back  []func()
}

// walk visits everything that can be reached through exported fields.
func (d *detacher) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || d.seen[v.Interface()] {
			return
		}
		d.seen[v.Interface()] = true
		d.walk(v.Elem())
	case reflect.Struct:
		if item, ok := v.Interface().(openapi3.PathItem); ok && isOutside(item.Ref) {
			return // what is in it is relative to another file
		}
		if d.take(v) {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				d.walk(v.Field(i))
			}
		}
		if paths, ok := pathsOf(v); ok {
			d.walk(paths)
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.walk(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			d.walk(v.MapIndex(key))
		}
	}
}

// take takes what a reference leads to out of it, if it matches.
func (d *detacher) take(v reflect.Value) bool {
	ref, value := v.FieldByName("Ref"), v.FieldByName("Value")
	if !ref.IsValid() || ref.Kind() != reflect.String || !value.IsValid() || value.Kind() != reflect.Pointer || !d.match(ref.String()) {
		return false
	}
	whole := reflect.New(v.Type()).Elem()
	whole.Set(v)
	v.SetZero()
	v.FieldByName("Value").Set(reflect.New(value.Type().Elem()))
	d.back = append(d.back, func() { v.Set(whole) })
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

// isOutside reports whether a reference leads to another file.
func isOutside(ref string) bool { return ref != "" && !strings.HasPrefix(ref, "#") }
