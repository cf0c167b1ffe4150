package sqlc

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/internal/diag"
)

var (
	positioned   = regexp.MustCompile(`^(.+?\.sql):(\d+):(\d+): (.*)$`)
	configLine   = regexp.MustCompile(`^\s*(?:error parsing sqlc\.yaml: )?(?:yaml: )?line (\d+): (.*)$`)
	unknownField = regexp.MustCompile(`^field (\S+) not found in type \S+$`)
	preamble     = regexp.MustCompile(`^# package |^error parsing sqlc\.yaml: yaml: unmarshal errors:$`)
)

// explain converts what sqlc printed before it failed to diagnostics in the user's
// files. Names of the temporary folder are replaced.
func (s *stage) explain(stderr string, failure error) error {
	if strings.Contains(stderr, "\ngoroutine ") {
		first, _, _ := strings.Cut(stderr, "\n")
		return fmt.Errorf("sqlc crashed: %s", s.clean(first))
	}
	var problems diag.List
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || preamble.MatchString(line) {
			continue
		}
		problems.Add(s.diagnose(line))
	}
	if len(problems) == 0 {
		return fmt.Errorf("sqlc failed without a message: %w", failure)
	}
	return problems.Err()
}

func (s *stage) diagnose(line string) diag.Diagnostic {
	if m := positioned.FindStringSubmatch(line); m != nil {
		if src, ok := s.copies[filepath.FromSlash(m[1])]; ok {
			return s.inSource(src, m)
		}
	}
	if m := configLine.FindStringSubmatch(line); m != nil {
		return s.inConfig(m)
	}
	remedy := ""
	if strings.HasPrefix(line, "error generating code: ") {
		remedy = "fix the options under gen.go"
	}
	return diag.Errorf(s.block.OutPos, remedy, "sqlc: %s", s.clean(line))
}

// inSource is an error in one of the SQL files.
func (s *stage) inSource(src source, m []string) diag.Diagnostic {
	pos := diag.Position{File: src.Display}
	pos.Line, _ = strconv.Atoi(m[2])
	pos.Column, _ = strconv.Atoi(m[3])
	pos.Line, pos.Column = max(pos.Line, 1), max(pos.Column, 1)
	remedy := ""
	if src.Path == s.block.ours.schema.Path || src.Path == s.block.ours.queries.Path {
		remedy = fmt.Sprintf("idemgen writes this file: look in the other files of the block in %s for a conflict, such as a table of the same name", s.block.config)
	}
	return diag.Errorf(pos, remedy, "sqlc: %s", s.clean(m[4]))
}

// inConfig is an error in the configuration, in a line of the copy.
func (s *stage) inConfig(m []string) diag.Diagnostic {
	pos := s.block.OutPos
	line, _ := strconv.Atoi(m[1])
	if at, ok := s.config.Position(line); ok {
		pos = at
	}
	if field := unknownField.FindStringSubmatch(m[2]); field != nil {
		return diag.Errorf(pos, "fix its spelling, or see "+docs, "sqlc does not know the key %q", field[1])
	}
	return diag.Errorf(pos, "see "+docs, "sqlc: %s", m[2])
}

// clean replaces names of the temporary folder with the user's own.
func (s *stage) clean(message string) string {
	for name, src := range s.copies {
		message = strings.ReplaceAll(message, filepath.Join(s.dir, name), src.Display)
	}
	return strings.ReplaceAll(message, s.dir+string(filepath.Separator), "")
}
