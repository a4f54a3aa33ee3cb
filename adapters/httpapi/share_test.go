package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
)

// shared bounds what an address may begin.
func shared(hourly, daily int) func(*testServer) {
	return func(h *testServer) {
		h.chat.PerAddress = &event.AddressLimit{Hourly: hourly, Daily: daily}
	}
}

func TestOneAddressBeginsNoMoreThanItsShare(t *testing.T) {
	h := newTestServer(t, shared(20, 0))
	b := h.browser()
	for i := range 20 {
		var got contract.ChatResponse
		h.browser().say(fmt.Sprint("s", i), "Hola").into(http.StatusOK, &got)
	}
	for _, path := range []string{"/api/chatbot", "/api/chatbot/stream"} {
		a := b.post(path, contract.ChatRequest{SessionID: "too many", Message: "Hola"})
		e := a.refused(http.StatusServiceUnavailable)
		if e.LimitReached != nil || contract.Deref(e.Code) != string(contract.TooManyConversations) || !strings.Contains(e.Message, "muchas conversaciones") {
			t.Errorf("%s: %+v", path, e)
		}
		if wait, err := strconv.Atoi(a.Header().Get("Retry-After")); err != nil || wait != 3600 {
			t.Errorf("%s: Retry-After is %q", path, a.Header().Get("Retry-After"))
		}
	}
	if c := h.conversation("too many"); c.Started() {
		t.Error("a refused conversation began")
	}
	if a := b.say("in danger", "me quiero morir"); a.Code != http.StatusOK {
		t.Errorf("somebody in danger: %d %s", a.Code, a.Body)
	}
	for i := range 30 {
		if a := b.say("s0", fmt.Sprint("sigo ", i)); a.Code != http.StatusOK {
			t.Fatalf("a conversation that goes on: %d %s", a.Code, a.Body)
		}
	}
	other := h.browser()
	other.address = "192.0.2.2:40000"
	if a := other.say("other", "Hola"); a.Code != http.StatusOK {
		t.Errorf("another address: %d", a.Code)
	}
	h.clock.advance(time.Hour)
	if a := b.say("too many", "Hola"); a.Code != http.StatusOK {
		t.Errorf("an hour later: %d %s", a.Code, a.Body)
	}
}

func TestASubscribersNetworkIsOneAddress(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		want          int
	}{
		"the same /64":     {"[2001:db8:0:1::1]:40000", "[2001:db8:0:1:ffff::2]:40000", http.StatusServiceUnavailable},
		"another /64":      {"[2001:db8:0:1::1]:40000", "[2001:db8:0:2::1]:40000", http.StatusOK},
		"another port":     {"192.0.2.1:40000", "192.0.2.1:50000", http.StatusServiceUnavailable},
		"IPv4, next to it": {"192.0.2.1:40000", "192.0.2.2:40000", http.StatusOK},
		"IPv4 as IPv6":     {"192.0.2.1:40000", "[::ffff:192.0.2.1]:40000", http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestServer(t, shared(1, 1))
			first, second := h.browser(), h.browser()
			first.address, second.address = c.first, c.second
			if a := first.say("s1", "Hola"); a.Code != http.StatusOK {
				t.Fatal(a.Code)
			}
			if a := second.say("s2", "Hola"); a.Code != c.want {
				t.Errorf("got %d, want %d", a.Code, c.want)
			}
		})
	}
}

func TestTheShareIsThatOfTheAddressBehindATrustedProxy(t *testing.T) {
	h := newTestServer(t, shared(1, 0), func(h *testServer) {
		h.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	})
	say := func(session, client string) int {
		body := fmt.Appendf(nil, `{"sessionId":%q,"message":"Hola"}`, session)
		return h.browser().send(http.MethodPost, "/api/chatbot", body, map[string]string{
			"Content-Type": "application/json", "X-Forwarded-For": client,
		}).Code
	}
	for _, c := range []struct {
		session, client string
		want            int
	}{
		{"s1", "198.51.100.1", http.StatusOK},
		{"s2", "198.51.100.2", http.StatusOK},
		{"s3", "198.51.100.1", http.StatusServiceUnavailable},
		{"s4", "203.0.113.9, 198.51.100.2", http.StatusServiceUnavailable},
	} {
		if got := say(c.session, c.client); got != c.want {
			t.Errorf("%s from %s: %d, want %d", c.session, c.client, got, c.want)
		}
	}
}

func TestAFullMonthIsSaidBeforeAnAddressesShare(t *testing.T) {
	h := newTestServer(t, limited(2), shared(2, 20))
	b := h.browser()
	for i := range 2 {
		if a := b.say(fmt.Sprint("s", i), "Hola"); a.Code != http.StatusOK {
			t.Fatal(a.Code)
		}
	}
	if e := b.say("s3", "Hola").refused(http.StatusTooManyRequests); e.LimitReached == nil || !*e.LimitReached {
		t.Errorf("%+v", e)
	}
}

func TestWithoutAShareNothingIsBound(t *testing.T) {
	h := newTestServer(t)
	for i := range 25 {
		if a := h.browser().say(fmt.Sprint("s", i), "Hola"); a.Code != http.StatusOK {
			t.Fatalf("conversation %d: %d", i, a.Code)
		}
	}
	first, err := h.db.Log().FirstRefusal(t.Context(), noon.Add(-time.Hour), noon.Add(time.Hour))
	if !first.IsZero() || err != nil {
		t.Error(errors.Join(err, fmt.Errorf("refused at %v", first)))
	}
}
