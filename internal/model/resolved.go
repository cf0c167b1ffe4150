package model

import "iter"

// GoOperation is one annotated operation with what oapi-codegen has made of it.
type GoOperation struct {
	*Operation
	GoName   string // "CreateOrder", the strict server's method
	Request  string // "CreateOrderRequestObject"
	Response string // "CreateOrderResponseObject"
	Visit    string // "VisitCreateOrderResponse"

	HeaderKey    *HeaderKey       // nil where the key is in the body
	BodyKeys     []BodyKey        // where it can be in the body; none where it is in a header
	ScopeValues  []ScopeValue     // what the request fills of the scope
	Fingerprints []*GoFingerprint // newest first
}

// HeaderKey is how the header that holds the key is reached.
type HeaderKey struct {
	Value    Value  // a pointer to text, nil without a key
	Header   string // as the generated server spells it: "Idempotency-Key"
	Required bool   // the generated server refuses a request without the key
}

// BodyKey is one body in which there may be a key.
type BodyKey struct {
	Body  Access // which may be nil
	Value Value  // a pointer to text, nil without a key
}

// ScopeValue fills one field of a scope from the request.
type ScopeValue struct {
	Field string // "Provider"
	Value Value
}

// GoOther is an operation without annotation with what oapi-codegen has made of it.
type GoOther struct {
	*OtherOperation
	GoName   string
	Request  string
	Response string
}

// GoFingerprint is what is hashed of an operation's request in one version.
type GoFingerprint struct {
	Version    int
	Body       *GoBody   // nil where no declared field is in the body, or there are several
	Bodies     *GoBodies // nil unless there are several
	Parameters []*GoNode
}

// All yields every declared value.
func (f *GoFingerprint) All() iter.Seq[*GoNode] {
	return func(yield func(*GoNode) bool) {
		if f.Body != nil && !f.Body.Root.all(yield) {
			return
		}
		if f.Bodies != nil {
			for _, body := range append(f.Bodies.Cases[:len(f.Bodies.Cases):len(f.Bodies.Cases)], f.Bodies.Else) {
				if body != nil && !body.Root.all(yield) {
					return
				}
			}
		}
		for _, parameter := range f.Parameters {
			if !parameter.all(yield) {
				return
			}
		}
	}
}

// GoBody is a body that may be absent.
type GoBody struct {
	Access      Access  // a pointer
	Root        *GoNode // what is declared of it; of one of several, nil for nothing
	ContentType string  // of one of several, where that is hashed; else ""
}

// GoBodies are bodies of which at most one arrives.
type GoBodies struct {
	All             []Access
	Required        bool      // a request without any of them is refused
	Cases           []*GoBody // those that are told apart; none where nothing of them is declared
	HashContentType bool      // it is hashed which one has arrived, or that none has
	Else            *GoBody   // else what an absent body is the zero value of; nil for nothing
}

// GoNode is one declared value: how it is reached, and what is hashed of it. Where a
// value can be absent, and inside a list or a map, the value at hand is always called
// v, so that nodes nest without numbering.
type GoNode struct {
	*Node
	Access   Access
	Presence Presence
	Null     []HashCall // for a null that is told from absent; none where null is absent
	Absent   []HashCall // for a value that can be absent and is
	Hash     *HashCall  // for the value of a leaf
	Range    Access     // of a list or map: what is ranged over
	Members  []*GoNode  // of an object
	Elem     *GoNode    // of a list or map
}

// Presence is how a value says whether it is there.
type Presence string

// The forms of presence.
const (
	Always   Presence = ""         // it is always there
	NotNil   Presence = "not nil"  // it is absent where Access is nil
	Nullable Presence = "nullable" // Access is a nullable.Nullable, which also tells null
)

// all yields n, which may be nil, and everything below it.
func (n *GoNode) all(yield func(*GoNode) bool) bool {
	if n == nil {
		return true
	}
	for _, member := range n.Members {
		if !member.all(yield) {
			return false
		}
	}
	return yield(n) && n.Elem.all(yield)
}
