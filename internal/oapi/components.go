package oapi

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// internalize moves what doc refers to in other files into its components. A
// path item that refers to another path of doc stays a reference: oapi-codegen
// generates such an alias once.
func internalize(doc *openapi3.T) {
	aliases := map[string]string{}
	for name, item := range doc.Paths.Map() {
		if strings.HasPrefix(item.Ref, "#/paths/") {
			aliases[name] = item.Ref
		}
	}
	doc.InternalizeRefs(context.Background(), newRefNames().name)
	for name, ref := range aliases {
		doc.Paths.Value(name).Ref = ref
	}
}

// refNames names the components that come from other files: by the last word of
// what they are, and numbered where that is taken. The names do not depend on
// where the files lie.
type refNames struct {
	given map[string]string // by collection and target
	taken map[string]bool   // by collection and name
}

func newRefNames() *refNames {
	return &refNames{given: map[string]string{}, taken: map[string]bool{}}
}

func (r *refNames) name(doc *openapi3.T, ref openapi3.ComponentRef) string {
	if own, ok := openapi3.ReferencesComponentInRootDocument(doc, ref); ok {
		return path.Base(own)
	}
	collection := ref.CollectionName() + " "
	target := collection + ref.RefPath().String()
	if name, ok := r.given[target]; ok {
		return name
	}
	word := lastWord(ref)
	name := word
	for i := 2; r.taken[collection+name] || hasComponent(doc, ref.CollectionName(), name); i++ {
		name = word + strconv.Itoa(i)
	}
	r.given[target] = name
	r.taken[collection+name] = true
	return name
}

// lastWord is the last segment of the reference's fragment, or the name of the
// file where the whole file is meant.
func lastWord(ref openapi3.ComponentRef) string {
	target := ref.RefPath()
	word := path.Base(target.Fragment)
	if target.Fragment == "" || word == "/" {
		base := path.Base(target.Path)
		word = strings.TrimSuffix(base, path.Ext(base))
	}
	word = openapi3.InvalidIdentifierCharRegExp.ReplaceAllString(word, "_")
	if strings.Trim(word, "_.") == "" {
		return ref.CollectionName()
	}
	return word
}

func hasComponent(doc *openapi3.T, collection, name string) bool {
	c := doc.Components
	if c == nil {
		return false
	}
	var ok bool
	switch collection {
	case "schemas":
		_, ok = c.Schemas[name]
	case "parameters":
		_, ok = c.Parameters[name]
	case "headers":
		_, ok = c.Headers[name]
	case "requestBodies":
		_, ok = c.RequestBodies[name]
	case "responses":
		_, ok = c.Responses[name]
	case "securitySchemes":
		_, ok = c.SecuritySchemes[name]
	case "examples":
		_, ok = c.Examples[name]
	case "links":
		_, ok = c.Links[name]
	case "callbacks":
		_, ok = c.Callbacks[name]
	}
	return ok
}
