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

// Write writes files and removes stale, the files that an earlier run wrote and this
// one does not. It creates folders as needed, and a replaced file keeps its
// permissions. Files whose content is already right are not changed.
//
// Everything is staged next to its target before the first target is replaced. If a
// step fails, replaced files are restored, and the error says why; it is a diag.List
// if the tree is the cause.
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

// Written lists the changes of [Write], by Display name.
type Written struct {
	Created, Updated, Removed []string // sorted
	Unchanged                 int      // files that did not change
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

// writer applies a list of changes and can roll back those applied so far.
type writer struct {
	rename  func(from, to string) error
	folders []string // created folders, outermost first
	scratch []string // temporary files, all removed at the end
	done    []staged // the changes applied so far
}

// staged is a change that is ready to be applied by renames alone.
type staged struct {
	change
	content string // temporary file with the new content; "" to remove
	backup  string // temporary file with the old content; "" if there is none
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

// backup keeps the target's old content under another name. A hard link also keeps
// owner and times; if the file system has no hard links, it makes a copy.
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

// commit applies all changes, by renames alone.
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

// rollBack reverts all changes, the latest first, and removes the created folders.
func (w *writer) rollBack() error {
	var failures []error
	for _, s := range slices.Backward(w.done) {
		failures = append(failures, w.undo(s))
	}
	w.discardScratch()
	for _, folder := range slices.Backward(w.folders) {
		_ = os.Remove(folder) // fails if another file has been created in it, which must be kept
	}
	return errors.Join(failures...)
}

// undo restores the old file. If that fails, its copy is kept and named in the error.
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

// makeFolder creates folder and its missing parents.
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

// scratchFile writes content to a new temporary file in folder, with the permissions
// of a new file under the user's umask.
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
		_ = os.Remove(name) // those that were renamed no longer exist
	}
	w.scratch = nil
}
