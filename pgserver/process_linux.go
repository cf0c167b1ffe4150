package pgserver

import "syscall"

// dieWithParent asks the kernel to shut the server down when its parent dies
// without having stopped it.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
