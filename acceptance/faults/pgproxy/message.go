package pgproxy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// maxMessage is more than anything that passes here.
const maxMessage = 16 << 20

// cancelRequest is what a connection starts with that only wants to cancel
// another one's statement.
const cancelRequest = 80877102

// message is one message of the protocol, as it is on the wire.
type message struct {
	kind byte // 0 for the first message of a connection, which has no type
	raw  []byte
}

// readMessage reads a message with a type.
func readMessage(r *bufio.Reader) (message, error) {
	kind, err := r.ReadByte()
	if err != nil {
		return message{}, err
	}
	m, err := readUntyped(r)
	if err != nil {
		return message{}, err
	}
	return message{kind: kind, raw: append([]byte{kind}, m.raw...)}, nil
}

// readUntyped reads a length and what it counts.
func readUntyped(r *bufio.Reader) (message, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return message{}, err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n < 4 || n > maxMessage {
		return message{}, errors.New("not a PostgreSQL message")
	}
	raw := make([]byte, n)
	copy(raw, length[:])
	_, err := io.ReadFull(r, raw[4:])
	return message{raw: raw}, err
}

// body is what follows type and length.
func (m message) body() []byte {
	if m.kind == 0 {
		return m.raw[4:]
	}
	return m.raw[5:]
}

// isCancel reports whether m starts a request to cancel.
func (m message) isCancel() bool {
	return m.kind == 0 && len(m.body()) >= 4 && binary.BigEndian.Uint32(m.body()) == cancelRequest
}

// number is the first number of the body.
func (m message) number() uint32 {
	if len(m.body()) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(m.body())
}

// texts are the first n texts of the body, each ended by a zero byte.
func (m message) texts(n int) []string {
	texts := make([]string, n)
	rest := m.body()
	for i := range texts {
		text, after, _ := bytes.Cut(rest, []byte{0})
		texts[i], rest = string(text), after
	}
	return texts
}
