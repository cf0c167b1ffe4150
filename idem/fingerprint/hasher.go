package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"math/big"
	"strconv"
	"time"
)

// hasherDomain separates fingerprints from every other use of SHA-256, and this
// encoding from later ones.
const hasherDomain = "idemgen/fingerprint/1"

// Tags of the encoding, one before each value and member.
const (
	tagAbsent = '-'
	tagNull   = '0'
	tagBool   = 'b'
	tagInt    = 'i'
	tagFloat  = 'd'
	tagString = 's'
	tagBytes  = 'y'
	tagTime   = 't'
	tagDate   = 'D'
	tagUUID   = 'u'
	tagList   = '['
	tagMap    = '{'
	tagField  = 'F'

	tagMultiset = 'm'
	tagJSON     = 'j'
	tagNumber   = 'n' // inside of free-form JSON
)

const errNoBody Error = "the request has no body of a content type that the operation takes"

// Error is the reason why a request has no fingerprint. Its text never contains
// any part of the request, so that it can be logged.
type Error string

// Error implements error.
func (e Error) Error() string { return "fingerprint: " + string(e) }

// Fingerprint identifies what a request means, as far as its operation declares.
// Two requests with the same Version and Sum mean the same.
type Fingerprint struct {
	Version int16    // of the operation's list of fields
	Sum     [32]byte // SHA-256; not valid if Err is not nil

	err error
}

// Err returns an [Error] if the request has no fingerprint, because part of it can
// be read in more than one way, and otherwise nil.
func (f Fingerprint) Err() error { return f.err }

// Hasher computes a fingerprint: SHA-256 over a framed, typed encoding of the
// declared fields, which docs/fingerprint.md specifies. Generated code calls it
// in one order: Field, then the field's value; after List and Map that many
// elements, each a value or again its Fields; after Multiset likewise, but with
// Element before each and EndMultiset after them. No two different sequences
// share an encoding.
//
// A Hasher belongs to one goroutine. It allocates nothing up to a kilobyte of
// encoding, but for multisets and free-form JSON.
type Hasher struct {
	version int16
	n       int
	buffer  [1024]byte
	rest    *overflow // what came before the buffer; nil while all of it is there
	err     error     // the first value that has no encoding
}

// overflow hashes what has outgrown the buffer, or an element of a multiset. It
// has a copy of its own, so that the hasher itself can stay on its caller's stack.
type overflow struct {
	sum   hash.Hash
	chunk [1024]byte
	set   *multiset // whose element is hashed; nil for the fingerprint itself
}

// Body returns body, or the zero value that an absent one is taken for.
func Body[T any](body *T) *T {
	if body == nil {
		return new(T)
	}
	return body
}

// NewHasher starts the fingerprint of the operation stored as name, under one
// version of its field list.
func NewHasher(name string, version int16) Hasher {
	h := Hasher{version: version}
	h.text(hasherDomain)
	h.text(name)
	h.uvarint(uint64(version))
	return h
}

// Field starts a member, and returns h. path is relative to the enclosing list element
// or map value, or to the request.
func (h *Hasher) Field(path string) *Hasher {
	h.tag(tagField)
	h.text(path)
	return h
}

// Skip adds fields that are absent because what holds them is.
func (h *Hasher) Skip(paths ...string) {
	for _, path := range paths {
		h.Field(path)
		h.Absent()
	}
}

// Absent adds the value of a field that the request does not have.
func (h *Hasher) Absent() { h.tag(tagAbsent) }

// Present adds the absence of a field that the request does not have, and reports
// whether it has it.
func (h *Hasher) Present(is bool) bool {
	if !is {
		h.Absent()
	}
	return is
}

// Null adds an explicit null.
func (h *Hasher) Null() { h.tag(tagNull) }

// Bool adds a boolean.
func (h *Hasher) Bool(v bool) {
	h.tag(tagBool)
	if v {
		h.tag(1)
	} else {
		h.tag(0)
	}
}

// Int adds an integer. Equal integers are equal whatever their width.
func (h *Hasher) Int(v int64) {
	var digits [20]byte
	h.tag(tagInt)
	h.octets(strconv.AppendInt(digits[:0], v, 10))
}

// BigInt adds an integer of any size. v is not nil.
func (h *Hasher) BigInt(v *big.Int) {
	h.tag(tagInt)
	h.text(v.String())
}

// nan is the one encoding of everything that is not a number, which parameters
// can be, but no value in JSON.
const nan = 0x7ff8000000000000

// Float adds a double. −0 is 0.
func (h *Hasher) Float(v float64) {
	if v == 0 {
		v = 0
	}
	if v != v {
		v = math.Float64frombits(nan)
	}
	var bits [8]byte
	binary.BigEndian.PutUint64(bits[:], math.Float64bits(v))
	h.tag(tagFloat)
	h.put(bits[:])
}

// String adds a string, by its bytes.
func (h *Hasher) String(v string) {
	h.tag(tagString)
	h.text(v)
}

// Bytes adds binary data.
func (h *Hasher) Bytes(v []byte) {
	h.tag(tagBytes)
	h.octets(v)
}

// Time adds an instant. Its time zone does not matter.
func (h *Hasher) Time(v time.Time) {
	var digits [20]byte
	h.tag(tagTime)
	h.octets(strconv.AppendInt(digits[:0], v.Unix(), 10))
	h.uvarint(uint64(v.Nanosecond()))
}

// Date adds the civil date of v, in v's own time zone.
func (h *Hasher) Date(v time.Time) {
	var text [32]byte
	h.tag(tagDate)
	h.octets(v.AppendFormat(text[:0], time.DateOnly))
}

// UUID adds a UUID by value.
func (h *Hasher) UUID(v [16]byte) {
	h.tag(tagUUID)
	h.put(v[:])
}

// List starts a list of n elements.
func (h *Hasher) List(n int) {
	h.tag(tagList)
	h.uvarint(uint64(n))
}

// Map starts a map of n entries. They follow in the order of their keys' bytes.
func (h *Hasher) Map(n int) {
	h.tag(tagMap)
	h.uvarint(uint64(n))
}

// Key starts a map entry.
func (h *Hasher) Key(key string) { h.text(key) }

// NoBody says that the request has none of the bodies that its operation takes, and
// needs one: it has no fingerprint.
func (h *Hasher) NoBody() {
	if h.err == nil {
		h.err = errNoBody
	}
}

// Sum returns the fingerprint of what was added. The hasher is spent.
func (h *Hasher) Sum() Fingerprint {
	f := Fingerprint{Version: h.version, err: h.err}
	if h.rest == nil {
		f.Sum = sha256.Sum256(h.buffer[:h.n])
		return f
	}
	h.spill()
	copy(f.Sum[:], h.rest.sum.Sum(nil))
	return f
}

func (h *Hasher) tag(b byte) {
	if h.n == len(h.buffer) {
		h.spill()
	}
	h.buffer[h.n] = b
	h.n++
}

func (h *Hasher) uvarint(v uint64) {
	var encoded [binary.MaxVarintLen64]byte
	h.put(encoded[:binary.PutUvarint(encoded[:], v)])
}

// text adds the length of s and s.
func (h *Hasher) text(s string) {
	h.uvarint(uint64(len(s)))
	h.putString(s)
}

// octets is text for bytes.
func (h *Hasher) octets(b []byte) {
	h.uvarint(uint64(len(b)))
	h.put(b)
}

// put and putString are not one generic function: where the compiler inlines a call
// of such into another package, it takes the hasher to the heap.
func (h *Hasher) put(b []byte) {
	for {
		n := copy(h.buffer[h.n:], b)
		h.n += n
		b = b[n:]
		if len(b) == 0 {
			return
		}
		h.spill()
	}
}

func (h *Hasher) putString(s string) {
	for {
		n := copy(h.buffer[h.n:], s)
		h.n += n
		s = s[n:]
		if s == "" {
			return
		}
		h.spill()
	}
}

// spill empties the buffer into rest.
func (h *Hasher) spill() {
	if h.rest == nil {
		h.rest = &overflow{sum: sha256.New()}
	}
	n := copy(h.rest.chunk[:], h.buffer[:h.n])
	h.rest.sum.Write(h.rest.chunk[:n])
	h.n = 0
}
