package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// cpuCallers keep both CPUs busy.
const cpuCallers = 8

// used is processor time since a process, or a server, began.
type used struct{ client, server time.Duration }

// shares are microseconds of processor time a call, one for each round.
type shares struct{ client, server, both []float64 }

func (s *shares) add(u used, calls int) {
	micros := func(d time.Duration) float64 { return d.Seconds() * 1e6 / float64(max(calls, 1)) }
	s.client = append(s.client, micros(u.client))
	s.server = append(s.server, micros(u.server))
	s.both = append(s.both, micros(u.client+u.server))
}

// cpu prints what a first execution takes of the processors, which neither the
// disk nor other programs disturb as much as rates. It is Linux's to tell;
// elsewhere nothing is printed.
func (b *benchmark) cpu(ctx context.Context) error {
	spent := map[string]*shares{}
	err := b.within(ctx, place{async: true}, allNames(), func(env *environment, contenders []contender) error {
		postmaster, err := postmasterOf(ctx, env)
		if err != nil {
			return err
		}
		if err := b.warm(ctx, contenders); err != nil {
			return err
		}
		return interleave(ctx, contenders, b.rounds, func(ctx context.Context, c contender) error {
			if spent[c.name] == nil {
				spent[c.name] = &shares{}
			}
			return b.cpuOfSlice(ctx, postmaster, c, spent[c.name])
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		b.printCPU(spent)
	}
	return err
}

func (b *benchmark) printCPU(spent map[string]*shares) {
	tab := table{head: []string{fmt.Sprintf("processor time of a first execution, %d callers", cpuCallers), "client", "server", "both, of plain"}}
	for _, name := range allNames() {
		s := spent[name]
		tab.row(name,
			fmt.Sprintf("%.0f µs", spreadOf(s.client).median),
			fmt.Sprintf("%.0f µs", spreadOf(s.server).median),
			ratios(s.both, spent[baseOf(name)].both).ratio())
	}
	b.print(tab)
}

// cpuOfSlice adds what a slice takes.
func (b *benchmark) cpuOfSlice(ctx context.Context, postmaster int, c contender, spent *shares) error {
	before, err := cpuUsed(postmaster)
	if err != nil {
		return err
	}
	s, err := run(ctx, c, freshKeys(), cpuCallers, b.slice)
	if err != nil {
		return err
	}
	after, err := cpuUsed(postmaster)
	spent.add(used{client: after.client - before.client, server: after.server - before.server}, s.calls)
	return err
}

// postmasterOf is the parent of a backend.
func postmasterOf(ctx context.Context, env *environment) (parent int, err error) {
	err = env.direct(ctx, func(conn *pgx.Conn) error {
		var backend int
		if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
			return err
		}
		parent, err = parentOf(filepath.Join("/proc", strconv.Itoa(backend)))
		return err
	})
	return parent, err
}

// parentOf reads the parent's process ID from a folder of /proc.
func parentOf(folder string) (int, error) {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0, err
	}
	// The name, in parentheses, may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0, fmt.Errorf("%s/stat: %q", folder, stat)
	}
	return strconv.Atoi(fields[1])
}

// cpuUsed adds up this process and all children of the postmaster.
func cpuUsed(postmaster int) (total used, err error) {
	if total.client, err = onProcessor("/proc/self/task/*"); err != nil {
		return used{}, err
	}
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return used{}, err
	}
	for _, folder := range folders {
		parent, err := parentOf(folder)
		if err != nil || parent != postmaster {
			continue // gone meanwhile, or not the server's
		}
		spent, err := onProcessor(folder)
		if err != nil {
			return used{}, err
		}
		total.server += spent
	}
	return total, nil
}

// onProcessor adds up the time that tasks have been running.
func onProcessor(pattern string) (total time.Duration, err error) {
	folders, err := filepath.Glob(pattern)
	if err != nil {
		return 0, err
	}
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "schedstat"))
		if err != nil {
			continue // gone meanwhile
		}
		running, _, _ := strings.Cut(string(stat), " ")
		ns, err := strconv.ParseInt(running, 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(ns)
	}
	return total, nil
}
