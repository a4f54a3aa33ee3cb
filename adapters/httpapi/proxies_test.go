package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestUnnamedProxyIsToldOnce(t *testing.T) {
	var noted []string
	h := newTestServer(t, func(h *testServer) {
		h.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		h.config.NoteProxy = func(_ context.Context, peer netip.Addr, header string) error {
			noted = append(noted, peer.String()+" "+header)
			return nil
		}
	})
	ask := func(peer, header string) {
		b := h.browser()
		b.address = peer
		headers := map[string]string{}
		if header != "" {
			headers[header] = "for=203.0.113.9"
		}
		b.send(http.MethodGet, "/healthz", nil, headers)
	}
	ask("172.18.0.1:1", "")
	ask("10.1.2.3:1", "X-Forwarded-For")
	if len(noted) > 0 || strings.Contains(h.log.String(), "proxy") {
		t.Fatalf("noted %v, log\n%s", noted, h.log)
	}
	for _, header := range []string{"Via", "Forwarded", "X-Forwarded-For"} {
		ask("172.18.0.1:1", header)
		ask("[2001:db8::1]:1", header)
		h.clock.advance(noteInterval)
	}
	if want := []string{"172.18.0.1 Via", "172.18.0.1 Forwarded", "172.18.0.1 X-Forwarded-For"}; !slices.Equal(noted, want) {
		t.Errorf("noted %v", noted)
	}
	if n := strings.Count(h.log.String(), "BITACORA_TRUSTED_PROXIES"); n != 1 || !strings.Contains(h.log.String(), `"level":"ERROR"`) {
		t.Errorf("told %d times in\n%s", n, h.log)
	}
}

// TestAProxyThatDoesNotSayWhoAsksIsTold: a named one without X-Forwarded-For makes one address of all.
func TestAProxyThatDoesNotSayWhoAsksIsTold(t *testing.T) {
	var noted []string
	h := newTestServer(t, func(h *testServer) {
		h.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		h.config.NoteProxy = func(_ context.Context, peer netip.Addr, header string) error {
			noted = append(noted, peer.String()+" "+header)
			return nil
		}
	})
	ask := func(peer, path string, headers map[string]string) {
		b := h.browser()
		b.address = peer
		b.send(http.MethodGet, path, nil, headers)
	}
	ask("10.1.2.3:1", "/", map[string]string{"X-Forwarded-For": "203.0.113.9"})
	ask("10.1.2.3:1", "/healthz", nil) // a proxy's own question
	ask("203.0.113.9:1", "/", nil)
	if len(noted) > 0 || strings.Contains(h.log.String(), "X-Forwarded-For") {
		t.Fatalf("noted %v, log\n%s", noted, h.log)
	}
	for range 2 {
		ask("10.1.2.3:1", "/", nil)
	}
	// It does not take the place of the other note.
	ask("172.18.0.1:1", "/", map[string]string{"Via": "1.1 x"})
	if want := []string{"10.1.2.3 ", "172.18.0.1 Via"}; !slices.Equal(noted, want) {
		t.Errorf("noted %q", noted)
	}
	if n := strings.Count(h.log.String(), "without X-Forwarded-For"); n != 1 {
		t.Errorf("told %d times in\n%s", n, h.log)
	}
}
