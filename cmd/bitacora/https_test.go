package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// TestServeEndsTLSItself: without its certificate the program starts and says what is missing, and gets it
// when the ACME server is there.
func TestServeEndsTLSItself(t *testing.T) {
	enginestest.Long(t)
	acmeAddr, plain, secure := programtest.FreeAddr(t), programtest.FreeAddr(t), programtest.FreeAddr(t)
	p := programtest.NewProgram(t, "BITACORA_DOMAIN="+siteName, "BITACORA_HTTP_ADDR="+plain, "BITACORA_HTTPS_ADDR="+secure,
		"BITACORA_ACME_DIRECTORY=https://"+acmeAddr+"/dir", "BITACORA_THROTTLE=on", "BITACORA_PLACEHOLDERS=allow")
	p.Start()
	says := func(want contract.ReadinessCertificates) {
		t.Helper()
		p.Eventually("it says of its certificate: "+string(want), time.Minute, func() error {
			said, err := p.Readiness()
			if err == nil && (said.Certificates == nil || *said.Certificates != want || (said.Status == contract.ReadinessStatusReady) != (want == contract.ReadinessCertificatesOk)) {
				err = errors.New("it does not")
			}
			return err
		})
	}
	says(contract.ReadinessCertificatesMissing)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	get := func(address string) *http.Response {
		t.Helper()
		answer, err := client.Get(address)
		if err != nil {
			t.Fatalf("%v\n%s", err, p.Output)
		}
		return answer
	}
	if answer := get("http://" + plain + "/dashboard"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without a certificate: %s", answer.Status)
	}
	p.Eventually("doctor says why", time.Minute, func() error {
		if out, err := p.Run("", "doctor"); err == nil || !strings.Contains(out, "!!  certificate    "+siteName+" has no valid certificate: ") || !strings.Contains(out, "connection refused") {
			return errors.New(out)
		}
		return nil
	})
	metric := "bitacora_certificate_expires_timestamp_seconds{domain=\"" + siteName + "\"} "
	metrics := func() string {
		answer := get("http://" + p.Metrics + "/metrics")
		text, _ := io.ReadAll(answer.Body)
		return string(text)
	}
	if !strings.Contains(metrics(), metric+"0\n") {
		t.Error("the metrics do not say that there is no certificate")
	}
	p.Stop()

	_, httpPort, _ := net.SplitHostPort(plain)
	_, httpsPort, _ := net.SplitHostPort(secure)
	acme := programtest.NewACME(t, acmeAddr, number(t, httpPort), number(t, httpsPort))
	p.Environ = append(p.Environ, "SSL_CERT_FILE="+acme.RootsFile(t))
	p.Start()
	says(contract.ReadinessCertificatesOk)
	client.Transport = &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: acme.Roots()},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr == siteName+":443" {
				addr = secure
			}
			return new(net.Dialer).DialContext(ctx, network, addr)
		}}
	answer := get("https://" + siteName + "/")
	page, _ := io.ReadAll(answer.Body)
	if answer.ProtoMajor != 2 || answer.StatusCode != http.StatusOK || answer.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s %s, %v", answer.Proto, answer.Status, answer.Header)
	}
	if !strings.Contains(string(page), `"https://`+siteName+`/`) {
		t.Error("the page's own links lead elsewhere")
	}
	if answer := get("http://" + plain + "/dashboard?a=b"); answer.Header.Get("Location") != "https://"+siteName+"/dashboard?a=b" {
		t.Errorf("plain HTTP: %s, %v", answer.Status, answer.Header)
	}
	if said := metrics(); strings.Contains(said, metric+"0\n") || !strings.Contains(said, metric) {
		t.Error("the metrics do not say when the certificate ends")
	}
	if _, err := tls.Dial("tcp", secure, &tls.Config{ServerName: "otra.test"}); err == nil {
		t.Error("another's name is answered")
	}
	out, _ := p.Run("", "doctor")
	if !strings.Contains(out, "ok  certificate    "+siteName+" until ") || !strings.Contains(out, "ok  proxy") {
		t.Errorf("doctor:\n%s", out)
	}
	p.Stop()
	if said := p.Output.String(); strings.Contains(said, "handshake") {
		t.Errorf("the log holds who came:\n%s", said)
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestUnnamedProxyIsFoundByDoctor also has a port for the metrics that is taken, which must
// not keep visitors out.
func TestUnnamedProxyIsFoundByDoctor(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	taken, err := net.Listen("tcp", p.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	p.Start()
	taken.Close()
	p.SignIn()
	if out, err := p.Run("", "doctor"); err != nil || !strings.Contains(out, "ok  proxy") {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	for range 3 {
		r, err := http.NewRequest(http.MethodGet, "http://"+p.Addr+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		if err := p.Do(r, "", nil); err != nil {
			t.Fatal(err)
		}
	}
	const remedy = "BITACORA_TRUSTED_PROXIES=127.0.0.1/32"
	if out, err := p.Run("", "doctor"); err == nil || !strings.Contains(out, "!!  proxy") || !strings.Contains(out, remedy) {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	p.Environ = append(p.Environ, remedy)
	if out, err := p.Run("", "doctor"); err != nil || !strings.Contains(out, "ok  proxy") {
		t.Errorf("doctor, once the proxy is named: %v\n%s", err, out)
	}
	p.Stop()
	said := p.Output.String()
	if n := strings.Count(said, "not named in BITACORA_TRUSTED_PROXIES"); n != 1 {
		t.Errorf("the program said %d times that the proxy is not named:\n%s", n, said)
	}
	if !strings.Contains(said, "metrics are not served") {
		t.Errorf("nothing is said of the taken port:\n%s", said)
	}
}

const transport = "bitacora/adapters/httpapi"

// The packages of the HTTP interface know no other kind of caller than their own.
func TestCallersDoNotKnowEachOther(t *testing.T) {
	callers := []string{transport + "/site", transport + "/visitor", transport + "/staff"}
	shared := []string{transport + "/contract", transport + "/web", transport + "/booking", transport + "/password", transport + "/secondfactor"}
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, transport+"/") {
			continue
		}
		if !slices.Contains(callers, p.ImportPath) && !slices.Contains(shared, p.ImportPath) {
			t.Errorf("%s is neither a kind of caller nor shared by them", p.ImportPath)
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if imported == transport || slices.Contains(callers, imported) && imported != p.ImportPath {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// Adapters classify what their drivers say; the interface knows kinds.
func TestTransportKnowsNoDriver(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", transport+"/...").Output()
	if err != nil {
		t.Fatalf("list dependencies: %v", err)
	}
	for dependency := range strings.Lines(string(out)) {
		for _, driver := range []string{"github.com/jackc/", "github.com/ClickHouse/", "bitacora/adapters/postgres", "bitacora/adapters/clickhouse"} {
			if strings.HasPrefix(dependency, driver) {
				t.Errorf("the HTTP interface depends on %s", strings.TrimSpace(dependency))
			}
		}
	}
}
