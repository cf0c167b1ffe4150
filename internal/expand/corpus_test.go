package expand_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/internal/corpustest"
	"github.com/idemgen/idemgen/internal/spec"
)

// TestCorpus makes every write operation of real descriptions idempotent, by
// overlay, and expands them.
func TestCorpus(t *testing.T) {
	for _, file := range corpustest.Files(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			d := load(t, file, annotateAll(t, file))
			checkComments(t, d.source.Text, published(t, d))
			checkComments(t, d.source.Text, bound(t, d))
		})
	}
}

// keyName matches the headers that descriptions use for keys.
var keyName = regexp.MustCompile(`(?i)idempotency-key|request-id`)

// annotateAll writes an overlay that annotates every write operation that has a name.
func annotateAll(t *testing.T, file string) string {
	t.Helper()
	doc, problems := spec.Load(file, "")
	if doc == nil {
		t.Fatal(problems)
	}
	actions := []any{action("$", map[string]any{"scopes": map[string]any{"account": map[string]any{
		"columns": []any{map[string]string{"name": "tenant_id", "type": "uuid"}},
	}}})}
	for _, op := range doc.Operations {
		if op.Method == "GET" || !op.ID.OK {
			continue
		}
		annotation := map[string]any{"scope": "account", "fingerprint": []string{}, "key": map[string]string{"name": "Idempotency-Key"}}
		for _, p := range append(op.OpenAPI.Parameters, op.PathItem.Parameters...) {
			if p.Value.In == "header" && keyName.MatchString(p.Value.Name) {
				annotation["key"] = map[string]string{"name": p.Value.Name}
			}
		}
		actions = append(actions, action("$.paths['"+op.Path+"']."+strings.ToLower(op.Method), annotation))
	}
	text, err := json.Marshal(map[string]any{"overlay": "1.0.0", "info": map[string]string{"title": "t", "version": "1"}, "actions": actions})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

func action(target string, annotation map[string]any) any {
	return map[string]any{"target": target, "update": map[string]any{"x-idempotent": annotation}}
}
