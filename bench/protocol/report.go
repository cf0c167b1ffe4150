package main

import (
	"fmt"
	"time"
)

// baseOf is what a contender's first executions are compared with.
func baseOf(name string) string {
	switch name {
	case namePlainHTTP, nameHTTP, nameFiber:
		return namePlainHTTP
	}
	return namePlain
}

// printFirst prints first executions as ratios of a plain transaction, whose
// rows say how many a second there were.
func (b *benchmark) printFirst(t *throughput) {
	tab := table{head: []string{"first execution; callers, synchronous_commit"}}
	for _, async := range []bool{false, true} {
		for _, callers := range b.callers {
			tab.head = append(tab.head, fmt.Sprintf("%d, %s", callers, place{async: async}.commit()))
		}
	}
	for _, name := range allNames() {
		tab.row(append([]string{name}, b.each(func(callers int, async bool) string {
			these := t.first[cell{name, callers, async}]
			if name == baseOf(name) {
				return fmt.Sprintf("%.0f/s", spreadOf(these).median)
			}
			return ratios(these, t.first[cell{baseOf(name), callers, async}]).ratio()
		})...)...)
	}
	tab.row(append([]string{"*generated server to handwritten*"}, b.each(func(callers int, async bool) string {
		return ratios(t.first[cell{nameGenerated, callers, async}], t.first[cell{nameHandmade, callers, async}]).ratio()
	})...)...)
	b.print(tab)
}

func (b *benchmark) each(of func(callers int, async bool) string) (cells []string) {
	for _, async := range []bool{false, true} {
		for _, callers := range b.callers {
			cells = append(cells, of(callers, async))
		}
	}
	return cells
}

func count(callers int) string {
	if callers == 1 {
		return "1 caller"
	}
	return fmt.Sprintf("%d callers", callers)
}

// printAgain prints replays or mismatches, with their ratio to a bare SELECT.
func (b *benchmark) printAgain(title string, all, base rates) {
	tab := table{head: []string{title}}
	for _, callers := range b.callers {
		tab.head = append(tab.head, count(callers), "of a SELECT")
	}
	for _, name := range append([]string{nameSelect}, allNames()...) {
		if all[cell{name, b.callers[0], false}] == nil {
			continue
		}
		row := []string{name}
		for _, callers := range b.callers {
			these := all[cell{name, callers, false}]
			row = append(row,
				fmt.Sprintf("%.0f/s", spreadOf(these).median),
				ratios(these, base[cell{nameSelect, callers, false}]).ratio())
		}
		tab.row(row...)
	}
	b.print(tab)
}

// printShares tells what a first execution's time goes into, for one caller.
func (b *benchmark) printShares(t *throughput, fingerprint time.Duration) {
	tab := table{head: []string{"one first execution, one caller", "synchronous_commit on", "off"}}
	took := func(name string, async bool) float64 {
		return 1e6 / spreadOf(t.first[cell{name, b.callers[0], async}]).median
	}
	micros := func(of func(async bool) float64) []string {
		return []string{fmt.Sprintf("%.0f µs", of(false)), fmt.Sprintf("%.0f µs", of(true))}
	}
	add := func(label string, of func(async bool) float64) { tab.row(append([]string{label}, micros(of)...)...) }
	add("plain transaction", func(a bool) float64 { return took(namePlain, a) })
	add("+ the protocol, and rendering the response", func(a bool) float64 { return took(nameGuard, a) - took(namePlain, a) })
	tab.row("+ the fingerprint, measured alone",
		fmt.Sprintf("%.1f µs", fingerprint.Seconds()*1e6), fmt.Sprintf("%.1f µs", fingerprint.Seconds()*1e6))
	add("+ HTTP and JSON, server and client", func(a bool) float64 { return took(nameHTTP, a) - took(nameGenerated, a) })
	add("= generated server over HTTP", func(a bool) float64 { return took(nameHTTP, a) })
	add("plain transaction over HTTP", func(a bool) float64 { return took(namePlainHTTP, a) })
	b.print(tab)
}
