package diag

import (
	"errors"
	"io/fs"
	"os"
)

// Cause returns the reason of a file error, without the operation and the absolute
// path that an error of package os includes: "no such file or directory".
func Cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	return err
}
