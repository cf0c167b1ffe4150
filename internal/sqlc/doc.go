// Package sqlc runs sqlc over the queries that idemgen generates, as the user's
// sqlc configuration says, and reads how the functions that sqlc wrote are called.
//
// The user's configuration is read and never rewritten. [Find] looks up the block
// that lists our queries file, [Block.Run] runs sqlc over a copy of the block's
// files in a temporary folder, and [Package.Query] reads the result. Names and
// types in the generated Go are read by position, never guessed: renames,
// overrides and all options that shape sqlc's code may be in use.
package sqlc
