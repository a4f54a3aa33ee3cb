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

// noteProxies looks for proxies that nobody named, and for named ones that do not say who asks: all
// of their visitors have one address, and with it one budget. Each is logged once, and noted again
// every hour for whoever examines the installation. Only the note has the whole address: whoever sends
// the header may be a visitor.
func (a *api) noteProxies() func(http.Handler) http.Handler {
	unnamed := &proxyNotes{api: a, said: "requests come through a proxy that is not named in BITACORA_TRUSTED_PROXIES: all of its visitors count as one address"}
	silent := &proxyNotes{api: a, said: "a proxy of BITACORA_TRUSTED_PROXIES hands requests on without X-Forwarded-For: all of its visitors count as one address"}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header := proxyHeader(r)
			switch peer, named := a.peer(r); {
			case !peer.IsValid():
			case header != "" && !named:
				unnamed.note(r.Context(), peer, header)
			case named && r.Header.Get("X-Forwarded-For") == "" && !quiet[r.URL.Path]:
				silent.note(r.Context(), peer, "")
			}
			next.ServeHTTP(w, r)
		})
	}
}

// proxyNotes are those of one kind.
type proxyNotes struct {
	*api
	said  string
	loud  sync.Once
	mu    sync.Mutex
	noted time.Time
}

func (n *proxyNotes) note(ctx context.Context, peer netip.Addr, header string) {
	n.loud.Do(func() {
		n.Logger.ErrorContext(ctx, n.said, slog.String("network", web.LogAddress(peer)), slog.String("header", header))
	})
	if n.NoteProxy == nil || !n.due() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTimeout)
	defer cancel()
	if err := n.NoteProxy(ctx, peer, header); err != nil {
		n.Logger.WarnContext(ctx, "proxy was not noted", slog.Any("error", err))
	}
}

func (n *proxyNotes) due() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.Now()
	if !n.noted.IsZero() && now.Sub(n.noted) < noteInterval {
		return false
	}
	n.noted = now
	return true
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
