package spec

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// encode returns every file that was read as text that kin-openapi can read.
func (doc *Document) encode(brief bool) map[string]*tree.JSON {
	texts := map[string]*tree.JSON{}
	for key, s := range doc.files.byKey {
		if s.root != nil {
			texts[key] = tree.EncodeJSON(s.root, tree.JSONOptions{Brief: brief})
		}
	}
	return texts
}

// Fresh returns the document, overlay included, as a new kin-openapi value that the
// caller may change. Its file names are relative to the document's folder, so that
// nothing derived from them depends on the folder's location. It has no positions of
// its elements; see [Document.Located].
func (doc *Document) Fresh() (t *openapi3.T, err error) {
	if t, err = doc.decoded(); err == nil {
		return t, nil
	}
	return doc.read(false) // an error has a position in the text
}

// Release returns Document.OpenAPI itself, for a caller that changes it; this is
// cheaper than Fresh. Afterwards nothing else may read it, nor the parts of it in
// Operations.
func (doc *Document) Release() (*openapi3.T, error) {
	t := doc.OpenAPI
	doc.OpenAPI = nil
	if t == nil { // released before
		return doc.Fresh()
	}
	for _, op := range doc.Operations {
		op.OpenAPI, op.PathItem = nil, nil
	}
	return t, nil
}

// Located is Fresh with the origin of each element, for [Document.Origin], and without
// descriptions. It is used to report where something is wrong.
func (doc *Document) Located() (*openapi3.T, error) { return doc.read(true) }

// decoded passes the existing tree to kin-openapi.
func (doc *Document) decoded() (t *openapi3.T, err error) {
	defer recovered(&t, &err)
	loader, location := doc.loader(doc.texts), doc.location()
	// The loader resolves references only for a document that it read from that
	// location.
	if t, err = loader.LoadFromDataWithPath([]byte("{}"), location); err != nil {
		return nil, err
	}
	if err := doc.files.main.root.YAML().Decode(t); err != nil {
		return nil, err
	}
	return t, loader.ResolveRefsIn(t, location)
}

// read passes the text of the tree to kin-openapi.
func (doc *Document) read(origins bool) (t *openapi3.T, err error) {
	defer recovered(&t, &err)
	texts := doc.texts
	if origins {
		texts = sync.OnceValue(func() map[string]*tree.JSON { return doc.encode(true) })
	}
	loader := doc.loader(texts)
	loader.IncludeOrigin = origins
	return loader.LoadFromDataWithPath(texts()[doc.files.main.key].Text, doc.location())
}

func recovered(t **openapi3.T, err *error) {
	if r := recover(); r != nil {
		*t, *err = nil, fmt.Errorf("kin-openapi cannot read the document: %v", r)
	}
}

func (doc *Document) location() *url.URL { return &url.URL{Path: doc.files.main.key} }

func (doc *Document) loader(texts func() map[string]*tree.JSON) *openapi3.Loader {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = reader(texts)
	return loader
}

// reader gives kin-openapi only the files that have been read.
func reader(texts func() map[string]*tree.JSON) openapi3.ReadFromURIFunc {
	return func(_ *openapi3.Loader, location *url.URL) ([]byte, error) {
		if location.Scheme == "" && location.Host == "" {
			if e := texts()[path.Clean(location.Path)]; e != nil {
				return e.Text, nil
			}
		}
		return nil, fmt.Errorf("%s is not a file that the document's references lead to", location)
	}
}

// Origin returns the position in the user's files of an element of the document that
// Located returned, given the element's origin. It reports false if the position is
// not known.
func (doc *Document) Origin(origin *openapi3.Origin) (diag.Position, bool) {
	if origin == nil || origin.Key == nil {
		return diag.Position{}, false
	}
	u, err := url.Parse(origin.Key.File)
	if err != nil {
		return diag.Position{}, false
	}
	e := doc.texts()[path.Clean(u.Path)]
	if e == nil {
		return diag.Position{}, false
	}
	return e.Position(origin.Key.Line)
}

// attach loads Document.OpenAPI and assigns its operations to doc.Operations.
func (doc *Document) attach(list *diag.List) bool {
	t, err := doc.Fresh()
	if err != nil {
		doc.loadError(list, err)
		return false
	}
	doc.OpenAPI = t
	for _, op := range doc.Operations {
		op.PathItem = t.Paths.Value(op.Path)
		if op.PathItem != nil {
			op.OpenAPI = op.PathItem.GetOperation(op.Method)
		}
		if op.OpenAPI == nil {
			list.Errorf(op.Pos, "write the operation directly under its path, without a $ref", "kin-openapi does not find %s %s in the document", op.Method, op.Path)
			return false
		}
	}
	return true
}

// correction is the remedy for what kin-openapi finds invalid. The overlay is applied
// before kin-openapi reads the document, so it can correct everything reported here.
const correction = "correct it in the document, or in an overlay"

// loadError reports an error of kin-openapi's loader: at the position that its parser
// gives, or at the reference that it names, or else at the document as a whole.
func (doc *Document) loadError(list *diag.List, err error) {
	pos, text := doc.files.main.start(), doc.texts()[doc.files.main.key]
	if ref := doc.files.mentioned(err.Error()); ref != nil {
		pos = ref.node.Pos
		if e := doc.texts()[ref.target.key]; e != nil {
			text = e
		}
	}
	var load *yaml.LoadErrors
	if !errors.As(err, &load) {
		list.Errorf(pos, correction, "this is not a valid OpenAPI document: %s", firstLine(err.Error()))
		return
	}
	for _, e := range load.Errors {
		if at, ok := text.Position(e.Mark.Line); ok {
			pos = at
		}
		list.Errorf(pos, correction, "this is not a valid OpenAPI document: %s", constructError(e.Message))
	}
}

// constructError rewrites an error of the YAML parser in terms of OpenAPI.
func constructError(message string) string {
	m := cannotConstruct.FindStringSubmatch(message)
	if m == nil {
		return firstLine(message)
	}
	kind, ok := map[string]tree.Kind{
		"!!map": tree.Mapping, "!!seq": tree.Sequence, "!!str": tree.String, "!!int": tree.Int, "!!float": tree.Float, "!!bool": tree.Bool, "!!null": tree.Null,
	}[m[1]]
	if !ok {
		return firstLine(message)
	}
	return fmt.Sprintf("%s is not allowed at %s", kind, m[2])
}

var cannotConstruct = regexp.MustCompile(`(?s)^cannot construct (!!\w+) .*in (/.*)$`)

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(text)
}

// validate reports what kin-openapi finds invalid. Examples, defaults and patterns are
// not checked: they are often wrong in real documents, and patterns are not written in
// Go's syntax. A problem is an error only where it affects the generated code, in an
// annotated operation or in the document as a whole. A problem in components is
// reported again by the operations that use them.
func (doc *Document) validate(list *diag.List) {
	var problems openapi3.MultiError
	switch err := doc.invalidity(); {
	case err == nil:
		return
	case !errors.As(err, &problems):
		problems = openapi3.MultiError{err}
	}
	var errs, warnings diag.List
	for _, err := range problems {
		f := doc.locate(err)
		message := "this is not valid OpenAPI: " + firstLine(f.cause.Error())
		if f.matters {
			errs.Errorf(f.pos, correction, "%s", message)
		} else {
			warnings.Warnf(f.pos, correction, "%s", message)
		}
	}
	for _, w := range warnings {
		if !slices.ContainsFunc(errs, func(e diag.Diagnostic) bool { return e.Pos == w.Pos && e.Message == w.Message }) {
			list.Add(w)
		}
	}
	list.Add(errs...)
}

// invalidity returns the validation errors, with their origins.
func (doc *Document) invalidity() error {
	err := validity(doc.OpenAPI)
	if err == nil {
		return nil
	}
	if located, failed := doc.Located(); failed == nil {
		err = validity(located)
	}
	return err
}

func validity(t *openapi3.T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the validator failed: %v", r)
		}
	}()
	return t.Validate(context.Background(),
		openapi3.EnableMultiError(),
		openapi3.DisableExamplesValidation(),
		openapi3.DisableSchemaDefaultsValidation(),
		openapi3.DisableSchemaPatternValidation(),
	)
}

// finding is a validation error with its position.
type finding struct {
	pos     diag.Position
	cause   error // without the wrappers that name the position
	matters bool
}

// locate finds the position of a validation error, and whether it matters.
func (doc *Document) locate(err error) finding {
	pointer, cause := unwrap(err)
	f := finding{pos: doc.PositionOf(pointer), cause: cause}
	for e := cause; e != nil; e = errors.Unwrap(e) {
		if pos, ok := doc.Origin(originOf(e)); ok {
			f.pos = pos
			break
		}
	}
	inPart := len(pointer) > 0 && slices.Contains([]string{"components", "paths", "webhooks"}, pointer[0])
	f.matters = !isHarmless(cause) && (!inPart || doc.annotatedAt(pointer, cause.Error()))
	return f
}

// unwrap removes the wrappers that name the position of a validation error.
func unwrap(err error) (Pointer, error) {
	var pointer Pointer
	for {
		switch e := err.(type) { //nolint:errorlint // each link of the chain is inspected
		case *openapi3.SectionValidationError:
			pointer, err = Pointer{e.Section}, e.Cause
		case *openapi3.PathValidationError:
			pointer, err = Pointer{"paths", e.Path}, e.Cause
		case *openapi3.OperationValidationError:
			pointer, err = pointer.Child(strings.ToLower(e.Method)), e.Cause
		default:
			return pointer, err
		}
	}
}

// isHarmless reports whether an error is about keys that idemgen does not read:
// unknown keys, and keys of another version of OpenAPI.
func isHarmless(err error) bool {
	var extra *openapi3.ExtraSiblingFieldsError
	var version *openapi3.FieldVersionMismatchError
	return errors.As(err, &extra) || errors.As(err, &version)
}

// annotatedAt reports whether the path or operation is annotated or contains an
// annotated operation, or whether the text of an error names one.
func (doc *Document) annotatedAt(pointer Pointer, text string) bool {
	for _, op := range doc.Operations {
		if op.Annotation == nil {
			continue
		}
		within := len(pointer) > 1 && strings.HasPrefix(op.Pointer.String()+"/", pointer.String()+"/")
		if within || mentions(text, op.Method+" "+op.Path) {
			return true
		}
	}
	return false
}

// mentions reports whether text contains name, and not only as a prefix of a longer
// path.
func mentions(text, name string) bool {
	for {
		_, rest, ok := strings.Cut(text, name)
		if !ok {
			return false
		}
		if rest == "" || strings.ContainsAny(rest[:1], "\"' ,;)") {
			return true
		}
		text = rest
	}
}

// originOf returns the origin, which most of kin-openapi's errors carry.
func originOf(err error) *openapi3.Origin {
	v := reflect.ValueOf(err)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	field := v.Elem().FieldByName("Origin")
	if !field.IsValid() {
		return nil
	}
	origin, _ := field.Interface().(*openapi3.Origin)
	return origin
}
