// Package strict reads the responses of oapi-codegen's strict servers for adapters
// whose framework would not: it knows their fields by name, and no framework.
package strict

import (
	"io"
	"reflect"
)

// fieldOf returns the field of a response of oapi-codegen's, which is a struct if it
// has any, or the zero value.
func fieldOf[T any](response *T, name string) reflect.Value {
	value := reflect.ValueOf(response).Elem()
	if value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	field, ok := value.Type().FieldByName(name)
	if !ok || len(field.Index) != 1 {
		return reflect.Value{}
	}
	return value.FieldByIndex(field.Index)
}

// StatusOf returns the status that a response of a range, or of the default, has
// been given in its field StatusCode, and otherwise what is given for one without it.
// A framework on fasthttp would make 200 of one that was forgotten.
func StatusOf[T any](response T, otherwise int) int {
	if field := fieldOf(&response, "StatusCode"); field.IsValid() && field.Kind() == reflect.Int {
		return int(field.Int())
	}
	return otherwise
}

// Limited returns a copy of a response whose Body is an [io.Reader], in which that ends
// after limit bytes and one more, which is what tells that there are too many. It can
// be closed if the original can. Other responses it returns as they are.
func Limited[T any](response T, limit int64) T {
	field := fieldOf(&response, "Body")
	if !field.IsValid() || field.Type() != reflect.TypeFor[io.Reader]() || field.IsNil() {
		return response
	}
	original := reflect.ValueOf(response)
	changed := reflect.New(original.Type()).Elem()
	changed.Set(original)
	changed.FieldByName("Body").Set(reflect.ValueOf(limitedReader(field.Interface().(io.Reader), limit)))
	return changed.Interface().(T) // of the type that response holds
}

// limitedReader can be closed if body can.
func limitedReader(body io.Reader, limit int64) io.Reader {
	reader := io.LimitReader(body, limit+1)
	if closer, ok := body.(io.Closer); ok {
		return struct {
			io.Reader
			io.Closer
		}{reader, closer}
	}
	return reader
}
