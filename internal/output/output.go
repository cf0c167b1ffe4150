// Package output compares generated files with those on disk, and writes all of them
// or none.
//
// It replaces and removes only files whose first comment has a generator's header. For
// any other file, symbolic link or folder in the way it reports an error and leaves
// the tree unchanged.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

// File is one generated file.
type File struct {
	Path    string // absolute
	Display string // relative to the working directory, for diagnostics and diffs
	Content []byte
}

// change is one difference between the tree and the generated files.
type change struct {
	File
	remove bool        // the file is stale
	exists bool        // a file is replaced or removed
	old    []byte      // its content
	mode   fs.FileMode // its permissions
}

// inspect compares files and stale with the tree and returns the differences, sorted
// by path. Files that must not be changed are reported in one diag.List.
//
// Stale are files that an earlier run wrote and this one does not; their Content is
// ignored. Those without a generator's header belong to the user now, and are kept.
func inspect(files, stale []File) ([]change, error) {
	var (
		changes  []change
		problems diag.List
	)
	current := map[string]bool{}
	for _, file := range files {
		if current[file.Path] {
			return nil, fmt.Errorf("%s was generated twice", file.Display)
		}
		current[file.Path] = true
		c, problem, err := inspectFile(file)
		switch {
		case err != nil:
			return nil, err
		case problem != nil:
			problems = append(problems, *problem)
		case !c.exists || !bytes.Equal(c.old, c.Content):
			changes = append(changes, c)
		}
	}
	for _, file := range stale {
		if current[file.Path] {
			continue
		}
		current[file.Path] = true
		c, problem, err := inspectFile(file)
		if err != nil {
			return nil, err
		}
		if problem == nil && c.exists {
			c.remove = true
			changes = append(changes, c)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	slices.SortFunc(changes, func(a, b change) int { return strings.Compare(a.Display, b.Display) })
	return changes, nil
}

// inspectFile reads what is on disk at the path of file.
func inspectFile(file File) (change, *diag.Diagnostic, error) {
	c := change{File: file}
	info, err := os.Lstat(file.Path)
	if err != nil {
		if blocker := blockingFolder(file); blocker != "" {
			return c, refusal(file, blocker+" is in the way: it is not a folder", "remove it, or choose another path in the configuration"), nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			return c, nil, nil
		}
		return c, nil, fmt.Errorf("%s: %w", file.Display, diag.Cause(err))
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return c, refusal(file, "a symbolic link is in the way of a generated file", "remove the link, or choose another path in the configuration"), nil
	case info.IsDir():
		return c, refusal(file, "a folder is in the way of a generated file", "remove the folder, or choose another path in the configuration"), nil
	case !info.Mode().IsRegular():
		return c, refusal(file, "something that is not a regular file is in the way of a generated file", "remove it, or choose another path in the configuration"), nil
	}
	c.exists, c.mode = true, info.Mode().Perm()
	if c.old, err = os.ReadFile(file.Path); err != nil {
		return c, nil, fmt.Errorf("%s: %w", file.Display, diag.Cause(err))
	}
	if !Generated(c.old) {
		return c, refusal(file, "the file is not generated and will not be replaced", "move it out of the way, or choose another path in the configuration"), nil
	}
	return c, nil, nil
}

// blockingFolder returns the Display name of the parent of file that exists and is not
// a folder, or "".
func blockingFolder(file File) string {
	path, display := filepath.Dir(file.Path), filepath.Dir(file.Display)
	for path != filepath.Dir(path) {
		if _, err := os.Lstat(path); err == nil {
			if info, err := os.Stat(path); err != nil || !info.IsDir() {
				return display
			}
			return ""
		}
		path, display = filepath.Dir(path), filepath.Dir(display)
	}
	return ""
}

// refusal is the diagnostic for something in the tree that must not be changed.
func refusal(file File, message, remedy string) *diag.Diagnostic {
	return &diag.Diagnostic{
		Pos:     diag.Position{File: file.Display, Line: 1, Column: 1},
		Message: message,
		Remedy:  remedy,
	}
}
