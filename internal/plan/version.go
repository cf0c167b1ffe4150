package plan

import (
	"cmp"
	"slices"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// versions plans what the annotation says about fingerprint versions, as far as
// that does not depend on earlier runs.
func (p *planner) versions(annotated spec.Value[spec.Fingerprint]) model.Versions {
	fingerprint := annotated.V
	planned := model.Versions{Pos: annotated.Key, Since: fingerprint.Since.V, SincePos: fingerprint.Since.Pos}
	current := fingerprint.Version
	if current.Present() {
		planned.Pos = current.Pos
	}
	switch {
	case current.OK && current.V < 1:
		p.list.Errorf(current.Pos, "write version: 1, or leave it out", "fingerprint versions begin with 1")
	case current.V > model.MaxVersion:
		p.list.Errorf(current.Pos, "raise the version by one at a time", "fingerprint versions end with %d", model.MaxVersion)
	}
	for _, version := range fingerprint.Retired.V {
		switch {
		case version.V >= current.Or(1):
			p.list.Errorf(version.Pos, "remove it", "version %d is not older than the current one, which is %d", version.V, current.Or(1))
		case slices.ContainsFunc(planned.Retired, func(r model.RetiredVersion) bool { return int64(r.Version) == version.V }):
			p.list.Errorf(version.Pos, "remove one of the two", "version %d is retired twice", version.V)
		default:
			planned.Retired = append(planned.Retired, model.RetiredVersion{Version: int(version.V), Pos: version.Pos})
		}
	}
	slices.SortFunc(planned.Retired, func(a, b model.RetiredVersion) int { return cmp.Compare(a.Version, b.Version) })
	return planned
}
