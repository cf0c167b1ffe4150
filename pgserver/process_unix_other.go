//go:build unix && !linux

package pgserver

import "syscall"

// dieWithParent can do nothing here: only Linux tells a child of its parent's
// death.
func dieWithParent(*syscall.SysProcAttr) {}
