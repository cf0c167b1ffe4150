package idemrt

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
// been given, and otherwise for every other response. It is for frameworks that make
// 200 of a status that was forgotten.
func StatusOf[T any](response T, otherwise int) int {
	if field := fieldOf(&response, "StatusCode"); field.IsValid() && field.Kind() == reflect.Int {
		return int(field.Int())
	}
	return otherwise
}

// Limited returns a response whose body is a reader with one that ends after limit
// bytes and one more, which is what tells that there are too many. It returns other
// responses as they are. It is for frameworks that render into memory of their own.
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
