package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/diag"
)

// Decoder reads values strictly: what is unknown or of a wrong type is reported with
// its position, and false returned. Messages call a value what the caller says it is.
// A nil Node is a missing value, and must not be given to it.
type Decoder struct {
	// Problems receives what is wrong.
	Problems *diag.List
	// Remedy replaces that of every problem, where one is right for all: a generated
	// file is restored, not edited. If it is empty, each problem has its own.
	Remedy string
}

// Errorf reports a problem.
func (d Decoder) Errorf(pos diag.Position, remedy, format string, args ...any) {
	if d.Remedy != "" {
		remedy = d.Remedy
	}
	d.Problems.Errorf(pos, remedy, format, args...)
}

// WrongType reports that a value is of another type than wanted.
func (d Decoder) WrongType(n *Node, what, wanted, remedy string) {
	if n.Kind == Null {
		d.Errorf(n.Pos, remedy, "%s is empty; it must be %s", what, wanted)
		return
	}
	d.Errorf(n.Pos, remedy, "%s is %s, not %s", what, n.Kind, wanted)
}

// Mapping checks that n is a mapping and that all of its keys are known. It is true
// for a mapping with unknown keys, which have been reported.
func (d Decoder) Mapping(n *Node, what string, known ...string) bool {
	if n.Kind != Mapping {
		d.WrongType(n, what, Mapping.String(), "write key: value lines, such as "+known[0]+": ...")
		return false
	}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Name) {
			d.Errorf(m.Pos, diag.DidYouMean(m.Name, known), "unknown key %q in %s", m.Name, what)
		}
	}
	return true
}

// Require returns the value of a key of a mapping, or reports that it is missing.
func (d Decoder) Require(n *Node, key, what, example string) (*Node, bool) {
	if value := n.Get(key); value != nil {
		return value, true
	}
	d.Errorf(n.Pos, "add "+example, "%s is missing", what)
	return nil, false
}

// Sequence returns the items of a list.
func (d Decoder) Sequence(n *Node, what string) ([]*Node, bool) {
	if n.Kind != Sequence {
		d.WrongType(n, what, Sequence.String(), "write ["+n.Example()+"]")
		return nil, false
	}
	return n.Items, true
}

// Example is what to put into brackets to turn a scalar into a list.
func (n *Node) Example() string {
	if n.Kind == Mapping || n.Kind == Null {
		return "..."
	}
	return n.Text
}

// Text reads a string that is not blank.
func (d Decoder) Text(n *Node, what string) (string, bool) {
	switch {
	case n.Kind == String && strings.TrimSpace(n.Text) == "":
		d.Errorf(n.Pos, "write a value", "%s is empty", what)
	case n.Kind == String:
		return n.Text, true
	case n.Kind == Mapping, n.Kind == Sequence, n.Kind == Null:
		d.WrongType(n, what, String.String(), "write a value, in quotes if necessary")
	default:
		d.WrongType(n, what, String.String(), fmt.Sprintf("quote it: '%s'", n.Text))
	}
	return "", false
}

// Bool reads true or false.
func (d Decoder) Bool(n *Node, what string) (value, ok bool) {
	if n.Kind != Bool {
		d.WrongType(n, what, Bool.String(), "write true or false")
		return false, false
	}
	return n.Text == "true", true
}

// Integer reads an integer from 0 to math.MaxInt64.
func (d Decoder) Integer(n *Node, what string) (int64, bool) {
	if n.Kind != Int && !n.Overflows() {
		remedy := "write an integer, such as 1"
		if allDigits.MatchString(n.Text) {
			remedy = "write " + n.Text + " without quotation marks and without a fraction"
		}
		d.WrongType(n, what, Int.String(), remedy)
		return 0, false
	}
	i, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil || i < 0 {
		d.Errorf(n.Pos, "write an integer from 0 to 9223372036854775807", "%s is out of range: %s", what, n.Text)
		return 0, false
	}
	return i, true
}

// Duration reads a duration such as 72h, 30s or 1h30m, which is not negative.
func (d Decoder) Duration(n *Node, what string) (time.Duration, bool) {
	if n.Kind != String && n.Kind != Int && n.Kind != Float {
		d.WrongType(n, what, "a duration", "write a number with h, m, s or ms, such as 72h")
		return 0, false
	}
	v, message, remedy := parseDuration(n.Text)
	if message != "" {
		d.Errorf(n.Pos, remedy, "%s: %s", what, message)
	}
	return v, message == ""
}
