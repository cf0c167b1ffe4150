package differential

import (
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/internal/model"
)

// declare draws what of an operation takes part in its fingerprint.
func (d *drawer) declare(op *operation) {
	for _, p := range op.parameters {
		path := p.in + "." + p.name
		switch {
		case p.in == "path" && oneIn(d.r, 8):
			op.ignore = append(op.ignore, path)
		case p.in == "path":
			p.each(func(s *shape) { s.declared = true })
		case oneIn(d.r, 5):
			op.ignore = append(op.ignore, path)
		default:
			d.whole(op, p, path)
		}
	}
	if op.body == nil {
		return
	}
	switch {
	case oneIn(d.r, 25):
		op.ignore = append(op.ignore, "body")
	case op.body.kind == model.Object && oneIn(d.r, 3):
		d.some(op, op.body, "body")
	default:
		d.whole(op, op.body, "body")
	}
}

// whole declares s, and perhaps ignores or refines a part of it.
func (d *drawer) whole(op *operation, s *shape, path string) {
	op.fields = append(op.fields, d.refined(s, path))
	d.below(op, s, path)
}

// refined writes a field, with what is said of it beside its path.
func (d *drawer) refined(s *shape, path string) any {
	field := map[string]any{"field": path}
	if s.kind == model.List && oneIn(d.r, 3) {
		s.unordered = true
		field["order"] = "ignored"
	}
	if s.kind == model.String && oneIn(d.r, 3) {
		for _, step := range []string{model.Trim, model.Lower, model.NFC, model.Decimal} {
			if oneIn(d.r, 2) {
				s.normalize = append(s.normalize, step)
			}
		}
		if len(s.normalize) > 0 {
			steps := append([]string(nil), s.normalize...)
			d.r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
			field["normalize"] = steps
		}
	}
	if len(field) == 1 {
		return path
	}
	return field
}

// below marks s and what is inside of it as declared, refines some, and ignores some.
func (d *drawer) below(op *operation, s *shape, path string) {
	s.declared, s.exact = true, false // what comes beside the properties would be part of it
	if s.elem != nil {
		d.part(op, s.elem, path+"[]")
	}
	left := writable(s)
	for _, member := range s.members {
		memberPath := path + step(member.name)
		switch {
		case member.readOnly:
		case left > 1 && oneIn(d.r, 10):
			left--
			op.ignore = append(op.ignore, memberPath)
		default:
			d.part(op, member, memberPath)
		}
	}
}

// part declares a part of what is declared already.
func (d *drawer) part(op *operation, s *shape, path string) {
	if field, refines := d.refined(s, path).(map[string]any); refines {
		op.fields = append(op.fields, field)
	}
	d.below(op, s, path)
}

func writable(s *shape) int {
	n := 0
	for _, member := range s.members {
		if !member.readOnly {
			n++
		}
	}
	return n
}

// some declares members of an object one by one. Others are ignored, or undecided.
func (d *drawer) some(op *operation, s *shape, path string) {
	some := false
	for i, member := range s.members {
		memberPath := path + step(member.name)
		switch {
		case member.readOnly:
		case oneIn(d.r, 3) && (some || writable(&shape{members: s.members[i+1:]}) > 0):
			if oneIn(d.r, 2) {
				op.ignore = append(op.ignore, memberPath)
			}
		case member.kind == model.Object && oneIn(d.r, 2):
			d.some(op, member, memberPath)
			some = true
		case member.kind == model.List && member.elem.kind == model.Object && oneIn(d.r, 2):
			member.declared, member.elem.declared = true, true
			d.some(op, member.elem, memberPath+"[]")
			some = true
		default:
			d.whole(op, member, memberPath)
			some = true
		}
	}
	s.declared = some
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// step writes a name as a step of a field path.
func step(name string) string {
	if plainName.MatchString(name) {
		return "." + name
	}
	return `["` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"]`
}
