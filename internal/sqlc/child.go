package sqlc

import (
	"os"

	"github.com/sqlc-dev/sqlc/pkg/cli"
)

// ChildArgument is the hidden first argument with which a program that calls
// [Block.Run] starts itself again as sqlc.
const ChildArgument = "__sqlc"

// childMark is set in the environment of a child, so that a program that does not call
// Child cannot start itself endlessly.
const childMark = "IDEMGEN_SQLC_CHILD"

// Child runs sqlc if args, the program's arguments without its name, request it. Every
// program that calls [Block.Run] must start with
//
//	if code, ok := sqlc.Child(os.Args[1:]); ok {
//		os.Exit(code)
//	}
//
// and a test of it must do so in TestMain. If sqlc fails, it ends the process itself.
func Child(args []string) (code int, ok bool) {
	if len(args) == 0 || args[0] != ChildArgument {
		return 0, false
	}
	return cli.Run(args[1:]), true
}

// inChild reports whether this process was started as sqlc.
func inChild() bool { return os.Getenv(childMark) != "" }
