// Package diag holds positions in a user's files, the diagnostics that point at
// them, and their printer.
//
// A diagnostic says what is wrong and how to fix it, in one line:
//
//	openapi/orders.yaml:42:9: unknown key "scpoe" in x-idempotent; did you mean "scope"?
package diag

import (
	"fmt"
	"strings"
)

// Severity says whether a diagnostic stops the run.
type Severity int

const (
	// Error means that nothing is written.
	Error Severity = iota
	// Warning is reported but does not stop the run.
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Diagnostic is one problem in a user's file.
type Diagnostic struct {
	Pos      Position
	Severity Severity
	// Message says what is wrong, in one line, without a full stop.
	Message string
	// Remedy says how to fix it, in one line. It may be empty.
	Remedy string
	// Group is equal for diagnostics of one kind about one thing, such as "undecided
	// POST /orders". [Print] prints a group as one diagnostic. "" means no group.
	Group string
	// Item distinguishes the diagnostic from others in its group, such as "body.note".
	Item string
}

// String returns "file:line:col: message; remedy", and for a warning
// "file:line:col: warning: message; remedy".
func (d Diagnostic) String() string {
	var b strings.Builder
	if pos := d.Pos.String(); pos != "" {
		b.WriteString(pos)
		b.WriteString(": ")
	}
	if d.Severity == Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(oneLine(d.Message))
	if d.Remedy != "" {
		b.WriteString("; ")
		b.WriteString(oneLine(d.Remedy))
	}
	return b.String()
}

// Errorf returns an error. The remedy is not a format.
func Errorf(pos Position, remedy, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Error, Message: fmt.Sprintf(format, args...), Remedy: remedy}
}

// Warnf returns a warning. The remedy is not a format.
func Warnf(pos Position, remedy, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Warning, Message: fmt.Sprintf(format, args...), Remedy: remedy}
}

// oneLine replaces line breaks, so that a diagnostic never takes more than one line.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
