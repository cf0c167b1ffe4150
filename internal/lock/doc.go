// Package lock holds what is remembered from run to run: the contract as
// idemgen.lock.yaml has it. [Parse] reads the file, [Compare] says what has become
// of the contract since, and [New] makes the next one. It writes no file and reads no
// document.
package lock
