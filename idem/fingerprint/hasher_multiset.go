package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// multiset is a list in which the order of elements does not count. Each element
// is hashed on its own, and what is added in the end are the sorted digests.
type multiset struct {
	outer  *overflow // what the multiset is part of
	begun  bool
	digest [][sha256.Size]byte
}

// Multiset starts a list of n elements whose order does not count.
func (h *Hasher) Multiset(n int) {
	h.tag(tagMultiset)
	h.uvarint(uint64(n))
	h.spill()
	set := &multiset{outer: h.rest, digest: make([][sha256.Size]byte, 0, n)}
	h.rest = &overflow{sum: sha256.New(), set: set}
}

// Element starts an element of the multiset that was started last.
func (h *Hasher) Element() {
	h.endElement()
	h.rest.set.begun = true
}

// EndMultiset ends the multiset that was started last.
func (h *Hasher) EndMultiset() {
	h.endElement()
	set := h.rest.set
	h.rest = set.outer
	slices.SortFunc(set.digest, func(a, b [sha256.Size]byte) int { return bytes.Compare(a[:], b[:]) })
	for i := range set.digest {
		h.put(set.digest[i][:])
	}
}

// endElement takes the digest of the element at hand, if there is one.
func (h *Hasher) endElement() {
	set := h.rest.set
	if !set.begun {
		return
	}
	h.spill()
	set.digest = append(set.digest, [sha256.Size]byte{})
	h.rest.sum.Sum(set.digest[len(set.digest)-1][:0])
	h.rest.sum.Reset()
}
