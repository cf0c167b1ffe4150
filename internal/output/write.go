package output

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/internal/diag"
)

// Write makes the tree contain files and no longer contain stale, the files that
// an earlier run wrote and this one does not. Folders are made as needed, and a
// replaced file keeps its permissions. Files that already have the right content
// are not touched.
//
// Everything is staged next to its target before the first target is replaced.
// When a step fails, what was replaced is put back, and the error says why; it is
// a diag.List when the tree is at fault.
func Write(files, stale []File) (Written, error) {
	changes, err := inspect(files, stale)
	if err != nil {
		return Written{}, err
	}
	w := writer{rename: os.Rename}
	if err := w.write(changes); err != nil {
		return Written{}, err
	}
	return written(files, changes), nil
}

// Written says what [Write] did, by the names that the user would type.
type Written struct {
	Created, Updated, Removed []string // sorted
	Unchanged                 int      // files that were right already
}

func written(files []File, changes []change) Written {
	var w Written
	for _, c := range changes {
		switch {
		case c.remove:
			w.Removed = append(w.Removed, c.Display)
		case c.exists:
			w.Updated = append(w.Updated, c.Display)
		default:
			w.Created = append(w.Created, c.Display)
		}
	}
	w.Unchanged = len(files) - len(w.Created) - len(w.Updated)
	return w
}

// writer carries out a list of changes and can undo what it has done so far.
type writer struct {
	rename  func(from, to string) error
	folders []string // folders it made, outermost first
	scratch []string // temporary files, all of which go in the end
	done    []staged // what has been carried out
}

// staged is a change that is ready to be carried out by renames alone.
type staged struct {
	change
	content string // temporary file with the new content; "" to remove
	backup  string // temporary file with the old content; "" where there is none
}

func (w *writer) write(changes []change) error {
	defer w.discardScratch()
	ready, err := w.stageAll(changes)
	if err == nil {
		err = w.commit(ready)
	}
	if err == nil {
		return nil
	}
	return errors.Join(err, w.rollBack())
}

func (w *writer) stageAll(changes []change) ([]staged, error) {
	var (
		ready    []staged
		problems diag.List
	)
	for _, c := range changes {
		s, err := w.stage(c)
		switch {
		case errors.Is(err, fs.ErrPermission):
			problems = append(problems, *refusal(c.File, "the folder cannot be written to", "give yourself write permission, or choose another path in the configuration"))
		case err != nil:
			return nil, fmt.Errorf("%s: %w", c.Display, diag.Cause(err))
		}
		ready = append(ready, s)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return ready, nil
}

// stage writes the new content, and a copy of the old, next to the target.
func (w *writer) stage(c change) (staged, error) {
	s := staged{change: c}
	folder := filepath.Dir(c.Path)
	if err := w.makeFolder(folder); err != nil {
		return s, err
	}
	var err error
	if c.exists {
		if s.backup, err = w.backup(c); err != nil {
			return s, err
		}
	}
	if c.remove {
		return s, nil
	}
	s.content, err = w.scratchFile(folder, c.Content)
	if err == nil && c.exists {
		err = os.Chmod(s.content, c.mode)
	}
	return s, err
}

// backup keeps the target's old content under another name. A hard link also
// keeps owner and times; where the file system has none, a copy must do.
func (w *writer) backup(c change) (string, error) {
	folder := filepath.Dir(c.Path)
	name := scratchName(folder)
	if err := os.Link(c.Path, name); err == nil {
		w.scratch = append(w.scratch, name)
		return name, nil
	}
	name, err := w.scratchFile(folder, c.old)
	if err == nil {
		err = os.Chmod(name, c.mode)
	}
	return name, err
}

// commit carries out all changes, by renames alone.
func (w *writer) commit(ready []staged) error {
	for _, s := range ready {
		var err error
		if s.remove {
			err = os.Remove(s.Path)
		} else {
			err = w.rename(s.content, s.Path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Display, diag.Cause(err))
		}
		w.done = append(w.done, s)
	}
	return nil
}

// rollBack undoes all changes, the latest first, and removes the folders made.
func (w *writer) rollBack() error {
	var failures []error
	for _, s := range slices.Backward(w.done) {
		failures = append(failures, w.undo(s))
	}
	w.discardScratch()
	for _, folder := range slices.Backward(w.folders) {
		_ = os.Remove(folder) // fails, and rightly, when somebody else's file has appeared in it
	}
	return errors.Join(failures...)
}

// undo puts the old file back. Where that fails, its copy is left behind and named.
func (w *writer) undo(s staged) error {
	if !s.exists {
		if err := os.Remove(s.Path); err != nil {
			return fmt.Errorf("%s: the new file could not be removed again: %w", s.Display, diag.Cause(err))
		}
		return nil
	}
	if err := w.rename(s.backup, s.Path); err != nil {
		w.scratch = slices.DeleteFunc(w.scratch, func(name string) bool { return name == s.backup })
		return fmt.Errorf("%s: the old file could not be put back and was left in %s: %w", s.Display, filepath.Base(s.backup), diag.Cause(err))
	}
	return nil
}

// makeFolder makes folder and its missing parents.
func (w *writer) makeFolder(folder string) error {
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := w.makeFolder(filepath.Dir(folder)); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	w.folders = append(w.folders, folder)
	return nil
}

// scratchFile writes content to a new temporary file in folder, with the
// permissions that the user's umask gives a new file.
func (w *writer) scratchFile(folder string, content []byte) (string, error) {
	name := scratchName(folder)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	w.scratch = append(w.scratch, name)
	_, err = file.Write(content)
	return name, errors.Join(err, file.Close())
}

func scratchName(folder string) string {
	return filepath.Join(folder, ".idemgen-"+rand.Text()+".tmp")
}

func (w *writer) discardScratch() {
	for _, name := range w.scratch {
		_ = os.Remove(name) // those that were renamed are gone already
	}
	w.scratch = nil
}
