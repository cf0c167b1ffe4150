package pgserver

import (
	"io"
	"sync"
)

// tailSize is how much of the log is kept for error messages.
const tailSize = 16 << 10

// A tail passes on what is written to it and remembers the end of it.
type tail struct {
	next io.Writer // may be nil

	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if surplus := len(t.end) - tailSize; surplus > 0 {
		t.end = append(t.end[:0], t.end[surplus:]...)
	}
	if t.next != nil {
		// A log that cannot be written is no reason to stop the server.
		_, _ = t.next.Write(p)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}
