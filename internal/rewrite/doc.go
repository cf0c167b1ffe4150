// Package rewrite writes a changed tree into the text that it was read from. What
// has not changed stays as it is, byte for byte: comments, blank lines, quotes,
// the order of keys. What is new is written in the text's own style.
package rewrite
