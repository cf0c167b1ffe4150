package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	column    = 40 // where keys and the word "replayed" begin
	bodyWidth = 96 // how much of a body is printed
)

// idPattern finds ids in paths; eight digits are enough to tell them apart.
var idPattern = regexp.MustCompile(`([0-9a-f]{8})-[0-9a-f-]{27}`)

// A teller prints the story and counts what is not as told.
type teller struct {
	out    io.Writer
	colour bool
	steps  int
	checks int
	failed int
}

// say prints one line of prose.
func (t *teller) say(format string, args ...any) {
	fmt.Fprintf(t.out, format+"\n", args...)
}

// step opens the next part of the story.
func (t *teller) step(title string) {
	t.steps++
	fmt.Fprintf(t.out, "\n%s\n", t.paint(bold, fmt.Sprintf("%2d  %s", t.steps, title)))
}

// note prints what happens behind the service's back.
func (t *teller) note(format string, args ...any) {
	fmt.Fprintf(t.out, "    %s\n", t.paint(dim, "("+fmt.Sprintf(format, args...)+")"))
}

// exchange prints a request and its answer.
func (t *teller) exchange(q request, a answer) {
	key := "no key"
	if q.key != "" {
		key = "key " + q.key
	}
	fmt.Fprintf(t.out, "    > %-*s %s\n", column, q.method+" "+idPattern.ReplaceAllString(q.path, "$1..."), key)
	t.body(q.body)
	how := "not replayed"
	if a.replayed {
		how = "replayed"
	}
	fmt.Fprintf(t.out, "    < %s %s\n", t.status(a.status), how)
	t.body(string(a.body))
}

func (t *teller) body(text string) {
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(t.out, "      %s\n", t.paint(dim, short(text, bodyWidth)))
	}
}

// check prints whether something is as told.
func (t *teller) check(ok bool, format string, args ...any) {
	t.checks++
	text := fmt.Sprintf(format, args...)
	if ok {
		fmt.Fprintf(t.out, "    %s %s\n", t.paint(green, "ok"), text)
		return
	}
	t.failed++
	fmt.Fprintf(t.out, "    %s %s\n", t.paint(red, "NOT SO:"), text)
}

// end prints the sum and returns the exit code.
func (t *teller) end() int {
	if t.failed > 0 {
		fmt.Fprintf(t.out, "\n%s\n", t.paint(red, fmt.Sprintf("%d of %d checks failed.", t.failed, t.checks)))
		return 1
	}
	fmt.Fprintf(t.out, "\n%s\n", t.paint(green, fmt.Sprintf("All %d checks passed in %d steps.", t.checks, t.steps)))
	return 0
}

// status is padded by hand: escape codes have no width.
func (t *teller) status(code int) string {
	text := fmt.Sprintf("%d %s", code, http.StatusText(code))
	colour := green
	if code >= http.StatusBadRequest {
		colour = yellow
	}
	return t.paint(colour, text) + strings.Repeat(" ", max(0, column-len(text)))
}

type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

func (t *teller) paint(s style, text string) string {
	if !t.colour {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// short cuts text to n characters.
func short(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-3]) + "..."
}

// isTerminal reports whether colours make sense on f.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
