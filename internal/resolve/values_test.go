package resolve

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/idemgen/idemgen/internal/diag"
	"github.com/idemgen/idemgen/internal/gopkg"
	"github.com/idemgen/idemgen/internal/model"
)

var update = flag.Bool("update", false, "rewrite the expectations of the golden cases")

// TestValues resolves values one by one. A case is one txtar file: a document, options
// of oapi-codegen if there are any, and for each operation declared values, each in a line
// of its own: place, name or "." for all of the place, and kind or a [field]. In the
// indented lines below is what it is resolved to, or what is reported.
func TestValues(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			pkg, operations := packageOf(t, archive)
			for i, file := range archive.Files {
				operation := operations[file.Name]
				if operation == nil {
					continue
				}
				var got strings.Builder
				for line := range strings.Lines(string(file.Data)) {
					if !strings.HasPrefix(line, "\t") {
						got.WriteString(line)
						got.WriteString(resolved(t, pkg, *operation, line))
					}
				}
				if *update {
					archive.Files[i].Data = []byte(got.String())
				} else if diff := cmp.Diff(string(file.Data), got.String()); diff != "" {
					t.Errorf("%s: -want +got; go test -update rewrites the expectations\n%s", file.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// packageOf generates a case's package and returns it with the operations by their ids.
func packageOf(t *testing.T, archive *txtar.Archive) (*gopkg.Package, map[string]*model.Operation) {
	t.Helper()
	files := map[string]string{}
	for _, file := range archive.Files {
		files[file.Name] = string(file.Data)
	}
	doc := load(t, files["api.yaml"])
	operations := map[string]*model.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			operation := annotated(method, path, op.OperationID)
			if op.RequestBody != nil {
				operation.ContentTypes = slices.Sorted(maps.Keys(op.RequestBody.Value.Content))
			}
			operations[op.OperationID] = operation
		}
	}
	all := slices.Collect(maps.Values(operations))
	return generated(t, doc, parseSettings(t, files["options"]), all...), operations
}

// resolved is what a line of a case comes to.
func resolved(t *testing.T, pkg *gopkg.Package, operation model.Operation, line string) string {
	t.Helper()
	in, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	name, text, _ := strings.Cut(rest, " ")
	var declared field
	if !strings.HasPrefix(text, "{") {
		declared.Is = model.Kind(text)
	} else {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&declared); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if name != "." {
		declared = field{Is: model.Object, With: map[string]field{name: declared}}
	}
	operation.Fingerprint.Roots = []*model.Node{declared.node("", in, in)}
	if in != "body" {
		operation.ContentTypes = nil
	}
	resolution, err := Resolve(pkg, &model.Contract{Operations: []*model.Operation{&operation}}, nil, document)
	if err != nil {
		return "\t" + strings.ReplaceAll(err.Error(), at(9).String()+": "+operation.Method+" "+operation.Path+": ", "") + "\n"
	}
	var out bytes.Buffer
	fingerprint := resolution.Operations[0].Fingerprints[0]
	roots := fingerprint.Parameters
	if body := fingerprint.Body; body != nil {
		if roots = body.Root.Members; name == "." {
			fmt.Fprintf(&out, "\tbody = %s\n", access(body.Access))
			roots = []*model.GoNode{body.Root}
		}
	}
	for _, root := range roots {
		printNode(&out, "\t", root)
	}
	return out.String()
}

// field describes a declared value.
type field struct {
	Is        model.Kind
	Of        *field           // what a list or a map holds
	With      map[string]field // the members of an object
	Default   json.RawMessage
	Format    string
	Normalize []string
	Nullable  bool
	Unordered bool
	Zero      bool
}

func (f field) node(name, framing, full string) *model.Node {
	n := &model.Node{
		Name: name, Path: framing, Full: full, Kind: f.Is, Format: f.Format, Pos: at(9),
		Normalize: f.Normalize, Nullable: f.Nullable, Unordered: f.Unordered, Zero: f.Zero,
	}
	if f.Default != nil {
		text := string(f.Default)
		n.Default = &text
	}
	for _, member := range slices.Sorted(maps.Keys(f.With)) {
		path := member
		if framing != "" {
			path = framing + "." + member
		}
		n.Members = append(n.Members, f.With[member].node(member, path, full+"."+member))
	}
	if f.Of != nil {
		n.Elem = f.Of.node("", "", full+"[]")
	}
	return n
}

// printNode prints one value: where it is ("?" if it may be nil, "??" if it is a
// nullable.Nullable), what is hashed of it, and what where it is not there.
func printNode(out *bytes.Buffer, indent string, n *model.GoNode) {
	mark := map[model.Presence]string{model.Always: "", model.NotNil: "?", model.Nullable: "??"}[n.Presence]
	name := n.Path
	if name == "" {
		name = "each"
	}
	fmt.Fprintf(out, "%s%s: %s%s", indent, name, access(n.Access), mark)
	if n.Hash != nil {
		fmt.Fprintf(out, ", %s", calls([]model.HashCall{*n.Hash}))
	}
	if n.Null != nil {
		fmt.Fprintf(out, ", null %s", calls(n.Null))
	}
	if n.Absent != nil {
		fmt.Fprintf(out, ", absent %s", calls(n.Absent))
	}
	out.WriteString("\n")
	for _, member := range n.Members {
		printNode(out, indent+"\t", member)
	}
	if n.Elem != nil {
		fmt.Fprintf(out, "%s\tin %s\n", indent, access(n.Range))
		printNode(out, indent+"\t", n.Elem)
	}
}

func access(a model.Access) string {
	text := strings.Join(a.Path, ".")
	if a.Pointer {
		text = "*" + text
	}
	return text
}

func value(v model.Value) string {
	steps := []string{access(v.Access)}
	for _, conversion := range v.Convert {
		steps = append(steps, string(conversion))
	}
	return strings.Join(steps, " to ")
}

func calls(list []model.HashCall) string {
	texts := make([]string, len(list))
	for i, call := range list {
		args := make([]string, len(call.Args))
		for j, arg := range call.Args {
			switch arg := arg.(type) {
			case model.Value:
				args[j] = value(arg)
			case string, []byte:
				args[j] = fmt.Sprintf("%q", arg)
			default:
				args[j] = fmt.Sprint(arg)
			}
		}
		texts[i] = call.Method + "(" + strings.Join(args, ", ") + ")"
	}
	return strings.Join(texts, " ")
}

var document = diag.Position{File: "api.yaml", Line: 1, Column: 1}

func at(line int) diag.Position { return diag.Position{File: "api.yaml", Line: line, Column: 7} }
