package gen

import (
	"context"
	"slices"

	"github.com/idemgen/idemgen/internal/gopkg"
)

// sources are the server's package, without the decorator, and the packages that
// declared fields lead into.
type sources struct {
	source gopkg.Source
	others []gopkg.Source
}

// load loads the package for a reader that returns what other packages it needs, until
// these are there: among the sources that it returns. Those that are missing are looked
// for from folder on.
func (s sources) load(ctx context.Context, folder string, read func(*gopkg.Package) []gopkg.Need) (*gopkg.Package, sources, error) {
	for {
		pkg, err := gopkg.Load(s.source, s.others...)
		if err != nil {
			return nil, s, err
		}
		needs := slices.DeleteFunc(read(pkg), func(need gopkg.Need) bool {
			return slices.ContainsFunc(s.others, func(other gopkg.Source) bool { return other.Path == need.Path })
		})
		if len(needs) == 0 {
			return pkg, s, nil
		}
		found, err := gopkg.Find(ctx, folder, needs)
		if err != nil {
			return nil, s, err
		}
		if len(found) == 0 {
			return pkg, s, nil
		}
		s.others = append(s.others, found...)
	}
}
