package main

import (
	"strings"
	"testing"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
)

func TestHereAt(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:8080": "127.0.0.1:8080", "[::]:8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080",
		"127.0.0.1:9": "127.0.0.1:9", "[::1]:9": "[::1]:9", "10.1.2.3:80": "10.1.2.3:80", "localhost:1": "localhost:1",
	} {
		if got := serve.HereAt(addr); got != want {
			t.Errorf("%s is reached at %s, want %s", addr, got, want)
		}
	}
}

// TestHealthFollowsTheProgram asks as the health check of a container does, of a program that
// listens on all addresses.
func TestHealthFollowsTheProgram(t *testing.T) {
	p := programtest.NewEmbedded(t)
	_, port, _ := strings.Cut(p.Addr, ":")
	p.Environ = append(p.Environ, "BITACORA_ADDR=0.0.0.0:"+port, "BITACORA_THROTTLE=on")
	if out, err := p.Run("", "health"); err == nil || !strings.Contains(out, "connection refused") {
		t.Errorf("before the start: %v, %s", err, out)
	}
	p.Start()
	if out, err := p.Run("", "health"); err != nil || !strings.Contains(out, `"status":"ready"`) {
		t.Errorf("beside the program: %v, %s", err, out)
	}
	if said := p.Output.String(); !strings.Contains(said, "http://127.0.0.1:"+port+"/dashboard") || strings.Contains(said, "[::]") {
		t.Errorf("it names an address that nobody can open:\n%s", said)
	}
	p.Stop()
	if out, err := p.Run("", "health"); err == nil {
		t.Errorf("after the stop: %s", out)
	}
}
