package httpapi

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
)

func TestSecurityHeadersAreEverywhere(t *testing.T) {
	h := newTestServer(t)
	for _, path := range []string{
		"/", "/login", "/nowhere", "/assets/index-a1b2c3.js", "/healthz", "/metrics",
		"/api/chatbot/status", "/api/auth/user", "/api/nowhere",
	} {
		a := h.browser().get(path)
		for name, value := range securityHeaders {
			if got := a.Header().Get(name); got != value {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if strings.Contains(a.Header().Get("Content-Security-Policy"), "unsafe") {
			t.Error("the policy allows something unsafe")
		}
		for _, cors := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"} {
			if a.Header().Get(cors) != "" {
				t.Errorf("%s: %s is set", path, cors)
			}
		}
		if len(a.Header().Get("X-Request-Id")) != 26 {
			t.Errorf("%s: X-Request-Id is %q", path, a.Header().Get("X-Request-Id"))
		}
	}
}

func TestOnlyAnswersOverHTTPSAskForHTTPS(t *testing.T) {
	const year, everywhere = "max-age=31536000", "max-age=31536000; includeSubDomains"
	for name, c := range map[string]struct {
		peer, forwarded, origin string
		tls, subdomains         bool
		want                    string
	}{
		"loopback":                    {peer: "127.0.0.1:1", origin: "http://127.0.0.1:8080"},
		"no proxy":                    {peer: "198.51.100.9:1", origin: "https://clinica.example"},
		"no proxy, forged":            {peer: "198.51.100.9:1", forwarded: "https", origin: "https://clinica.example"},
		"TLS":                         {peer: "198.51.100.9:1", tls: true, want: year},
		"proxied":                     {peer: "10.0.0.2:1", forwarded: "https", want: year},
		"proxied twice":               {peer: "10.0.0.2:1", forwarded: "HTTPS, http", want: year},
		"proxied, subdomains":         {peer: "10.0.0.2:1", forwarded: "https", subdomains: true, want: everywhere},
		"proxied without TLS":         {peer: "10.0.0.2:1", forwarded: "http", origin: "https://clinica.example"},
		"a silent proxy":              {peer: "10.0.0.2:1", origin: "https://clinica.example", want: year},
		"a silent proxy, without TLS": {peer: "10.0.0.2:1", origin: "http://clinica.example"},
	} {
		h := newTestServer(t, func(h *testServer) {
			h.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			h.config.Site.Origin, h.config.StrictSubdomains = c.origin, c.subdomains
		})
		for _, path := range []string{"/", "/nowhere", "/api/auth/user"} {
			r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
			r.RemoteAddr = c.peer
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-Proto", c.forwarded)
			}
			if c.tls {
				r.TLS = &tls.ConnectionState{}
			}
			if h.handler.ServeHTTP(w, r); w.Header().Get("Strict-Transport-Security") != c.want {
				t.Errorf("%s, %s: %q, want %q", name, path, w.Header().Get("Strict-Transport-Security"), c.want)
			}
		}
	}
}

func TestWritesOfOtherSitesAreRefused(t *testing.T) {
	h := newTestServer(t)
	body := []byte(`{"sessionId":"s1","message":"Hola"}`)
	for name, c := range map[string]struct {
		headers map[string]string
		status  int
	}{
		"same origin":         {map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		"typed or bookmarked": {map[string]string{"Sec-Fetch-Site": "none"}, 200},
		"no browser":          {nil, 200},
		"own origin":          {map[string]string{"Origin": "http://example.com"}, 200},
		"cross site":          {map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"same site":           {map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		"foreign origin":      {map[string]string{"Origin": "https://evil.example"}, 403},
		"null origin":         {map[string]string{"Origin": "null"}, 403},
	} {
		headers := map[string]string{"Content-Type": "application/json"}
		for k, v := range c.headers {
			headers[k] = v
		}
		for _, path := range []string{"/api/chatbot", "/api/auth/login", "/api/auth/logout"} {
			a := h.browser().send(http.MethodPost, path, body, headers)
			if refused := a.Code == http.StatusForbidden; refused != (c.status == 403) {
				t.Errorf("%s, %s: %d %s", name, path, a.Code, a.Body)
			}
		}
	}
	if a := h.browser().send(http.MethodOptions, "/api/chatbot", nil, map[string]string{
		"Origin": "https://evil.example", "Access-Control-Request-Method": "POST",
	}); a.Code != http.StatusMethodNotAllowed {
		t.Errorf("a preflight was answered %d", a.Code)
	}
}

func TestBodiesAreJSON(t *testing.T) {
	b := newTestServer(t).browser()
	hola := `{"sessionId":"s1","message":"Hola"}`
	for _, c := range []struct {
		contentType, body string
		status            int
	}{
		{"application/json", hola, 200},
		{"application/json; charset=utf-8", hola, 200},
		{"Application/JSON", hola, 200},
		{"", hola, 415},
		{"text/plain", hola, 415},
		{"application/x-www-form-urlencoded", "message=Hola", 415},
		{"multipart/form-data; boundary=x", "--x--", 415},
		{"application/json5", hola, 415},
		{"application/json", `{"sessionId":"s1"`, 400},
		{"application/json", hola + hola, 400},
		{"application/json", hola + "]", 400},
		{"application/json", "\xff\xfe", 400},
		{"application/json", strings.Repeat(`{"a":`, 12_000), 400},
		{"application/json", `{"sessionId":"s1","message":"` + strings.Repeat("x", maxBody) + `"}`, 413},
		{"application/json", `{"sessionId":"s1","message":"Hola","pad":"` + strings.Repeat("x", 60_000) + `"}`, 200},
	} {
		a := b.send(http.MethodPost, "/api/chatbot", []byte(c.body), map[string]string{"Content-Type": c.contentType})
		if a.Code != c.status {
			t.Errorf("%s %.40s…: got %d, want %d: %s", c.contentType, c.body, a.Code, c.status, a.Body)
		}
		if c.status != http.StatusOK {
			a.refused(c.status)
		}
	}
	b.post("/api/chatbot", nil).refused(http.StatusBadRequest)
}

func TestUnknownAddressesOfTheInterface(t *testing.T) {
	b := newTestServer(t).browser()
	for _, path := range []string{"/api", "/api/", "/api/nowhere", "/api/chatbot/", "/api/../api/x"} {
		a := b.get(path)
		a.refused(http.StatusNotFound)
		if a.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: %s", path, a.Header().Get("Content-Type"))
		}
	}
	for _, c := range []struct{ method, path, allow string }{
		{"DELETE", "/api/chatbot", "POST"},
		{"GET", "/api/auth/login", "POST"},
		{"PUT", "/api/auth/user", "GET, HEAD"},
		{"TRACE", "/api/chatbot/status", "GET, HEAD"},
		{"POST", "/healthz", "GET, HEAD"},
		{"POST", "/login", "GET, HEAD"},
	} {
		a := b.send(c.method, c.path, nil, nil)
		a.refused(http.StatusMethodNotAllowed)
		if got := a.Header().Get("Allow"); got != c.allow {
			t.Errorf("%s %s: Allow is %q", c.method, c.path, got)
		}
	}
}

func TestClientAddress(t *testing.T) {
	for name, c := range map[string]struct {
		proxies           []netip.Prefix
		peer, xff, client string
	}{
		"direct":               {nil, "198.51.100.9:1", "", "198.51.100.9"},
		"direct, forged":       {nil, "198.51.100.9:1", "203.0.113.1", "198.51.100.9"},
		"proxied":              {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "10.0.0.2:1", "203.0.113.1", "203.0.113.1"},
		"proxied, forged":      {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "10.0.0.2:1", "8.8.8.8, 203.0.113.1", "203.0.113.1"},
		"past the proxy":       {[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, "198.51.100.9:1", "203.0.113.1", "198.51.100.9"},
		"v6 of one subscriber": {nil, "[2001:db8:1:2:3::4]:1", "", "2001:db8:1:2::/64"},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			handler := clientAddresses(c.proxies)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = web.ClientKey(r.Context())
			}))
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.peer
			if c.xff != "" {
				r.Header.Set("X-Forwarded-For", c.xff)
			}
			r.Header.Set("X-Real-IP", "9.9.9.9")
			r.Header.Set("True-Client-IP", "9.9.9.9")
			handler.ServeHTTP(httptest.NewRecorder(), r)
			if got != c.client {
				t.Errorf("got %s, want %s", got, c.client)
			}
		})
	}
}

func TestLogHoldsNoPersonalData(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	b.say("sesion-secreta", "Me llamo Luis Secreto, 6123-4567")
	b.readBack("sesion-secreta")
	b.get("/secreto/6123-4567?correo=secreto")
	b.get("/api/dashboard/conversation/secreto/messages")
	b.post("/api/auth/login", contract.Credentials{Username: "secreto@clinica.example", Password: "secreto"})
	for _, private := range []string{"ecret", "6123", "Luis", anaEmail, anaPassword, b.cookies[staffCookie], b.cookies[deviceCookie], b.cookies[chatCookie]} {
		if strings.Contains(h.log.String(), private) {
			t.Errorf("the log holds %q:\n%s", private, h.log)
		}
	}
	var line struct {
		Msg, Method, Route, Client string
		RequestID                  string `json:"request_id"`
		Status                     int
	}
	lines := bufio.NewScanner(bytes.NewReader(h.log.Bytes()))
	found := false
	for lines.Scan() {
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		found = found || line.Route == "/api/chatbot" && line.Status == 200 && line.Method == "POST" && line.RequestID != "" && line.Client == "192.0.2.0/24"
	}
	if !found {
		t.Errorf("no line for the chat message in\n%s", h.log)
	}
}

// TestLogHoldsNoWholeAddress has one visitor of each family do what is logged: ask, come through a
// proxy that nobody named, be throttled and guess passwords.
func TestLogHoldsNoWholeAddress(t *testing.T) {
	h := newTestServer(t, throttled)
	h.config.Staff.Authenticator.Delay = time.Millisecond
	for address, c := range map[string]struct{ whole, network string }{
		"198.51.100.77:4711":        {"198.51.100.77", "198.51.100.0/24"},
		"[2001:db8:1:2:3::77]:4711": {"2001:db8:1:2", "2001:db8:1::/48"},
	} {
		b := h.browser()
		b.address = address
		b.send(http.MethodGet, "/", nil, map[string]string{"X-Forwarded-For": c.whole, "Via": c.whole})
		for range maxAccountFailures + 2 {
			b.signIn(anaEmail, "x")
		}
		for status := 0; status != http.StatusServiceUnavailable; {
			status = b.say("s1", "Hola").Code
		}
		for status := 0; status < http.StatusTooManyRequests; {
			status = b.post("/api/visits", contract.Visit{SessionID: "s1"}).Code
		}
		if log := h.log.String(); strings.Contains(log, c.whole) || !strings.Contains(log, c.network) {
			t.Errorf("the log holds %s, or nothing of %s", c.whole, c.network)
		}
	}
}

func TestPanicIsAnsweredAndLogged(t *testing.T) {
	h := newTestServer(t, func(h *testServer) {
		h.config.ClickHouse = nil
		h.config.Staff.Live = nil
	})
	b := h.staff()
	a := b.get("/api/dashboard/kpis")
	if a.refused(http.StatusInternalServerError); strings.Contains(a.Body.String(), "nil pointer") {
		t.Errorf("internals in %s", a.Body)
	}
	if log := h.log.String(); !strings.Contains(log, "nil pointer") || !strings.Contains(log, "dashboard.go") {
		t.Errorf("log\n%s", log)
	}
}

func TestServerBoundsEveryPhase(t *testing.T) {
	s := NewServer(http.NotFoundHandler(), time.Minute, slog.New(slog.DiscardHandler))
	for name, d := range map[string]time.Duration{
		"ReadHeaderTimeout": s.ReadHeaderTimeout, "ReadTimeout": s.ReadTimeout, "WriteTimeout": s.WriteTimeout, "IdleTimeout": s.IdleTimeout,
	} {
		if d <= 0 {
			t.Errorf("%s is not set", name)
		}
	}
	if least := s.ReadTimeout + time.Minute; s.WriteTimeout <= least {
		t.Errorf("WriteTimeout %v cuts an answer off that may take a minute after %v of reading", s.WriteTimeout, s.ReadTimeout)
	}
	// A client that never ends its head is let go.
	s.ReadHeaderTimeout = 50 * time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); err != nil {
		t.Errorf("a slow client: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
