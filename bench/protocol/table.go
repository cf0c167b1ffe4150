package main

import (
	"fmt"
	"strings"
)

// table is a table in Markdown.
type table struct {
	head []string
	rows [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) String() string {
	var s strings.Builder
	line := func(cells []string) { s.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.head)
	line(strings.Split(strings.Repeat("--- ", len(t.head)-1)+"---", " "))
	for _, row := range t.rows {
		line(row)
	}
	return s.String()
}

func (b *benchmark) print(t table) { fmt.Fprintf(b.out, "%s\n", t.String()) }

func (b *benchmark) heading(format string, args ...any) {
	fmt.Fprintf(b.out, "#### "+format+"\n\n", args...)
}

func (s spread) ratio() string { return fmt.Sprintf("%.2f (%.2f–%.2f)", s.median, s.min, s.max) }
