package diag

import (
	"errors"
	"io/fs"
	"os"
)

// Cause is what went wrong with a file, without the operation and the absolute path
// that an error of package os also states: "no such file or directory".
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
