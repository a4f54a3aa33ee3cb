package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"bitacora/adapters/httpapi/web"
)

// FuzzForwarded: nobody but a named proxy says who asks, and behind one a client is an address, or
// nobody.
func FuzzForwarded(f *testing.F) {
	for _, header := range []string{"198.51.100.7", "198.51.100.7, 10.0.0.1", "10.0.0.2", "unknown", "::ffff:198.51.100.7", "[2001:db8::1]:443", "fe80::1%eth0", ",", "198.51.100.7\x00"} {
		f.Add(header, header)
	}
	asks := func(peer string, header, real string) (key string) {
		h := clientAddresses([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			key = web.ClientKey(r.Context())
		}))
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = peer
		r.Header["X-Forwarded-For"], r.Header["X-Real-Ip"], r.Header["Forwarded"] = []string{header}, []string{real}, []string{"for=" + real}
		h.ServeHTTP(httptest.NewRecorder(), r)
		return key
	}
	f.Fuzz(func(t *testing.T, header, real string) {
		if key := asks("203.0.113.9:1", header, real); key != "203.0.113.9" {
			t.Errorf("a stranger who says %q is %q", header, key)
		}
		key := asks("10.0.0.1:1", header, real)
		_, errAddress := netip.ParseAddr(key)
		_, errNetwork := netip.ParsePrefix(key)
		if errAddress != nil && errNetwork != nil && key != (netip.Addr{}).String() {
			t.Errorf("behind a proxy %q is %q", header, key)
		}
	})
}
