// Package tree reads YAML and JSON into a tree of [Node] in which every value keeps
// its position, and writes such a tree as YAML or JSON again.
//
// [Parse] is the one reader of the document, the overlay, the configurations and
// the lock: syntax errors, duplicate keys and hostile input are reported alike
// everywhere. [Decoder] reads values out of a tree strictly. [YAML] and
// [EncodeJSON] write what reads as the same tree.
package tree
