package diag

import (
	"errors"
	"io/fs"
)

// Cause is what went wrong with a file, without the operation and the absolute path
// that an error of package os also states: "no such file or directory".
func Cause(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}
