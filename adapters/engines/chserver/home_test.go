package chserver

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/clickhouse/access"
)

// TestABrowserFindsTheFrontPage at the printed address, with the views of its user and their comments.
func TestABrowserFindsTheFrontPage(t *testing.T) {
	g := newTarget(t)
	g.must(t, "CREATE OR REPLACE VIEW bitacora.worded (n UInt64 COMMENT 'A <number>') DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown COMMENT 'Some & others'")
	g.must(t, "CREATE OR REPLACE VIEW bitacora.chosen (n UInt64) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS SELECT n FROM build.shown WHERE n = {n:UInt64} COMMENT 'By n'")
	browser := "\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br, zstd"
	signedIn := browser + "\r\nAuthorization: " + basic(access.Analyst, analystPassword)
	for _, address := range []string{"/", "/?database=bitacora", "/?user=analyst&password=" + strings.ReplaceAll(analystPassword, " ", "+") + "&default_format=CSV"} {
		head := "GET " + address + " HTTP/1.1" + signedIn
		if strings.Contains(address, "user=") {
			head = "GET " + address + " HTTP/1.1" + browser
		}
		a := raw(t, g.address, head)
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Fatalf("%s: %d %v %.300s", address, a.status, a.header, a.body)
		}
		for _, part := range []string{"signed in as <strong>analyst</strong>", `href="/play"`, "bitacora.chosen</strong> By n", "bitacora.worded</strong> Some &amp; others", "<code>n</code><td><code>UInt64</code><td>A &lt;number&gt;", "curl --user analyst"} {
			if !strings.Contains(a.body, part) {
				t.Errorf("%s does not contain %q: %s", address, part, a.body)
			}
		}
		if secret := found.FindString(a.body); secret != "" || strings.Contains(a.body, "hidden") {
			t.Errorf("%s shows %s: %s", address, secret, a.body)
		}
	}
	for name, head := range map[string]string{"nobody": browser, "a wrong password": browser + "\r\nAuthorization: " + basic(access.Analyst, "wrong")} {
		if a := raw(t, g.address, "GET / HTTP/1.1"+head); a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: %d %v", name, a.status, a.header)
		}
	}
	if a := raw(t, g.address, "GET /?query=SELECT+7 HTTP/1.1"+strings.ReplaceAll(signedIn, "Accept-Encoding", "X")); a.body != "7\n" {
		t.Errorf("a question of a browser: %d %s", a.status, a.body)
	}
}

// TestANativeClientIsRefused with a reason, and before it would give up by itself.
func TestANativeClientIsRefused(t *testing.T) {
	options := driverOptions(shared, access.Analyst, nil)
	options.Protocol, options.DialTimeout, options.ReadTimeout = clickhouse.Native, time.Minute, time.Minute
	c, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "serves HTTP only") {
		t.Errorf("it hears %v", err)
	}
}
