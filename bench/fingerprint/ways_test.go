package main

import (
	"testing"

	"github.com/idemgen/idemgen/bench/service/orderapi"
)

// A request of scalars alone is hashed without any garbage, however large what is not
// declared of it; and one in which lists are declared, as long as they are small.
func TestScalarsAllocateNothing(t *testing.T) {
	for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
		o, err := newOrder(size)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { orderapi.FingerprintScalars(&o.decoded) }); n != 0 {
			t.Errorf("%d bytes: %v allocations", size, n)
		}
	}
	small, err := newOrder(1 << 10)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { orderapi.FingerprintLines(&small.decoded) }); n != 0 {
		t.Errorf("lists: %v allocations", n)
	}
}

// Every way is one: none fails, and what is measured as a fingerprint tells requests
// apart.
func TestWays(t *testing.T) {
	o, err := newOrder(1 << 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range o.ways() {
		if err := way.hash(); err != nil {
			t.Errorf("%s: %v", way.name, err)
		}
	}
	before := orderapi.FingerprintWhole(&o.decoded)
	*o.decoded.Lines[0].Note += "?"
	if orderapi.FingerprintWhole(&o.decoded) == before {
		t.Error("another note is the same order")
	}
}
