// Package resolve joins a contract with the Go that oapi-codegen has generated: it
// walks the document's tree and the Go types side by side, and says of every declared
// value how it is reached in a request and what is hashed of it. It spells no Go.
//
// [Resolve] does that for a whole contract; [InferDecoding] and [Framework] find out
// how a package of the user's own was generated.
package resolve
