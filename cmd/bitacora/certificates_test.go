package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/certificates"
	"bitacora/cmd/bitacora/programtest"
)

// The names of a site with certificates of its own.
const (
	siteName  = "clinica.test"
	otherName = "www.clinica.test"
)

// tlsSite is a site that gets its certificates from an ACME server, by a clock that the test moves.
type tlsSite struct {
	*certificates.Keeper
	t           *testing.T
	acme        *programtest.ACME
	http, https net.Listener
	clock       *atomic.Int64
	// paused gets how long each pause is to be; a value on goes on.
	paused chan time.Duration
	on     chan struct{}
	stop   func()
}

// newTLSSite is a site whose ACME server validates at ports of its own; the keeper rests until run.
func newTLSSite(t *testing.T, names ...string) *tlsSite {
	t.Helper()
	s := &tlsSite{t: t, clock: new(atomic.Int64)}
	s.listen()
	s.acme = programtest.NewACME(t, "127.0.0.1:0", port(s.http), port(s.https))
	s.keep(t.TempDir(), names...)
	return s
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func (s *tlsSite) listen() {
	for _, l := range []*net.Listener{&s.http, &s.https} {
		var err error
		if *l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { (*l).Close() })
	}
}

// keep has a new keeper, as a process that starts, serve the listeners.
func (s *tlsSite) keep(dir string, names ...string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	paused, on, done := make(chan time.Duration), make(chan struct{}), make(chan struct{})
	s.paused, s.on = paused, on
	s.Keeper = certificates.New(ctx, certificates.Config{
		Domains: names, Dir: dir, Directory: s.acme.Directory(), Roots: s.acme.Own(),
		HTTPPort: port(s.http), HTTPSPort: port(s.https), Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(time.Duration(s.clock.Load())) },
		Pause: func(ctx context.Context, d time.Duration) bool {
			select {
			case paused <- d:
			case <-ctx.Done():
				return false
			}
			select {
			case <-on:
				return true
			case <-ctx.Done():
				return false
			}
		},
	})
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto, " ", r.Host) })
	plain := &http.Server{Handler: s.Plain("https://" + siteName)}
	secure := &http.Server{Handler: s.Main("https://"+siteName, site)}
	go plain.Serve(s.http)
	go secure.Serve(tls.NewListener(s.https, s.TLS()))
	go func() { s.Run(ctx); close(done) }()
	s.stop = func() { cancel(); <-done; plain.Close(); secure.Close() }
	s.t.Cleanup(s.stop)
}

// round waits for the end of the round that goes on, and says for how long the keeper wants to rest.
func (s *tlsSite) round() time.Duration {
	s.t.Helper()
	select {
	case d := <-s.paused:
		return d
	case <-time.After(time.Minute):
		s.t.Fatal("the keeper does not come to rest")
		return 0
	}
}

// next has the keeper begin its next round, and waits for its end.
func (s *tlsSite) next() time.Duration {
	s.t.Helper()
	s.on <- struct{}{}
	return s.round()
}

// is has the clock run ahead by so much.
func (s *tlsSite) is(ahead time.Duration) { s.clock.Store(int64(ahead)) }

// dial opens a connection as a browser that knows the roots.
func (s *tlsSite) dial(name string, c *tls.Config) (*tls.Conn, error) {
	if c == nil {
		c = &tls.Config{NextProtos: []string{"h2"}}
	}
	c.ServerName, c.RootCAs = name, s.acme.Roots()
	return tls.Dial("tcp", s.https.Addr().String(), c)
}

// leaf is the certificate that browsers get.
func (s *tlsSite) leaf(name string) *x509.Certificate {
	s.t.Helper()
	c, err := s.dial(name, nil)
	if err != nil {
		s.t.Fatalf("%s: %v; %+v", name, err, s.States())
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0]
}

// get asks over plain HTTP, without going where it is sent.
func (s *tlsSite) get(path string) *http.Response {
	s.t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get("http://" + s.http.Addr().String() + path)
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

// problem is why the latest attempt for the site's name failed.
func (s *tlsSite) problem() string { return s.States()[0].Problem }

const (
	day       = 24 * time.Hour
	newOrder  = "/order-plz"
	toRefresh = time.Hour
)

func TestCertificatesAreIssued(t *testing.T) {
	s := newTLSSite(t, siteName, otherName)
	if rest := s.round(); rest != toRefresh || s.Missing() != nil {
		t.Fatalf("it rests for %v: %v", rest, s.Missing())
	}
	client := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: s.acme.Roots()},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, s.https.Addr().String())
			}},
	}
	answer, err := client.Get("https://" + siteName + "/a")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	if answer.Body.Close(); string(text) != "HTTP/2.0 "+siteName || len(answer.TLS.PeerCertificates) != 2 {
		t.Errorf("%s, with a chain of %d", text, len(answer.TLS.PeerCertificates))
	}
	answer, err = client.Get("https://" + otherName + "/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	const there = "https://" + siteName + "/a?b=c"
	for from, answer := range map[string]*http.Response{"another name": answer, "plain HTTP": s.get("/a?b=c")} {
		if answer.StatusCode != http.StatusPermanentRedirect || answer.Header.Get("Location") != there {
			t.Errorf("%s: %s to %s", from, answer.Status, answer.Header.Get("Location"))
		}
	}
	if err := filepath.WalkDir(s.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		about, err := e.Info()
		if err == nil && about.Mode().Perm()&0o077 != 0 && path != s.Dir {
			t.Errorf("%s is %v", path, about.Mode())
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// TestEitherPortSuffices: the ACME server reaches one of both alone.
func TestEitherPortSuffices(t *testing.T) {
	for name, closed := range map[string]func(httpPort, httpsPort int) (int, int){
		"443 alone": func(_, https int) (int, int) { return 1, https },
		"80 alone":  func(http, _ int) (int, int) { return http, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			s := &tlsSite{t: t, clock: new(atomic.Int64)}
			s.listen()
			httpPort, httpsPort := closed(port(s.http), port(s.https))
			s.acme = programtest.NewACME(t, "127.0.0.1:0", httpPort, httpsPort)
			s.keep(t.TempDir(), siteName)
			s.round()
			s.leaf(siteName)
		})
	}
}

// TestTLSIsModern: old versions, ciphers without forward secrecy or authentication, and names of others are refused.
func TestTLSIsModern(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.round()
	for name, c := range map[string]struct {
		name   string
		config *tls.Config
		taken  bool
	}{
		"TLS 1.3":           {siteName, &tls.Config{MinVersion: tls.VersionTLS13}, true},
		"TLS 1.2":           {siteName, &tls.Config{MaxVersion: tls.VersionTLS12}, true},
		"TLS 1.1":           {siteName, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, false},
		"TLS 1.2 with CBC":  {siteName, &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}}, false},
		"another's name":    {"otra.test", nil, false},
		"no name":           {"", &tls.Config{InsecureSkipVerify: true}, false},
		"TLS 1.2 with POLY": {siteName, &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256}}, true},
	} {
		conn, err := s.dial(c.name, c.config)
		if (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}

func TestCertificatesAreRenewedWhileServing(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.round()
	first := s.leaf(siteName)
	open, err := s.dial(siteName, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if s.is(50 * day); s.next() != toRefresh || s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) != 0 {
		t.Error("renewed before its time")
	}
	s.acme.Front(s.suggest(80*day, 81*day))
	if s.is(61 * day); s.next() == 0 || s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Errorf("not renewed: %+v", s.States())
	}
	if _, err := open.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		t.Errorf("a renewal broke a connection: %v", err)
	}
}

// suggest has the ACME server want certificates renewed within that time from now.
func (s *tlsSite) suggest(from, to time.Duration) func(w http.ResponseWriter, r *http.Request) bool {
	now := time.Now().UTC()
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "renewalInfo") {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"suggestedWindow": {"start": %q, "end": %q}}`, now.Add(from).Format(time.RFC3339), now.Add(to).Format(time.RFC3339))
		return true
	}
}

// TestTheServerRecallsACertificate: one that is to be revoked is replaced before.
func TestTheServerRecallsACertificate(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.round()
	first := s.leaf(siteName)
	s.acme.Front(s.suggest(-2*day, -day))
	// The certificate of this process is fresh; a restarted one does not know that.
	s.restart()
	if s.round(); s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Errorf("not replaced: %+v", s.States())
	}
}

// restart is another process on the same directory and ports.
func (s *tlsSite) restart() {
	s.t.Helper()
	httpAddr, httpsAddr := s.http.Addr().String(), s.https.Addr().String()
	s.stop()
	s.http.Close()
	s.https.Close()
	var err, err2 error
	s.http, err = net.Listen("tcp", httpAddr)
	s.https, err2 = net.Listen("tcp", httpsAddr)
	if err := errors.Join(err, err2); err != nil {
		s.t.Fatal(err)
	}
	s.keep(s.Dir, s.Domains...)
}
