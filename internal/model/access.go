package model

// Access is the way to a value of the request that the strict server is given.
type Access struct {
	Path    []string // a variable, and fields from there on: "request", "Params", "DryRun"
	Pointer bool     // what is there is a pointer to the value, and is never nil
}

// Field is the way to a field of the struct that a leads to.
func (a Access) Field(name string) Access {
	return Access{Path: append(a.Path[:len(a.Path):len(a.Path)], name)}
}

// Value is a value of the request as it is handed on.
type Value struct {
	Access
	Convert []Conversion // in the order in which they apply
}

// Conversion turns a value into one of another type.
type Conversion string

// The conversions to basic types have the names of the types.
const (
	ToBool    Conversion = "bool"
	ToString  Conversion = "string"
	ToInt16   Conversion = "int16"
	ToInt32   Conversion = "int32"
	ToInt64   Conversion = "int64"
	ToUint64  Conversion = "uint64"
	ToFloat64 Conversion = "float64"

	AddressOf     Conversion = "address"         // a pointer to the value
	StringPointer Conversion = "string pointer"  // of a pointer to a value whose type is text
	BigInt        Conversion = "big integer"     // a *big.Int, of a uint64
	DatabaseUUID  Conversion = "database UUID"   // a pgtype.UUID, of a UUID
	KeyOf         Conversion = "key of text"     // these four: an optional key, as a pointer to text
	KeyOfUUID     Conversion = "key of UUID"     // of a pointer to a UUID
	KeyOfValue    Conversion = "key of value"    // of a UUID, whose zero value is no key
	KeyOfNullable Conversion = "key of nullable" // of a nullable.Nullable of text
)

// HashCall is one call of a method of the hasher.
type HashCall struct {
	Method string // "Int"
	// Args are values of the request, each a [Value], or known beforehand: a bool, int,
	// int64, float64, string, []byte, [16]byte or [time.Time]; and [Normalizations].
	Args []any
}

// Normalizations of a string, in the order in which they apply.
type Normalizations []string
