// Package logbuffer keeps what a guard or a program logs, for a test to look at.
package logbuffer

import (
	"bytes"
	"sync"
)

// Buffer is an [io.Writer] that may be read while it is written to.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements [io.Writer].
func (l *Buffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is what has been written so far.
func (l *Buffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
