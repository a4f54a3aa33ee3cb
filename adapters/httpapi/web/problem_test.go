package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
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
		{fmt.Errorf("append: %w", event.AddressLimitReached{Wait: time.Hour}), 503},
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
		if bound := errors.As(c.err, new(event.AddressLimitReached)); bound != (p.Code == contract.TooManyConversations) {
			t.Errorf("%v: code %q", c.err, p.Code)
		}
		if (c.status == http.StatusServiceUnavailable) != (p.RetryAfter > 0) {
			t.Errorf("%v: retry after %v", c.err, p.RetryAfter)
		}
	}
}

// A connection that broke is the client's affair, and the error would name its address.
func TestABrokenConnectionOfTheClientIsNotLogged(t *testing.T) {
	broken := func(address string) error {
		return fmt.Errorf("write rows: %w", &net.OpError{Op: "write", Net: "tcp", Addr: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)), Err: os.ErrDeadlineExceeded})
	}
	for name, c := range map[string]struct {
		address string
		logged  bool
	}{"the client's": {"192.0.2.77:4711", false}, "the database's": {"127.0.0.1:5432", true}} {
		var log strings.Builder
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "192.0.2.77:4711"
		_, listens := Responder{Logger: slog.New(slog.NewTextHandler(&log, nil))}.Explain(httptest.NewRecorder(), r, broken(c.address))
		if listens != c.logged || strings.Contains(log.String(), c.address) != c.logged {
			t.Errorf("%s: somebody listens %v, log %q", name, listens, log.String())
		}
	}
}

func TestLogAddress(t *testing.T) {
	for address, want := range map[string]string{
		"198.51.100.77": "198.51.100.0/24", "::ffff:198.51.100.77": "198.51.100.0/24",
		"2001:db8:1:2:3::4": "2001:db8:1::/48", "fe80::1%eth0": "fe80::/48",
	} {
		if got := LogAddress(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
	if got := LogAddress(netip.Addr{}); got != "" {
		t.Errorf("of nobody: %q", got)
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
