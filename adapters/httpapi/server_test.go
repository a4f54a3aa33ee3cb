package httpapi

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestTheServersOwnLogNamesNoClient: what net/http writes by itself has addresses in it.
func TestTheServersOwnLogNamesNoClient(t *testing.T) {
	var out bytes.Buffer
	log := NewServer(http.NotFoundHandler(), time.Minute, slog.New(slog.NewTextHandler(&out, nil))).ErrorLog
	log.Print("http: TLS handshake error from 203.0.113.9:4711: EOF")
	log.Print("http2: server: error reading preface from client 203.0.113.9:4711: timeout")
	log.Print("http2: server: error reading preface from client [2001:db8::9]:4711: timeout")
	said := out.String()
	if n := strings.Count(said, "error reading preface from client a client: timeout"); n != 2 || strings.Count(said, "\n") != 2 {
		t.Errorf("the log has:\n%s", said)
	}
}
