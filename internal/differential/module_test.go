package differential

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/idemgen/idemgen/internal/config"
	"github.com/idemgen/idemgen/internal/gen"
	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/output"
)

// module is somebody's module: it has the example's requirements, the runtime from
// this repository, and nothing of the generator.
type module struct {
	folder   string
	packages []string
}

const modulePath = "example.com/differential"

func newModule(t *testing.T) *module {
	t.Helper()
	m := &module{folder: t.TempDir()}
	example := absolute(t, "../../example")
	parsed, err := modfile.Parse("go.mod", read(t, filepath.Join(example, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	m.copyRuntime(t)
	must(t, parsed.AddModuleStmt(modulePath))
	for _, replace := range parsed.Replace {
		must(t, parsed.AddReplace(replace.Old.Path, replace.Old.Version, filepath.Join(example, replace.New.Path), ""))
	}
	must(t, parsed.AddReplace("github.com/idemgen/idemgen/idem", "", "./runtime", ""))
	content, err := parsed.Format()
	if err != nil {
		t.Fatal(err)
	}
	m.write(t, "go.mod", content)
	m.write(t, "go.sum", read(t, filepath.Join(example, "go.sum")))
	m.write(t, "main.go", read(t, "testdata/driver/main.go"))
	return m
}

// tracing is what a copy of the runtime has to say more: all that is hashed goes
// through these two lines.
var tracing = map[string]string{
	"func (h *Hasher) spill() {\n":                                   "func (h *Hasher) spill() {\n\ttrace(h.buffer[:h.n])\n",
	"\t\tf.Sum = sha256.Sum256(h.buffer[:h.n])\n":                    "\t\ttrace(h.buffer[:h.n])\n\t\tf.Sum = sha256.Sum256(h.buffer[:h.n])\n",
	"// hasherDomain separates fingerprints from every other use of": "// Trace takes in what is hashed.\nvar Trace *[]byte\n\nfunc trace(b []byte) {\n\tif Trace != nil {\n\t\t*Trace = append(*Trace, b...)\n\t}\n}\n\n// hasherDomain separates fingerprints from every other use of",
}

// copyRuntime copies the runtime, and has the copy tell what it hashes.
func (m *module) copyRuntime(t *testing.T) {
	t.Helper()
	runtime := absolute(t, "../../idem")
	names, err := filepath.Glob(filepath.Join(runtime, "*"))
	must(t, err)
	below, err := filepath.Glob(filepath.Join(runtime, "*", "*.go"))
	must(t, err)
	for _, name := range append(names, below...) {
		base := filepath.Base(name)
		if !strings.HasSuffix(base, ".go") && !strings.HasPrefix(base, "go.") || strings.HasSuffix(base, "_test.go") {
			continue
		}
		content := string(read(t, name))
		if base == "hasher.go" {
			for old, traced := range tracing {
				if strings.Count(content, old) != 1 {
					t.Fatalf("hasher.go has changed: it does not have, or not once:\n%s", old)
				}
				content = strings.Replace(content, old, traced, 1)
			}
		}
		relative, err := filepath.Rel(runtime, name)
		must(t, err)
		m.write(t, filepath.Join("runtime", relative), []byte(content))
	}
}

func (m *module) write(t *testing.T, name string, content []byte) {
	t.Helper()
	path := filepath.Join(m.folder, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, content, 0o600))
}

// clear takes the packages of the batch before away.
func (m *module) clear(t *testing.T) {
	t.Helper()
	for _, name := range m.packages {
		must(t, os.RemoveAll(filepath.Join(m.folder, filepath.Dir(name))))
	}
	m.packages = nil
}

// today is the day on which everything is generated.
var today = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// generate has idemgen generate a package from the files of its folder, and returns
// its contract, or the diagnostics.
func (m *module) generate(t *testing.T, name string, files map[string][]byte) (*model.Contract, error) {
	t.Helper()
	for file, content := range files {
		m.write(t, filepath.Join(name, file), content)
	}
	t.Chdir(filepath.Join(m.folder, name))
	c, err := config.Load("idemgen.yaml")
	if err != nil {
		return nil, err
	}
	result, err := gen.Run(t.Context(), c, gen.Options{Today: today})
	if err != nil {
		return nil, err
	}
	_, err = output.Write(result.Files, nil)
	must(t, err)
	contract, _, err := gen.Contract(t.Context(), c)
	if err != nil {
		return nil, err
	}
	for _, file := range result.Files {
		if filepath.Base(file.Display) == config.DecoratorFile {
			folder := filepath.Dir(file.Display)
			m.write(t, filepath.Join(name, folder, "access.go"), access(c.Server.Package, file.Content))
			m.packages = append(m.packages, name+"/"+folder)
		}
	}
	return contract, nil
}

var fingerprintFunction = regexp.MustCompile(`(?m)^func (fingerprint[\pL\pN_]+V\d+)\(\s*request ([\pL\pN_]+),?\s*\) fingerprint\.Fingerprint`)

// access writes a file into a generated package that hands out what its fingerprint
// functions, of each operation the newest, compute of a request as it was decoded.
func access(name string, decorator []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, accessHead, name)
	seen := map[string]bool{}
	for _, function := range fingerprintFunction.FindAllSubmatch(decorator, -1) {
		if request := string(function[2]); !seen[request] {
			seen[request] = true
			fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %s(r)\n", request, function[1])
		}
	}
	b.WriteString("\t}\n\tpanic(\"unknown request\")\n}\n")
	return b.Bytes()
}

const accessHead = `package %s

import (
	"context"
	"net/http"

	"github.com/idemgen/idemgen/idem/fingerprint"
)

// Serve decodes requests as the strict server does, and hands each to found.
func Serve(found func(request any, digest func() fingerprint.Fingerprint)) http.Handler {
	return Handler(NewStrictHandler(nil, []StrictMiddlewareFunc{func(StrictHandlerFunc, string) StrictHandlerFunc {
		return func(_ context.Context, _ http.ResponseWriter, _ *http.Request, request any) (any, error) {
			found(request, func() fingerprint.Fingerprint { return digest(request) })
			return nil, nil
		}
	}}))
}

func digest(request any) fingerprint.Fingerprint {
	switch r := request.(type) {
`

// driver is the module's program while it runs.
type driver struct {
	in  *json.Encoder
	out *json.Decoder
}

// answer is what the driver says of a request. A request without a fingerprint was
// refused.
type answer struct {
	Status      int    `json:"status"`
	Answer      string `json:"answer"`
	Fingerprint string `json:"fingerprint"`
	Trace       []byte `json:"trace"`
	Decoded     string `json:"decoded"`
}

// start compiles the module and starts its program, which ends with the test.
func (m *module) start(t *testing.T) *driver {
	t.Helper()
	var servers strings.Builder
	servers.WriteString("package main\n\nimport (\n\t\"net/http\"\n\n\t\"github.com/idemgen/idemgen/idem/fingerprint\"\n")
	for i, name := range m.packages {
		fmt.Fprintf(&servers, "\tp%d %q\n", i, modulePath+"/"+name)
	}
	servers.WriteString(")\n\nvar servers = map[string]func(func(any, func() fingerprint.Fingerprint)) http.Handler{\n")
	for i, name := range m.packages {
		fmt.Fprintf(&servers, "\t%q: p%d.Serve,\n", name, i)
	}
	servers.WriteString("}\n")
	m.write(t, "servers.go", []byte(servers.String()))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", "driver", ".")
	build.Dir = m.folder
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("what was generated does not compile: %v\n%s", err, out)
	}
	return start(t, filepath.Join(m.folder, "driver"))
}

func start(t *testing.T, program string) *driver {
	t.Helper()
	run := exec.CommandContext(context.WithoutCancel(t.Context()), program) // ended in order
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	must(t, err)
	out, err := run.StdoutPipe()
	must(t, err)
	must(t, run.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := run.Wait(); err != nil {
			t.Errorf("the driver ended with: %v", err)
		}
	})
	return &driver{json.NewEncoder(in), json.NewDecoder(bufio.NewReader(out))}
}

// serve sends requests and returns the answers.
func (d *driver) serve(t *testing.T, requests ...wire) []answer {
	t.Helper()
	must(t, d.in.Encode(requests))
	var answers []answer
	must(t, d.out.Decode(&answers))
	return answers
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	must(t, err)
	return path
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	must(t, err)
	return content
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const configuration = `version: 1
spec: api.json
server: {package: api, out: api%s}
sqlc: sqlc.yaml
schema: schema.sql
queries: queries.sql
lock: idemgen.lock.yaml
`

const sqlcYAML = `version: "2"
sql:
  - engine: postgresql
    schema: schema.sql
    queries: queries.sql
    gen: {go: {package: keysdb, out: keysdb, sql_package: pgx/v5}}
`
