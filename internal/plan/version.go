package plan

import (
	"cmp"
	"slices"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/spec"
)

// versions plans the annotation's fingerprint versions, as far as they do not depend
// on earlier runs.
func (p *planner) versions(annotated spec.Value[spec.Fingerprint]) model.Versions {
	fingerprint := annotated.V
	planned := model.Versions{Pos: annotated.Key, Since: fingerprint.Since.V, SincePos: fingerprint.Since.Pos}
	current := fingerprint.Version
	if current.Present() {
		planned.Pos = current.Pos
	}
	switch {
	case current.OK && current.V < 1:
		p.list.Errorf(current.Pos, "write version: 1, or remove version", "the lowest fingerprint version is 1")
	case current.V > model.MaxVersion:
		p.list.Errorf(current.Pos, "use a version from 1 to 32767", "the highest fingerprint version is %d", model.MaxVersion)
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
