package diag

import (
	"errors"
	"io/fs"
)

// Cause returns the reason of a file error, without the operation and the absolute
// path that an error of package os includes: "no such file or directory".
func Cause(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}
