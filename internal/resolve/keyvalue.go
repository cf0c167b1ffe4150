package resolve

import "github.com/idemgen/idemgen/internal/model"

// headerKey resolves the header of the key. The bound document makes it an optional
// string; in a package of the user's it is whatever their document says.
func (w *walker) headerKey(declared model.Key) *model.HeaderKey {
	params, ok := w.params()
	if !ok {
		w.noHeaderKey(declared, "the generated "+w.method.request.Obj().Name()+" has no parameters, and so no key")
		return nil
	}
	header, optional, ok := params.header(declared.Name)
	if !ok {
		w.noHeaderKey(declared, "it has no such header")
		return nil
	}
	at, problem := params.parameter("header", declared.Name)
	if problem != "" {
		w.problems.Errorf(declared.Pos, "give the other parameter a Go name of its own with x-go-name", "%s: key header %q: %s", w.route, declared.Name, problem)
		return nil
	}
	value, ok := keyText(at, optional)
	if !ok {
		w.problems.Errorf(declared.Pos, "declare it as a string, and generate again",
			"%s: key header %q: the generated field is of type %s, and a key is text", w.route, declared.Name, w.spell(at.typ))
		return nil
	}
	return &model.HeaderKey{Value: value, Header: header, Required: !optional}
}

// noHeaderKey reports that the package has no field for the key.
func (w *walker) noHeaderKey(declared model.Key, problem string) {
	from := w.pkg.Source.From
	if from == "" {
		w.problems.Errorf(declared.Pos, "", "%s: key header %q: %s", w.route, declared.Name, problem)
		return
	}
	w.problems.Errorf(declared.Pos,
		"declare the header in the document, as idemgen expand prints it, and run oapi-codegen again over what idemgen expand --bound prints; "+
			"or let idemgen run oapi-codegen, with server.out instead of server.from",
		"%s: package %s has no field for the key header %q: %s", w.route, from, declared.Name, problem)
}

// bodyKeys resolves a key in the body, for each of the bodies.
func (w *walker) bodyKeys(operation *model.Operation) []model.BodyKey {
	var keys []model.BodyKey
	fields := w.bodyFields(operation)
	if len(fields) == 0 {
		w.noBody(operation, nil)
	}
	for _, field := range fields {
		at := field.place
		if pointed, ok := pointee(field.typ); ok {
			at.typ = pointed
		}
		property, problem := at.property(operation.Key.Name)
		var value model.Value
		if problem == "" {
			var ok bool
			if value, ok = keyProperty(property); !ok {
				problem = "the generated field is of type " + w.spell(property.typ) + ", and a key is text"
			}
		}
		if problem != "" {
			w.problems.Errorf(operation.Key.Pos, w.regenerate("describe the property as a string"), "%s: key body.%s: %s", w.route, operation.Key.Name, problem)
			continue
		}
		keys = append(keys, model.BodyKey{Body: field.Access, Value: value})
	}
	return keys
}

// keyText is the key as a pointer to text; not ok where the value is no text or does not
// tell whether there is a key.
func keyText(at place, optional bool) (value model.Value, ok bool) {
	pointed, isPointer := pointee(at.typ)
	value = at.value()
	switch {
	case isPointer && isUUID(pointed):
		value.Convert = []model.Conversion{model.KeyOfUUID}
	case isPointer && isPlainString(pointed):
	case isPointer && isString(pointed):
		value.Convert = []model.Conversion{model.StringPointer}
	case isUUID(at.typ) && !optional:
		value.Convert = []model.Conversion{model.AddressOf, model.KeyOfUUID}
	case isString(at.typ):
		value.Convert = []model.Conversion{model.KeyOf}
	default:
		return value, false
	}
	return value, true
}

// keyProperty is a key in the body as a pointer to text. One that cannot be absent is not
// there if it is its type's zero value.
func keyProperty(at place) (value model.Value, ok bool) {
	value = at.value()
	if isUUID(at.typ) {
		value.Convert = []model.Conversion{model.KeyOfValue}
		return value, true
	}
	if held, ok := nullable(at.typ); ok {
		value.Convert = []model.Conversion{model.KeyOfNullable}
		return value, isString(held)
	}
	return keyText(at, true)
}
