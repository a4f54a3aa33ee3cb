package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

func TestErrorsBecomeAnswers(t *testing.T) {
	secret, hidden := errors.New("secret"), errors.New("hidden")
	respond := Responder{KindOf: func(err error) fault.Kind {
		if errors.Is(err, hidden) {
			return fault.Unavailable
		}
		return ""
	}}
	for _, c := range []struct {
		err    error
		status int
	}{
		{ErrNotFound, 404},
		{fmt.Errorf("wrapped: %w", &Problem{Status: 401, Message: "Credenciales inválidas"}), 401},
		{chat.Invalid("El mensaje está vacío."), 400},
		{analytics.ErrTooLong, 400},
		{&http.MaxBytesError{Limit: 1}, 413},
		{fmt.Errorf("receive: %w", chat.ErrLimitReached), 429},
		{fmt.Errorf("%w: %w", chat.ErrAssistantFailed, context.DeadlineExceeded), 502},
		{chat.ErrNotYours, 404},
		{fmt.Errorf("store decision: %w: %w", chat.ErrBusy, event.ErrConflict), 503},
		{fmt.Errorf("store decision: %w: %w", chat.ErrBusy, event.ErrSlotTaken), 503},
		{context.DeadlineExceeded, 503},
		{fmt.Errorf("read: %w", hidden), 503},
		{event.ErrConflict, 500},
		{secret, 500},
		{fault.As(fault.Invalid, secret), 400},
		{fault.As(fault.Forbidden, secret), 403},
		{fault.As(fault.NotFound, secret), 404},
		{fault.As(fault.Conflict, secret), 409},
		{fault.As(fault.Erased, secret), 410},
		{fault.As(fault.LimitReached, secret), 429},
		{fault.As(fault.Upstream, secret), 502},
		{fault.As(fault.Busy, secret), 503},
		{fault.As(fault.Unavailable, secret), 503},
		{fault.As(fault.Outdated, secret), 503},
	} {
		p := respond.problemOf(c.err)
		if p.Status != c.status {
			t.Errorf("%v: got %d, want %d", c.err, p.Status, c.status)
		}
		if p.Message == "" || strings.Contains(p.Message, "secret") {
			t.Errorf("%v: message %q", c.err, p.Message)
		}
		if p.LimitReached != (c.status == http.StatusTooManyRequests) {
			t.Errorf("%v: limitReached is %v", c.err, p.LimitReached)
		}
		if (c.status == http.StatusServiceUnavailable) != (p.RetryAfter > 0) {
			t.Errorf("%v: retry after %v", c.err, p.RetryAfter)
		}
	}
}

// Each of the errors that say more than their kind is answered in its own words.
func TestSentences(t *testing.T) {
	for _, s := range sentences {
		p := Responder{}.problemOf(fmt.Errorf("wrapped: %w", s.of))
		if p.Message != s.message || p.Status >= http.StatusInternalServerError {
			t.Errorf("%v: %d %s", s.of, p.Status, p.Message)
		}
	}
	busy := Responder{}.problemOf(fmt.Errorf("%w: %w", chat.ErrBusy, event.ErrSlotTaken))
	if busy.Message != answers[fault.Busy].Message {
		t.Errorf("a busy conversation is answered %q", busy.Message)
	}
}
