package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/idemgen/idemgen/internal/goldentest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"idemgen": main})
}

// TestScripts runs testdata/script. In a script, idemgen is the command, and the
// environment is empty but for the Go tool's caches: oapi-codegen needs that tool.
func TestScripts(t *testing.T) {
	caches := goCaches(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       goldentest.Updating(),
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exitcode": exitCode, "paste": paste},
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, caches...)
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOWORK", "off")
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
	})
}

// exitCode is the script command "exitcode CODE PROGRAM ARGS…", which runs a
// program and demands an exit code. Its output is there for what follows.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exited with %d, want %d", args[1], got, want)
	}
}

// paste is the script command "paste FILE MARK PATTERN TEXT", which follows what a
// diagnostic says: it finds PATTERN in the last standard error, and replaces MARK in FILE by
// TEXT, in which $1 is what the first group has found.
func paste(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: paste FILE MARK PATTERN TEXT")
	}
	path, mark, text := ts.MkAbs(args[0]), args[1], args[3]
	pattern, err := regexp.Compile(args[2])
	ts.Check(err)
	stderr, content := ts.ReadFile("stderr"), ts.ReadFile(args[0])
	found := pattern.FindAllStringSubmatchIndex(stderr, -1)
	if len(found) != 1 || strings.Count(content, mark) != 1 {
		ts.Fatalf("%d matches of %q in stderr, and %q is %d times in %s", len(found), pattern, mark, strings.Count(content, mark), args[0])
	}
	pasted := string(pattern.ExpandString(nil, text, stderr, found[0]))
	ts.Check(os.WriteFile(path, []byte(strings.Replace(content, mark, pasted, 1)), 0o600))
}

// goCaches returns the variables that say where the Go tool keeps its caches.
func goCaches(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimRight(string(out), "\r\n"), "\n")
	var vars []string
	for i, name := range names {
		vars = append(vars, name+"="+strings.TrimSpace(values[i]))
	}
	return vars
}
