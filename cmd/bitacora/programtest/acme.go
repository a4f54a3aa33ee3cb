package programtest

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/letsencrypt/challtestsrv"
	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
)

// ACME is an ACME server on loopback: Pebble, which Let's Encrypt makes for tests of clients. Every name leads
// to this machine, except Elsewhere.
type ACME struct {
	*httptest.Server
	ca *ca.CAImpl
	mu sync.Mutex
	// front answers a request in the place of Pebble where it says so.
	front func(w http.ResponseWriter, r *http.Request) bool
	asked map[string]int
}

// Elsewhere is a name that leads to an address at which nobody listens.
const Elsewhere = "elsewhere.test"

// NewACME starts an ACME server at addr that validates at those ports of this machine.
func NewACME(t testing.TB, addr string, httpPort, httpsPort int) *ACME {
	t.Helper()
	for name, value := range map[string]string{"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0", "PEBBLE_AUTHZREUSE": "0"} {
		os.Setenv(name, value)
	}
	quiet := log.New(io.Discard, "", 0)
	names := FreeAddr(t)
	dns, err := challtestsrv.New(challtestsrv.Config{Log: quiet, DNSAddrs: []string{names}})
	if err != nil {
		t.Fatal(err)
	}
	dns.SetDefaultDNSIPv6("")
	dns.AddDNSARecord(Elsewhere, []string{"127.0.0.9"})
	dns.Run()
	t.Cleanup(dns.Shutdown)
	store := db.NewMemoryStore()
	a := &ACME{ca: ca.New(quiet, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {}}), asked: map[string]int{}}
	pebble := wfe.New(quiet, store, va.New(quiet, httpPort, httpsPort, true, names, store), a.ca, []string{"pebble.test"}, true, false, 0, 0)
	handler := pebble.Handler()
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.asked[r.URL.Path]++
		front := a.front
		a.mu.Unlock()
		if front == nil || !front(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	a.Listener.Close()
	if a.Listener, err = net.Listen("tcp", addr); err != nil {
		t.Fatal(err)
	}
	a.Config.ErrorLog = quiet
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

// Front has requests answered in the place of Pebble; nil: Pebble answers all.
func (a *ACME) Front(answer func(w http.ResponseWriter, r *http.Request) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.front = answer
}

// Asked is how often a path was asked for.
func (a *ACME) Asked(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked[path]
}

// Directory is where clients begin.
func (a *ACME) Directory() string { return a.URL + wfe.DirectoryPath }

// Own are the roots that vouch for the server itself.
func (a *ACME) Own() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.Certificate())
	return pool
}

// Roots are those that vouch for the certificates that it issues.
func (a *ACME) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(a.ca.GetRootCert(0).PEM())
	return pool
}

// RootsFile names a file with both, for SSL_CERT_FILE.
func (a *ACME) RootsFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "roots.pem")
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw})
	Write(t, path, append(own, a.ca.GetRootCert(0).PEM()...), 0o644)
	return path
}
