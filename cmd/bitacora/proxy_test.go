package main

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

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
