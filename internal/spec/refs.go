package spec

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/tree"
)

// files are the document and the files that it refers to.
type files struct {
	main    *source
	dir     string             // the document's folder
	byKey   map[string]*source // by path relative to dir
	list    *diag.List
	checked map[*tree.Node]bool // values that have been checked
	pending []cursor            // values still to be checked
	refs    []foundRef          // each $ref, in order
	broken  bool                // a file could not be read or a $ref not resolved
}

func newFiles(file string, root *tree.Node, list *diag.List) *files {
	main := &source{file: file, key: filepath.Base(file), root: root}
	return &files{
		main:    main,
		dir:     filepath.Dir(file),
		byKey:   map[string]*source{main.key: main},
		list:    list,
		checked: map[*tree.Node]bool{},
	}
}

// open returns the file with that key, which is referred to at pos, and reads it on
// first use. The root is nil if it could not be read, which has been reported.
func (f *files) open(key string, pos diag.Position) *source {
	if s, ok := f.byKey[key]; ok {
		return s
	}
	s := &source{file: filepath.Join(f.dir, filepath.FromSlash(key)), key: key}
	f.byKey[key] = s
	root, list := readTree(s.file, pos)
	f.list.Add(list...)
	s.root, f.broken = root, f.broken || root == nil
	return s
}

// foundRef is a $ref of the document and its target.
type foundRef struct {
	node   *tree.Node
	target refTarget
}

// mentioned returns the reference whose text is the longest one contained in an
// error's text, the first in the document if several are equally long, or nil.
func (f *files) mentioned(text string) *foundRef {
	var best *foundRef
	for i, ref := range f.refs {
		if strings.Contains(text, ref.node.Text) && (best == nil || len(ref.node.Text) > len(best.node.Text)) {
			best = &f.refs[i]
		}
	}
	return best
}

// sorted returns the files in a fixed order.
func (f *files) sorted() []*source {
	var all []*source
	for _, key := range slices.Sorted(maps.Keys(f.byKey)) {
		all = append(all, f.byKey[key])
	}
	return all
}

// refTarget is a parsed $ref: a file and a place in it.
type refTarget struct {
	key     string
	pointer Pointer
	anchor  bool // the fragment is the name of an anchor, not a pointer
}

// parseRef parses a $ref found in a file. The problem, if any, is returned as message
// and remedy.
func parseRef(text string, in *source) (target refTarget, message, remedy string) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return target, fmt.Sprintf("$ref %q is not a reference", text), "write #/components/schemas/Name or file.yaml#/Name"
	case u.Scheme != "" || u.Host != "":
		return target, fmt.Sprintf("$ref %q points outside the local files", text),
			"copy the file next to the document and refer to it by a relative path"
	case strings.HasPrefix(u.Path, "/"):
		return target, fmt.Sprintf("$ref %q is an absolute path", text), "write it relative to the file that contains it"
	}
	target.key = in.key
	if u.Path != "" {
		target.key = path.Join(path.Dir(in.key), u.Path)
	}
	pointer, ok := parsePointer(u.Fragment)
	target.pointer, target.anchor = pointer, !ok
	return target, "", ""
}

// follow returns the target of the $ref in c, or false if c has none or its target
// does not exist; [files.check] reports the latter.
func (f *files) follow(c cursor) (cursor, bool) {
	for range tree.MaxDepth { // a cycle of references ends here
		if c.node == nil {
			return c, false
		}
		text := refOf(c.node)
		if text == "" {
			return c, true
		}
		next, ok := f.resolve(text, c)
		if !ok {
			return c, false
		}
		c = next
	}
	return c, false
}

// resolve finds the target of one $ref.
func (f *files) resolve(text string, c cursor) (cursor, bool) {
	target, message, _ := parseRef(text, c.in)
	if message != "" || target.anchor {
		return cursor{}, false
	}
	in := f.open(target.key, c.node.Get("$ref").Pos)
	if in.root == nil {
		return cursor{}, false
	}
	found, _, ok := f.walk(cursor{in.root, in}, target.pointer)
	return found, ok
}

// walk follows a pointer from c, through references where a name is not found beside
// them. It returns the last value reached and the position to report for it; ok
// reports whether the whole pointer was followed.
func (f *files) walk(c cursor, pointer Pointer) (found cursor, pos diag.Position, ok bool) {
	pos = c.node.Pos
	for _, token := range pointer {
		child, childPos, ok := c.node.Step(token)
		if !ok {
			next, followed := f.followOnce(c)
			if !followed {
				return c, pos, false
			}
			c = next
			if child, childPos, ok = c.node.Step(token); !ok {
				return c, pos, false
			}
		}
		c, pos = cursor{child, c.in}, childPos
	}
	return c, pos, true
}

// followOnce resolves the references of c until a value that is not a reference.
func (f *files) followOnce(c cursor) (cursor, bool) {
	if refOf(c.node) == "" {
		return c, false
	}
	return f.follow(c)
}

// check visits every value that the document reaches, reads the files that it refers
// to and reports each $ref that cannot be resolved.
func (f *files) check() {
	f.pending = []cursor{{f.main.root, f.main}}
	for len(f.pending) > 0 {
		next := f.pending[0]
		f.pending = f.pending[1:]
		f.checkValue(next, false)
	}
}

// checkValue checks the values under c. With names, c is a mapping whose names the
// user chooses, so that a name such as "example" is not a keyword.
func (f *files) checkValue(c cursor, names bool) {
	if f.checked[c.node] {
		return
	}
	f.checked[c.node] = true
	for _, item := range c.node.Items {
		f.checkValue(cursor{item, c.in}, false)
	}
	for _, m := range c.node.Members {
		child := cursor{m.Value, c.in}
		switch {
		case names:
			f.checkValue(child, false)
		case m.Name == "$ref" && m.Value.Kind == tree.String:
			f.checkRef(c, m.Value)
		case isData(m.Name, m.Value):
		default:
			f.checkValue(child, m.Value.Kind == tree.Mapping && namesFollow(m.Name))
		}
	}
}

func (f *files) checkRef(c cursor, ref *tree.Node) {
	target, message, remedy := parseRef(ref.Text, c.in)
	f.refs = append(f.refs, foundRef{ref, target})
	if message != "" {
		f.broken = true
		f.list.Errorf(ref.Pos, remedy, "%s", message)
		return
	}
	in := f.open(target.key, ref.Pos)
	if in.root == nil || target.anchor {
		return
	}
	found, _, ok := f.walk(cursor{in.root, in}, target.pointer)
	if !ok {
		f.broken = true
		f.list.Errorf(ref.Pos, missingRemedy(found.node, target.pointer), "$ref %q points to nothing", ref.Text)
		return
	}
	f.pending = append(f.pending, found)
}

// missingRemedy proposes a name for the part of a pointer that was not found.
func missingRemedy(reached *tree.Node, pointer Pointer) string {
	for _, token := range pointer {
		if reached.Member(token) != nil {
			continue
		}
		if near, ok := diag.Nearest(token, reached.Names()); ok {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	return "correct the path after #, or add the value that it names"
}

// isData reports whether the values under a keyword are data of the API, in which $ref
// and x-idempotent have no meaning.
func isData(keyword string, value *tree.Node) bool {
	if keyword == "examples" { // a map of Example Objects, or a schema's list of values
		return value.Kind == tree.Sequence
	}
	return slices.Contains([]string{"example", "default", "enum", "const", "value"}, keyword) ||
		strings.HasPrefix(keyword, "x-")
}

// namesFollow reports whether a keyword holds a mapping whose names the user chooses.
func namesFollow(keyword string) bool {
	return slices.Contains([]string{
		"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas",
		"responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
		"links", "callbacks", "pathItems", "paths", "webhooks", "content", "encoding",
		"variables", "mapping", "scopes",
	}, keyword)
}
