package lock

import (
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

func (r reader) version(n *tree.Node) model.LockVersion {
	before := len(*r.Problems)
	r.Mapping(n, "a fingerprint", "version", "retired", "window", "digest", "fields")
	version := model.LockVersion{
		Version: r.number(n),
		Retired: r.flag(n, "retired"),
		Window:  r.duration(n, "window"),
		Digest:  r.text(n, "digest"),
		Fields:  list(r, n, "fields", reader.field),
		Pos:     n.Pos,
	}
	if len(*r.Problems) == before {
		r.checkVersion(version, n)
	}
	return version
}

// number reads the number of a version.
func (r reader) number(n *tree.Node) int {
	value, number := n.Get("version"), r.integer(n, "version")
	if value != nil && value.Kind == tree.Int && (number < 1 || number > model.MaxVersion) {
		r.Errorf(value.Pos, "", "version must be an integer from 1 to %d", model.MaxVersion)
	}
	return int(number)
}

// checkVersion checks that a version has what it needs, and the fields that were
// generated.
func (r reader) checkVersion(version model.LockVersion, n *tree.Node) {
	digest := n.Get("digest")
	switch {
	case n.Get("version") == nil:
		r.Errorf(n.Pos, "", "this fingerprint has no version")
	case version.Retired:
		for _, key := range []string{"window", "digest", "fields"} {
			if value := n.Get(key); value != nil {
				r.Errorf(value.Pos, "", "version %d is retired and has no %s", version.Version, key)
			}
		}
	case digest == nil:
		r.Errorf(n.Pos, "", "version %d has no digest", version.Version)
	case version.Digest != digestOf(version.Fields):
		r.Problems.Errorf(digest.Pos, restoreFile+"; only idemgen generate writes it",
			"the digest is not that of the fields of version %d: somebody has edited them, or merged two versions of the file", version.Version)
	}
}

// checkOrder checks that the newest version comes first and is in use, and that each
// number is there once.
func (r reader) checkOrder(versions []model.LockVersion) {
	for i, version := range versions {
		switch {
		case i == 0 && version.Retired:
			r.Errorf(version.Pos, "", "version %d is the newest and cannot be retired", version.Version)
		case i > 0 && version.Version >= versions[i-1].Version:
			r.Errorf(version.Pos, "", "version %d stands below version %d; the newest comes first", version.Version, versions[i-1].Version)
		}
	}
}

func (r reader) field(n *tree.Node) model.LockField {
	r.Mapping(n, "a field", "path", "type", "in", "default", "order", "normalize", "nullable")
	return model.LockField{
		Path:        r.text(n, "path"),
		Type:        r.text(n, "type"),
		ContentType: r.text(n, "in"),
		Default:     r.text(n, "default"),
		Unordered:   r.word(n, "order", "ignored") != "",
		Normalize:   r.texts(n, "normalize"),
		Nullable:    r.flag(n, "nullable"),
	}
}
