package idemrt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

const problemType = "application/problem+json"

// problem is one row of the contract: a code and what it tells the caller.
type problem struct {
	code   string
	status int
	title  string
	detail string
	again  bool // Retry-After: the same key may be sent again
}

var (
	keyMissing = problem{
		code: "idempotency_key_missing", status: http.StatusBadRequest,
		title:  "Idempotency key missing",
		detail: "This operation needs an idempotency key in %s.",
	}
	keyInvalid = problem{
		code: "idempotency_key_invalid", status: http.StatusBadRequest,
		title:  "Idempotency key invalid",
		detail: "%s must be one idempotency key that is spelt as the operation asks.",
	}
	keyReused = problem{
		code: "idempotency_key_reused", status: http.StatusUnprocessableEntity,
		title:  "Idempotency key reused",
		detail: "This idempotency key belongs to another request. Send a new request with a new key.",
	}
	inFlight = problem{
		code: "idempotency_in_flight", status: http.StatusConflict, again: true,
		title:  "Request in flight",
		detail: "A request with this idempotency key is being processed. Send it again later, with the same key.",
	}
	expired = problem{
		code: "idempotency_expired", status: http.StatusGone,
		title:  "Idempotency key expired",
		detail: "This request was answered, and its answer is no longer kept. Look up what it made; the key cannot be used again.",
	}
	unavailable = problem{
		code: "idempotency_unavailable", status: http.StatusServiceUnavailable, again: true,
		title:  "Service unavailable",
		detail: "Nothing was done. Send the same request again.",
	}
	outcomeUnknown = problem{
		code: "idempotency_outcome_unknown", status: http.StatusServiceUnavailable, again: true,
		title:  "Outcome unknown",
		detail: "Whether the request was carried out is not known. Send it again, with the same key, to find out.",
	}
	internalError = problem{
		code: "idempotency_internal_error", status: http.StatusInternalServerError,
		title:  "Internal server error",
		detail: "The request could not be processed.",
	}
	requestMalformed = problem{
		code: "request_malformed", status: http.StatusBadRequest,
		title:  "Request malformed",
		detail: "Part of the request cannot be read in exactly one way: text that is not Unicode or too long, a JSON member that is there twice, or a body whose Content-Type is none of the operation's.",
	}
	requestTimeout = problem{
		code: "request_timeout", status: http.StatusRequestTimeout,
		title:  "Request timed out",
		detail: "The request's body did not arrive in time. Nothing was done. Send the same request again.",
	}
	requestTooLarge = problem{
		code: "request_too_large", status: http.StatusRequestEntityTooLarge,
		title:  "Request too large",
		detail: "The request's body is larger than %d bytes.",
	}
)

func (p problem) is(other problem) bool { return p.code == other.code }

// with returns p with its detail filled in.
func (p problem) with(args ...any) problem {
	p.detail = fmt.Sprintf(p.detail, args...)
	return p
}

// under returns p with the status that an operation has chosen for it.
func (p problem) under(statuses Statuses) problem {
	switch p.code {
	case keyReused.code:
		p.status = statuses.Mismatch
	case inFlight.code:
		p.status = statuses.InFlight
	case expired.code:
		p.status = statuses.Expired
	}
	return p
}

// level is how loud a problem is logged: the caller's fault, the store's, ours.
func (p problem) level() slog.Level {
	switch {
	case p.status >= 500 && !p.again:
		return slog.LevelError
	case p.status >= 500:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// answer makes p an answer. The instance names it in the log.
func (p problem) answer(retryAfter time.Duration) (answer *Answer, instance string) {
	instance = newInstance()
	body, _ := json.Marshal(struct { // strings and an int: cannot fail
		Type     string `json:"type"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Detail   string `json:"detail"`
		Instance string `json:"instance"`
		Code     string `json:"code"`
	}{"urn:idemgen:problem:" + p.code, p.title, p.status, p.detail, instance, p.code})
	header := http.Header{"Content-Type": {problemType}}
	if p.again {
		header.Set("Retry-After", strconv.FormatInt(wholeSeconds(retryAfter), 10))
	}
	return &Answer{status: p.status, header: header, body: append(body, '\n')}, instance
}

// wholeSeconds rounds up, and never to nothing.
func wholeSeconds(d time.Duration) int64 {
	return max(1, int64((d+time.Second-1)/time.Second))
}

// newInstance returns a random UUID, version 4, as a URN.
func newInstance() string {
	var u [16]byte
	rand.Read(u[:]) // never fails
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// refuse answers a call with a problem and logs it. key is decoded, or "".
func (g *Engine) refuse(ctx context.Context, op *rules, key string, r *refusal) *Answer {
	p := r.problem.under(op.statuses)
	answer, instance := p.answer(op.retryAfter)
	g.settings.Logger.LogAttrs(ctx, r.level(), "idempotent request refused",
		slog.String("operation", op.name),
		slog.String("code", p.code),
		slog.String("instance", instance),
		slog.String("step", string(r.step)),
		Cause(r.cause),
		g.keyAttr(op.name, key))
	return answer
}
