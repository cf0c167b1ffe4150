// Package scale measures what idemgen costs on a large description: a whole run of the
// command, beside a run of oapi-codegen's own on the same file.
package scale

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/idemgen/idemgen/acceptance/internal/command"
)

func TestMain(m *testing.M) { os.Exit(command.Main(m).Run()) }

// descriptions are of 3 MB with 500 operations, 100 of them annotated.
func descriptions() map[string]*document {
	return map[string]*document{
		"fields":       {operations: 500, annotated: 100, properties: 22, prose: 30},
		"whole bodies": {operations: 500, annotated: 100, properties: 22, prose: 30, whole: true},
	}
}

// TestLarge generates from the large descriptions, and expects nothing but that.
func TestLarge(t *testing.T) {
	for name, d := range descriptions() {
		t.Run(name, func(t *testing.T) {
			folder := project(t, d)
			run(t, folder, command.Idemgen(t), "generate")
			run(t, folder, command.Idemgen(t), "check")
		})
	}
}

// BenchmarkGenerate reports the ratio of idemgen's cost to oapi-codegen's: medians of
// alternating runs, of processor time and of time on the clock.
func BenchmarkGenerate(b *testing.B) {
	oapi := oapiCodegen(b)
	for name, d := range descriptions() {
		b.Run(name, func(b *testing.B) {
			folder := project(b, d)
			var ours, theirs costs
			for b.Loop() {
				theirs.add(run(b, folder, oapi, "-config", "oapi-codegen.yaml", "api.yaml"))
				ours.add(run(b, folder, command.Idemgen(b), "generate"))
			}
			b.ReportMetric(0, "ns/op") // of both together it says nothing
			b.ReportMetric(median(ours.processor).Seconds(), "cpu-s/idemgen")
			b.ReportMetric(median(theirs.processor).Seconds(), "cpu-s/oapi-codegen")
			b.ReportMetric(ratio(ours.processor, theirs.processor), "cpu-ratio")
			b.ReportMetric(median(ours.clock).Seconds(), "s/idemgen")
			b.ReportMetric(median(theirs.clock).Seconds(), "s/oapi-codegen")
			b.ReportMetric(ratio(ours.clock, theirs.clock), "ratio")
		})
	}
}

// cost is what one run of a command took, its children included.
type cost struct{ processor, clock time.Duration }

type costs struct{ processor, clock []time.Duration }

func (c *costs) add(one cost) {
	c.processor = append(c.processor, one.processor)
	c.clock = append(c.clock, one.clock)
}

func median(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

func ratio(a, b []time.Duration) float64 { return float64(median(a)) / float64(median(b)) }

func run(t testing.TB, folder, program string, args ...string) cost {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = folder
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(program), err, out)
	}
	state := cmd.ProcessState
	return cost{processor: state.UserTime() + state.SystemTime(), clock: time.Since(start)}
}

// oapiCodegen builds oapi-codegen's command in the version that idemgen links.
func oapiCodegen(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "oapi-codegen")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen")
	build.Dir = command.Root(b)
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build oapi-codegen: %v\n%s", err, out)
	}
	return program
}

// project makes a folder in which both commands can run.
func project(t testing.TB, d *document) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "alone"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"api.yaml": d.text(),
		"go.mod":   "module example.com/large\n\ngo 1.26\n",
		"oapi-codegen.yaml": `package: api
generate: {models: true, strict-server: true, std-http-server: true}
output: alone/api.gen.go
`,
		"idemgen.yaml": `version: 1
spec: api.yaml
server: {package: api, out: api}
sqlc: sqlc.yaml
schema: schema.sql
queries: queries.sql
lock: idemgen.lock.yaml
`,
		"sqlc.yaml": `version: "2"
sql:
  - engine: postgresql
    schema: schema.sql
    queries: queries.sql
    gen: {go: {package: keysdb, out: keysdb, sql_package: pgx/v5}}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
