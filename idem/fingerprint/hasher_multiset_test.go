package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
)

// digests is the encoding of a multiset, spelt out.
func digests(elements ...string) string {
	var sums [][]byte
	for _, element := range elements {
		sum := sha256.Sum256([]byte(element))
		sums = append(sums, sum[:])
	}
	slices.SortFunc(sums, bytes.Compare)
	return "m" + string(rune(len(elements))) + string(bytes.Join(sums, nil))
}

func multisetOf(elements ...string) func(h *Hasher) {
	return func(h *Hasher) {
		h.Multiset(len(elements))
		for _, element := range elements {
			h.Element()
			h.String(element)
		}
		h.EndMultiset()
	}
}

func TestMultisetEncoding(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, test := range map[string]struct {
		add  func(h *Hasher)
		want string
	}{
		"empty":      {multisetOf(), "m\x00"},
		"one":        {multisetOf("a"), digests("s\x01a")},
		"two":        {multisetOf("b", "a"), digests("s\x01a", "s\x01b")},
		"twice":      {multisetOf("a", "a"), digests("s\x01a", "s\x01a")},
		"a long one": {multisetOf(long, "a"), digests("s\x01a", "s\xb8\x17"+long)},
		"between others": {func(h *Hasher) {
			h.Field("a")
			multisetOf("b", "a")(h)
			h.Field("b")
			h.Absent()
		}, "F\x01a" + digests("s\x01a", "s\x01b") + "F\x01b-"},
		"of objects": {func(h *Hasher) {
			h.Multiset(2)
			for _, sku := range []string{"b", "a"} {
				h.Element()
				h.Field("sku")
				h.String(sku)
			}
			h.EndMultiset()
		}, digests("F\x03skus\x01a", "F\x03skus\x01b")},
		"of multisets": {func(h *Hasher) {
			h.Multiset(2)
			h.Element()
			multisetOf("b", "a")(h)
			h.Element()
			multisetOf()(h)
			h.EndMultiset()
		}, digests(digests("s\x01a", "s\x01b"), "m\x00")},
		"after more than the buffer": {func(h *Hasher) {
			h.String(long)
			multisetOf("a")(h)
			h.String(long)
		}, "s\xb8\x17" + long + digests("s\x01a") + "s\xb8\x17" + long},
	} {
		t.Run(name, func(t *testing.T) {
			h := NewHasher("op", 1)
			test.add(&h)
			if got := h.Sum(); got.Sum != sha256.Sum256([]byte(prefix+test.want)) {
				t.Errorf("got %x, want the hash of %q", got.Sum, test.want)
			}
		})
	}
}

func TestMultisetIgnoresOrderOnly(t *testing.T) {
	sum := func(add func(h *Hasher)) [32]byte {
		h := NewHasher("op", 1)
		add(&h)
		return h.Sum().Sum
	}
	if sum(multisetOf("a", "b", "a")) != sum(multisetOf("b", "a", "a")) {
		t.Error("the order counts")
	}
	seen := map[[32]byte]int{}
	for i, add := range []func(h *Hasher){
		multisetOf(), multisetOf("a"), multisetOf("a", "a"), multisetOf("a", "b"), multisetOf("a", "a", "b"),
		multisetOf("a", "b", "b"), multisetOf("ab"), multisetOf("a", "b", ""), multisetOf(""),
		func(h *Hasher) { multisetOf("a")(h); multisetOf("b")(h) },
		func(h *Hasher) { h.List(2); h.String("a"); h.String("b") },
	} {
		if other, ok := seen[sum(add)]; ok {
			t.Errorf("%d and %d are the same", other, i)
		}
		seen[sum(add)] = i
	}
}

func BenchmarkHasherMultiset(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		h := NewHasher("createOrder", 1)
		h.Multiset(1000)
		for i := range 1000 {
			h.Element()
			h.Field("quantity")
			h.Int(int64(i))
			h.Field("sku")
			h.String("A-0815")
		}
		h.EndMultiset()
		h.Sum()
	}
}
