package strict_test

import (
	"io"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/idem/idemrt/strict"
)

type created struct{ Body string }

type failed struct {
	StatusCode int
	Body       string
}

type streamed struct {
	Body          io.Reader
	ContentLength int64
}

type empty int

func TestStatusOf(t *testing.T) {
	for _, test := range []struct {
		response any
		want     int
	}{
		{failed{StatusCode: 503}, 503}, {failed{}, 0}, {created{}, 201}, {empty(1), 201},
	} {
		if got := strict.StatusOf(test.response, 201); got != test.want {
			t.Errorf("%T: got %d, want %d", test.response, got, test.want)
		}
	}
}

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error {
	c.closed = true
	return nil
}

func TestLimited(t *testing.T) {
	for _, same := range []any{created{"text"}, streamed{}, empty(1)} {
		if got := strict.Limited(same, 1); got != same {
			t.Errorf("%#v became %#v", same, got)
		}
	}
	original := &closer{Reader: strings.NewReader("0123456789")}
	got := strict.Limited(any(streamed{original, 10}), 3).(streamed)
	text, err := io.ReadAll(got.Body)
	if string(text) != "0123" || err != nil || got.ContentLength != 10 {
		t.Errorf("read %q, %v; %+v", text, err, got)
	}
	if err := got.Body.(io.Closer).Close(); err != nil || !original.closed {
		t.Errorf("the original is not closed: %v", err)
	}
	if _, ok := strict.Limited(streamed{Body: strings.NewReader("")}, 3).Body.(io.Closer); ok {
		t.Error("a reader that cannot be closed can be")
	}
}
