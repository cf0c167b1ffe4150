package expand

import (
	"fmt"
	"strings"
	"time"

	"github.com/idemgen/idemgen/internal/model"
	"github.com/idemgen/idemgen/internal/tree"
)

// describe adds to the operation's description what a caller must know about retries,
// unless it is already there.
func describe(op *tree.Node, operation *model.Operation) {
	paragraph := retries(operation)
	description := textOf(op, "description")
	if strings.Contains(description, paragraph) {
		return
	}
	if description = strings.TrimRight(description, "\n"); description != "" {
		description += "\n\n"
	}
	set(op, "description", text(description+paragraph), "operationId", "parameters", "requestBody", "responses")
}

// retries says how long a key is replayed, and what happens after that.
func retries(operation *model.Operation) string {
	key := operation.Key
	name := "`" + key.Name + "`"
	if key.InBody() {
		name += " in the body"
	}
	paragraph := fmt.Sprintf("**Idempotency.** For %s, a retry with the same %s gets the recorded response again. "+
		"After that the key is refused with status %d, and the request is not carried out again. "+
		"A response is recorded if its status is %s.",
		inWords(operation.Window), name, operation.Expired, strings.Join(operation.Final, " or "))
	if !key.Required {
		paragraph += " " + unprotected
	}
	return paragraph
}

const unprotected = "The key is optional. Without one there is no protection: a request that is sent twice is carried out twice."

// keyDescription is the description of a key's parameter if it has none.
func keyDescription(key model.Key) string {
	description := "Names the request: a retry with the same key gets the recorded response, and nothing is carried out again. " +
		"Visible ASCII characters, bare or in double quotes as an RFC 8941 string: `k1` and `\"k1\"` are one key. " +
		"A comma is part of the key: `k1,k2` is one key. " +
		"Letter case counts, also in a UUID."
	if !key.Required {
		description += " " + unprotected
	}
	return description
}

// inWords returns a duration in the largest unit of which it is a multiple, except
// that one day is written as 24 hours.
func inWords(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		switch n := d / unit.length; {
		case d%unit.length != 0 || unit.length == day && n == 1:
		case n == 1:
			return "1 " + unit.name
		default:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return d.String()
}
