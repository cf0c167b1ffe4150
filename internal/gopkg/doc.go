// Package gopkg loads and type-checks Go packages from their source, without the
// packages that they import: these are read where their source is at hand, and
// otherwise replaced by what is known of them.
//
// [ReadFolder] and [Find] read source from the disk, [Load] type-checks its
// declarations, and [Package.TypeCheck] everything, before it is written.
package gopkg
