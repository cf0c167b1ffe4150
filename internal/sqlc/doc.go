// Package sqlc runs sqlc on the queries that idemgen generates, with the user's sqlc
// configuration, and reads the signatures of the functions that sqlc wrote.
//
// The user's configuration is read and never rewritten. [Find] looks up the block that
// lists idemgen's queries file, [Block.Run] runs sqlc on a copy of the block's files
// in a temporary folder, and [Package.Query] reads the result. Names and types in the
// generated Go are read by position, never guessed: renames, overrides and all options
// that affect sqlc's code are supported.
package sqlc
