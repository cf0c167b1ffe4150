package lock

import (
	"cmp"
	"fmt"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// stillThere reports the fields of an older version that today's document does
// not have any more, or has in another form: a request can then not be compared
// with records of that version.
func (v *versioner) stillThere(version model.LockVersion) {
	body := v.bodyOf(version)
	for _, field := range version.Fields {
		v.fieldStillThere(version, field, cmp.Or(field.ContentType, body))
	}
}

func (v *versioner) fieldStillThere(version model.LockVersion, field model.LockField, contentType string) {
	path, err := spec.ParseFieldPath(field.Path)
	if err != nil {
		return // which Restore reports
	}
	needs := fmt.Sprintf("version %d of %q needs %s as %s", version.Version, v.operation.Name, field.Path, field.Type)
	kind, format := model.ParseTypeText(field.Type)
	// Of an object, other fields may say what takes part.
	switch now := v.Requests.Field(v.operation, path, contentType, kind != model.Object); {
	case !now.Found:
		v.errorf(v.wayOut(version), "%s, which the document does not have any more", needs)
	case now.Problem != "":
		v.list.Errorf(now.Pos, v.wayOut(version), "%s, and it %s", needs, now.Problem)
	case now.Kind != kind, kind == model.Number && (now.Format == "float") != (format == "float"):
		v.list.Errorf(now.Pos, v.wayOut(version), "%s, and it is %s now", needs, model.TypeText(now.Kind, now.Format))
	}
}

// bodyOf returns the content type that a version is about which is from when the
// operation had only one.
func (v *versioner) bodyOf(version model.LockVersion) string {
	var paths []spec.FieldPath
	for _, field := range version.Fields {
		if path, err := spec.ParseFieldPath(field.Path); err == nil {
			paths = append(paths, path)
		}
	}
	return v.Requests.Body(v.operation, paths)
}
