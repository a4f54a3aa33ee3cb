package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"bitacora/adapters/httpapi/web"
)

// proxyHeaders are what a proxy adds to a request.
var proxyHeaders = []string{"X-Forwarded-For", "Forwarded", "Via"}

// noteInterval is how often a proxy that nobody named is noted again.
const noteInterval = time.Hour

// noteProxies looks for proxies that nobody named: all of their visitors have one address,
// and with it one budget. It is logged once, and noted again every hour for whoever
// examines the installation. Only the note has the whole address: whoever sends the header may
// be a visitor.
func (a *api) noteProxies() func(http.Handler) http.Handler {
	var loud sync.Once
	var mu sync.Mutex
	var noted time.Time
	due := func() bool {
		mu.Lock()
		defer mu.Unlock()
		now := a.Now()
		if !noted.IsZero() && now.Sub(noted) < noteInterval {
			return false
		}
		noted = now
		return true
	}
	note := func(ctx context.Context, peer netip.Addr, header string) {
		loud.Do(func() {
			a.Logger.ErrorContext(ctx, "requests come through a proxy that is not named in BITACORA_TRUSTED_PROXIES: "+
				"all of its visitors count as one address", slog.String("network", web.LogAddress(peer)), slog.String("header", header))
		})
		if a.NoteProxy == nil || !due() {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTimeout)
		defer cancel()
		if err := a.NoteProxy(ctx, peer, header); err != nil {
			a.Logger.WarnContext(ctx, "unnamed proxy was not noted", slog.Any("error", err))
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if header := proxyHeader(r); header != "" {
				if peer, named := a.peer(r); peer.IsValid() && !named {
					note(r.Context(), peer, header)
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// proxyHeader is the name of a header by which a request shows that it came through a proxy.
func proxyHeader(r *http.Request) string {
	for _, name := range proxyHeaders {
		if r.Header.Get(name) != "" {
			return name
		}
	}
	return ""
}

// overHTTPS says whether the browser came over HTTPS, which a proxy in front ends and tells of by
// X-Forwarded-Proto. Behind one that does not, it is what the site's address says.
func (a *api) overHTTPS(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	if _, named := a.peer(r); !named {
		return false
	}
	scheme, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	if scheme == "" {
		scheme, _, _ = strings.Cut(a.Site.Origin, ":")
	}
	return strings.EqualFold(strings.TrimSpace(scheme), "https")
}

// peer is who holds the other end of the connection, and whether it is a trusted proxy.
func (a *api) peer(r *http.Request) (peer netip.Addr, named bool) {
	end, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	peer = end.Addr().Unmap().WithZone("")
	for _, p := range a.TrustedProxies {
		named = named || p.Contains(peer)
	}
	return peer, named
}
