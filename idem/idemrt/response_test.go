package idemrt

import (
	"io"
	"strings"
	"testing"
)

// Responses as oapi-codegen generates them.
type (
	rangeResponse struct{ StatusCode int }
	fileResponse  struct{ Body io.Reader }
	plainResponse string
)

// closing is a body that can be closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

func TestStatusOf(t *testing.T) {
	if got := StatusOf(any(rangeResponse{418}), 200); got != 418 {
		t.Errorf("a chosen status: got %d", got)
	}
	for _, other := range []any{fileResponse{}, plainResponse(""), nil, struct{ StatusCode string }{"418"}} {
		if got := StatusOf(other, 200); got != 200 {
			t.Errorf("%T: got %d, want 200", other, got)
		}
	}
}

func TestLimited(t *testing.T) {
	body := &closing{Reader: strings.NewReader("0123456789")}
	limited := Limited(any(fileResponse{body}), 4).(fileResponse)
	if got, err := io.ReadAll(limited.Body); string(got) != "01234" || err != nil {
		t.Errorf("got %q, %v; want one byte more than the limit", got, err)
	}
	closer, ok := limited.Body.(io.Closer)
	if !ok || closer.Close() != nil || !body.closed {
		t.Error("the body cannot be closed any more")
	}
	for _, other := range []any{rangeResponse{1}, fileResponse{}, plainResponse("a"), nil} {
		if got := Limited(other, 4); got != other {
			t.Errorf("%T was changed", other)
		}
	}
}
