package gen

import "github.com/idemgen/idemgen/internal/diag"

// findings are the warnings of a run, in the order of their positions.
type findings struct{ warnings diag.List }

// add keeps the warnings of list and returns its errors, if there are any.
func (f *findings) add(list diag.List) error {
	var errors diag.List
	for _, d := range list {
		if d.Severity == diag.Warning {
			f.warnings.Add(d)
		} else {
			errors.Add(d)
		}
	}
	f.warnings.Sort()
	return errors.Err()
}
