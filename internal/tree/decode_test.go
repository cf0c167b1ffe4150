package tree

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/diag"
)

const values = `text: a
blank: ' '
none:
yes: true
number: 3
negative: -1
large: 99999999999999999999
quoted: '3'
fraction: 1.5
window: 72h
days: 3d
bare: 72
list: [1, 2]
map: {a: 1, b: 2}
`

// Each kind of value is read from each value, with the problems that there are.
func TestDecoder(t *testing.T) {
	root := parse(t, values)
	reads := []struct {
		name string
		read func(d Decoder, n *Node, what string) bool
	}{
		{"text", func(d Decoder, n *Node, what string) bool { _, ok := d.Text(n, what); return ok }},
		{"bool", func(d Decoder, n *Node, what string) bool { _, ok := d.Bool(n, what); return ok }},
		{"integer", func(d Decoder, n *Node, what string) bool { _, ok := d.Integer(n, what); return ok }},
		{"duration", func(d Decoder, n *Node, what string) bool { _, ok := d.Duration(n, what); return ok }},
		{"list", func(d Decoder, n *Node, what string) bool { _, ok := d.Sequence(n, what); return ok }},
		{"mapping", func(d Decoder, n *Node, what string) bool { return d.Mapping(n, what, "a", "c") }},
	}
	want := map[string]string{
		"text": `a.yaml:2:8: blank is empty; write a value
a.yaml:3:6: none is empty; it must be a string; write a value, in quotes if necessary
a.yaml:4:6: yes is a boolean, not a string; quote it: 'true'
a.yaml:5:9: number is an integer, not a string; quote it: '3'
a.yaml:6:11: negative is an integer, not a string; quote it: '-1'
a.yaml:7:8: large is an integer, not a string; quote it: '99999999999999999999'
a.yaml:9:11: fraction is a number, not a string; quote it: '1.5'
a.yaml:12:7: bare is an integer, not a string; quote it: '72'
a.yaml:13:7: list is a list, not a string; write a value, in quotes if necessary
a.yaml:14:6: map is a mapping, not a string; write a value, in quotes if necessary`,
		"bool": `a.yaml:1:7: text is a string, not a boolean; write true or false
a.yaml:2:8: blank is a string, not a boolean; write true or false
a.yaml:3:6: none is empty; it must be a boolean; write true or false
a.yaml:5:9: number is an integer, not a boolean; write true or false
a.yaml:6:11: negative is an integer, not a boolean; write true or false
a.yaml:7:8: large is an integer, not a boolean; write true or false
a.yaml:8:9: quoted is a string, not a boolean; write true or false
a.yaml:9:11: fraction is a number, not a boolean; write true or false
a.yaml:10:9: window is a string, not a boolean; write true or false
a.yaml:11:7: days is a string, not a boolean; write true or false
a.yaml:12:7: bare is an integer, not a boolean; write true or false
a.yaml:13:7: list is a list, not a boolean; write true or false
a.yaml:14:6: map is a mapping, not a boolean; write true or false`,
		"integer": `a.yaml:1:7: text is a string, not an integer; write an integer, such as 1
a.yaml:2:8: blank is a string, not an integer; write an integer, such as 1
a.yaml:3:6: none is empty; it must be an integer; write an integer, such as 1
a.yaml:4:6: yes is a boolean, not an integer; write an integer, such as 1
a.yaml:6:11: negative is out of range: -1; write an integer from 0 to 9223372036854775807
a.yaml:7:8: large is out of range: 99999999999999999999; write an integer from 0 to 9223372036854775807
a.yaml:8:9: quoted is a string, not an integer; write 3 without quotation marks and without a fraction
a.yaml:9:11: fraction is a number, not an integer; write 1.5 without quotation marks and without a fraction
a.yaml:10:9: window is a string, not an integer; write an integer, such as 1
a.yaml:11:7: days is a string, not an integer; write an integer, such as 1
a.yaml:13:7: list is a list, not an integer; write an integer, such as 1
a.yaml:14:6: map is a mapping, not an integer; write an integer, such as 1`,
		"duration": `a.yaml:1:7: text: "a" is not a duration; write a number with h, m, s or ms, such as 72h, 30s or 1h30m
a.yaml:2:8: blank: " " is not a duration; write a number with h, m, s or ms, such as 72h, 30s or 1h30m
a.yaml:3:6: none is empty; it must be a duration; write a number with h, m, s or ms, such as 72h
a.yaml:4:6: yes is a boolean, not a duration; write a number with h, m, s or ms, such as 72h
a.yaml:5:9: number: "3" has no unit; write 3s for seconds, or use m or h
a.yaml:6:11: negative: "-1" is negative; write a duration such as 72h or 30s
a.yaml:7:8: large: "99999999999999999999" has no unit; write 99999999999999999999s for seconds, or use m or h
a.yaml:8:9: quoted: "3" has no unit; write 3s for seconds, or use m or h
a.yaml:9:11: fraction: "1.5" has no unit; write 1.5s for seconds, or use m or h
a.yaml:11:7: days: "3d" is not a duration: days and longer differ in length; write hours, such as 72h
a.yaml:12:7: bare: "72" has no unit; write 72s for seconds, or use m or h
a.yaml:13:7: list is a list, not a duration; write a number with h, m, s or ms, such as 72h
a.yaml:14:6: map is a mapping, not a duration; write a number with h, m, s or ms, such as 72h`,
		"list": `a.yaml:1:7: text is a string, not a list; write [a]
a.yaml:2:8: blank is a string, not a list; write [ ]
a.yaml:3:6: none is empty; it must be a list; write [...]
a.yaml:4:6: yes is a boolean, not a list; write [true]
a.yaml:5:9: number is an integer, not a list; write [3]
a.yaml:6:11: negative is an integer, not a list; write [-1]
a.yaml:7:8: large is an integer, not a list; write [99999999999999999999]
a.yaml:8:9: quoted is a string, not a list; write [3]
a.yaml:9:11: fraction is a number, not a list; write [1.5]
a.yaml:10:9: window is a string, not a list; write [72h]
a.yaml:11:7: days is a string, not a list; write [3d]
a.yaml:12:7: bare is an integer, not a list; write [72]
a.yaml:14:6: map is a mapping, not a list; write [...]`,
	}
	for _, r := range reads {
		var problems diag.List
		for _, m := range root.Members {
			before := len(problems)
			ok := r.read(Decoder{Problems: &problems}, m.Value, m.Name)
			if r.name != "mapping" && ok != (len(problems) == before) {
				t.Errorf("%s of %s: %v, with %d problems", r.name, m.Name, ok, len(problems)-before)
			}
		}
		if r.name == "mapping" {
			last := problems[len(problems)-1].String()
			if last != `a.yaml:14:13: unknown key "b" in map; did you mean "a"?` {
				t.Errorf("mapping: %s", last)
			}
			continue
		}
		if diff := cmp.Diff(want[r.name], problems.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.name, diff)
		}
	}
}

func TestDecoderValues(t *testing.T) {
	root := parse(t, values)
	var problems diag.List
	d := Decoder{Problems: &problems}
	text, _ := d.Text(root.Get("text"), "text")
	yes, _ := d.Bool(root.Get("yes"), "yes")
	number, _ := d.Integer(root.Get("number"), "number")
	window, _ := d.Duration(root.Get("window"), "window")
	items, _ := d.Sequence(root.Get("list"), "list")
	if text != "a" || !yes || number != 3 || window != 72*time.Hour || len(items) != 2 || len(problems) > 0 {
		t.Error(text, yes, number, window, items, problems)
	}
}

// One remedy can stand for all of them.
func TestDecoderRemedy(t *testing.T) {
	var problems diag.List
	d := Decoder{Problems: &problems, Remedy: "restore the file"}
	root := parse(t, "a: 1\n")
	d.Mapping(root, "the file", "b")
	if _, ok := d.Require(root, "b", "b", "b: 1"); ok {
		t.Error("what is missing was found")
	}
	const want = `a.yaml:1:1: unknown key "a" in the file; restore the file
a.yaml:1:1: b is missing; restore the file`
	if diff := cmp.Diff(want, strings.TrimSpace(problems.Error())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEqual(t *testing.T) {
	a := parse(t, "{a: 1, b: [x, {c: null}], d: '1'}")
	for text, want := range map[string]bool{
		"d: \"1\"\nb: [x, {c: ~}]\na: 1\n":         true,
		"{a: 1, b: [{c: null}, x], d: '1'}":        false,
		"{a: 1, b: [x, {c: null}], d: 1}":          false,
		"{a: 1, b: [x, {c: null}]}":                false,
		"{a: 1, b: [x, {c: null}], d: '1', e: ''}": false,
		"{a: 1, b: [x, {e: null}], d: '1'}":        false,
	} {
		if got := a.Equal(parse(t, text)); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
	if !a.Clone().Equal(a) || !a.Bare().Equal(a) || a.Equal(nil) || !(*Node)(nil).Equal(nil) {
		t.Error("a copy differs, or nothing is something")
	}
}

// What is wrong with a number is told apart from what is only written in another way.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"0o17": "an integer 15", "0x1F": "an integer 31", "1_000": "an integer 1000", "017": "an integer 15", "099": "an integer 99", "011000138": "an integer 11000138",
		"-08": "an integer -8", "99999999999999999999": "an integer 99999999999999999999", "1e3": "a number 1e3", "+1.5": "a number 1.5", "00.5": "a number 0.5", ".5": "a number 0.5", "1.": "an integer 1",
	} {
		n := parse(t, text+"\n")
		if got := n.Kind.String() + " " + n.Text; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{".inf", "-.inf", ".nan", "1e400"} {
		if root, problems := Parse("a.yaml", []byte("- "+text+"\n")); !problems.HasErrors() && root.Items[0].Kind != String {
			t.Errorf("%s is %s", text, root.Items[0].Text)
		}
	}
}
