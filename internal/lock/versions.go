package lock

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/model"
)

// versions completes the contract's operations with the fingerprint versions of
// earlier runs: those under which records are still to be compared, and those whose
// numbers are spent. It reports fields that have changed under an unchanged number,
// numbers that do not follow the lock's, and versions that are retired too early.
func (h History) versions(contract *model.Contract, list *diag.List) {
	for _, operation := range contract.Operations {
		v := &versioner{History: h, operation: operation, before: lockedOperation(h.Lock, operation.Name), list: list}
		v.run()
	}
}

// versioner looks at the versions of one operation.
type versioner struct {
	History
	operation *model.Operation
	before    model.LockOperation
	list      *diag.List
}

func (v *versioner) run() {
	versions := v.before.Versions
	switch {
	case len(versions) == 0:
		v.first()
	case v.follows(versions[0]):
		v.retiredAreKnown()
		for _, version := range versions {
			if version.Version < v.current() {
				v.older(version)
			}
		}
	}
}

func (v *versioner) current() int { return v.operation.Fingerprint.Version }

// errorf reports at the number of the current version.
func (v *versioner) errorf(remedy, format string, args ...any) {
	v.list.Errorf(v.operation.Versions.Pos, remedy, format, args...)
}

// first is about an operation that no run has seen before.
func (v *versioner) first() {
	if v.current() != 1 {
		v.errorf(fmt.Sprintf("begin with version 1, or restore %s if it has been lost", v.File),
			"version %d of %q has no predecessor: %s does not know the operation", v.current(), v.operation.Name, v.File)
		return
	}
	v.retiredAreKnown()
}

// follows checks the current version against the newest of the lock, and reports
// whether the number is one that may stand there.
func (v *versioner) follows(newest model.LockVersion) bool {
	changes := fieldChanges(newest.Fields, Fields(v.operation.Fingerprint.Roots))
	next := newest.Version + 1
	switch current := v.current(); {
	case current == newest.Version:
		if len(changes) > 0 {
			v.changed(newest, changes)
		}
	case current == next:
		v.sinceIsNew(newest)
		if len(changes) == 0 {
			v.list.Warnf(v.operation.Versions.Pos, "go back to version "+strconv.Itoa(newest.Version)+" unless the same fields have come to mean something else",
				"version %d of %q has the same fields as version %d", current, v.operation.Name, newest.Version)
		}
	case current > next:
		v.errorf(fmt.Sprintf("write version: %d", next), "version %d of %q skips %s: the newest in %s is %d",
			current, v.operation.Name, skipped(next, current-1), v.File, newest.Version)
		return false
	default:
		v.errorf(fmt.Sprintf("write version: %d; to go back to an earlier state of the document, restore %s from version control too", newest.Version, v.File),
			"version %d of %q is lower than %d, the newest in %s, under which records may have been written",
			current, v.operation.Name, newest.Version, v.File)
		return false
	}
	return true
}

// sinceIsNew reports a day that was given for an earlier version: while the lock
// has the newest version as the one that is written, none of its days can be past
// on which nobody writes it.
func (v *versioner) sinceIsNew(newest model.LockVersion) {
	versions := v.operation.Versions
	if !versions.Since.IsZero() && !v.Today.Before(versions.Since.AddDate(0, 0, 1)) {
		v.list.Errorf(versions.SincePos, fmt.Sprintf("give the day from which no process will write version %d, or remove it for now", newest.Version),
			"since is %s, but by %s records of %q are still written under version %d",
			versions.Since.Format(time.DateOnly), v.File, v.operation.Name, newest.Version)
	}
}

func skipped(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d to %d", first, last)
}

// changed reports fields that are not those of the lock, under the same number.
func (v *versioner) changed(newest model.LockVersion, changes []string) {
	v.errorf(fmt.Sprintf("restore them, or write fingerprint: {version: %d, ...}, and records of version %d are still compared as they were written"+
		" (if version %d has never been deployed, take it out of %s)", newest.Version+1, newest.Version, newest.Version, v.File),
		"the fields of version %d of %q are not those of %s: %s",
		newest.Version, v.operation.Name, v.File, strings.Join(changes, ", "))
}

// retiredAreKnown reports retired versions that no run has seen.
func (v *versioner) retiredAreKnown() {
	for _, retired := range v.operation.Versions.Retired {
		if v.locked(retired.Version) == nil {
			v.list.Errorf(retired.Pos, "remove it", "version %d of %q cannot be retired: %s does not know it",
				retired.Version, v.operation.Name, v.File)
		}
	}
}

func (v *versioner) locked(version int) *model.LockVersion {
	for i := range v.before.Versions {
		if v.before.Versions[i].Version == version {
			return &v.before.Versions[i]
		}
	}
	return nil
}

// older keeps a version that the lock has below the current one, or retires it.
func (v *versioner) older(version model.LockVersion) {
	if version.Retired {
		v.operation.Retired = append(v.operation.Retired, version.Version)
		return
	}
	for _, retired := range v.operation.Versions.Retired {
		if retired.Version == version.Version {
			v.mayRetire(version, retired)
			v.operation.Retired = append(v.operation.Retired, version.Version)
			return
		}
	}
	v.stillThere(version)
	roots, err := Restore(version.Fields)
	if err != nil {
		v.list.Errorf(version.Pos, restoreFile, "version %d of %q cannot be read: %v", version.Version, v.operation.Name, err)
		return
	}
	older := model.OlderFingerprint{
		Fingerprint: model.Fingerprint{Version: version.Version, Roots: roots, Pos: v.operation.Versions.Pos},
		Remedy:      v.wayOut(version),
	}
	if !older.HashContentType() {
		older.Body = v.bodyOf(version)
	}
	v.operation.Older = append(v.operation.Older, older)
}

// mayRetire reports a version under which there may be records inside their
// window.
func (v *versioner) mayRetire(version model.LockVersion, retired model.RetiredVersion) {
	since := v.operation.Versions.Since
	switch {
	case version.Version == v.before.Versions[0].Version:
		v.list.Errorf(retired.Pos, fmt.Sprintf("generate and deploy version %d first", v.current()),
			"version %d of %q cannot be retired yet: by %s it is the one that records are written under",
			version.Version, v.operation.Name, v.File)
	case since.IsZero():
		v.list.Errorf(retired.Pos, "add since: with the day from which no process writes older versions",
			"version %d of %q cannot be retired: there is no since", version.Version, v.operation.Name)
	case v.Today.Before(retirable(since, version.Window)):
		v.list.Errorf(retired.Pos, "retire it on "+retirable(since, version.Window).Format(time.DateOnly)+" or later",
			"version %d of %q cannot be retired yet: its records may be replayed for %s after %s",
			version.Version, v.operation.Name, model.Span(version.Window), since.Format(time.DateOnly))
	}
}

// retirable is the first day on which no record of a version is inside its window
// any more, if none has been written since the given day.
func retirable(since time.Time, window time.Duration) time.Time {
	const day = 24 * time.Hour
	return since.AddDate(0, 0, int((window+day-1)/day))
}

// wayOut says how a version is got rid of whose fields are in the way.
func (v *versioner) wayOut(version model.LockVersion) string {
	since := v.operation.Versions.Since
	if since.IsZero() {
		return fmt.Sprintf("keep it as it was until version %d can be retired, which is %s after the day that since: gives", version.Version, model.Span(version.Window))
	}
	return fmt.Sprintf("keep it as it was until version %d can be retired, which is on %s",
		version.Version, retirable(since, version.Window).Format(time.DateOnly))
}
