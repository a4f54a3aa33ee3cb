package chserver

import (
	"bitacora/adapters/clickhouse/access"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// Nobody gets a query through to the engine but as a user with a password.
func TestFrontNeedsUser(t *testing.T) {
	g := newTarget(t)
	const query = "query=SELECT+concat('as:',currentUser())"
	basic := func(text string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(text)) + "\r\n"
	}
	analyst := basic(access.Analyst + ":" + analystPassword)
	const form = "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\ndefault\r\n--b\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\nSELECT concat('as:',currentUser())\r\n--b--\r\n"
	var requests []string
	for _, path := range []string{
		"/?", "//?", "/ping?", "/play?", "/js/uplot.js?", "/%70ing?", "/%70lay?", "/pin%67?", "/js%2fuplot.js?", "/js/%75plot.js?", "/js/../?", "/js/uplot.js/../../?", "/ping/?", "/ping/../?",
		"/ping%2f..?", "/./?", "/ping;x?", "/ping%00?", "/ping%3f?", "/PING?", "/dashboard?", "/replicas_status?", "/metrics?", "/?user=default&", "/?user=&", "/?user=analyst&user=default&",
		"/?user=default&user=analyst&", "/?USER=default&user=analyst&", "/?%75ser=default&", "/?user=default%20&", "/?user=default%00&", "/?user=%20default&", "/?user=analyst;user=default&",
		"/?user=analyst&", "/?user=default&password=&", "http://default@x/?", "http://x/ping?", "http://x/%70ing?", "http://default:@x/%70ing?",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "PUT"} {
			requests = append(requests, method+" "+path+query+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
		}
		requests = append(requests,
			"POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 34\r\n\r\nSELECT concat('as:',currentUser())",
			"POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "+fmt.Sprint(len(form))+"\r\n\r\n"+form)
	}
	for _, headers := range []string{
		"X-ClickHouse-User: default\r\n", "X-ClickHouse-User:default\r\nX-ClickHouse-User: analyst\r\n", "X-ClickHouse-User: analyst\r\nX-ClickHouse-User: default\r\n",
		"x-clickhouse-user: default\r\nX-ClickHouse-Key: \r\n", basic("default:"), "Authorization: basic ZGVmYXVsdDo=\r\n", "Authorization: Basic  ZGVmYXVsdDo=\r\n", "Authorization: Basic ZGVmYXVsdDo\r\n",
		"Authorization: Basic ZGVmYXVsdA==\r\n", basic("default: "), basic(" default:"), basic(":"), "Authorization: Bearer x\r\n", "Authorization: Negotiate x\r\n", "Authorization: Never\r\n",
		"X-ClickHouse-User: app\r\nX-ClickHouse-SSL-Certificate-Auth: on\r\n", "X-ClickHouse-SSL-Certificate-Auth: on\r\n", "X-ClickHouse-JWT-Token: x\r\n", "X-ClickHouse-Quota: x\r\n",
		secretHeader + ": x\r\n", secretHeader + ": x\r\nX-ClickHouse-User: app\r\n", basic("app:"), basic("app:" + analystPassword), "X-ClickHouse-User: app\r\nConnection: X-ClickHouse-User\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 4\r\nX-ClickHouse-User: app\r\n", "X-HTTP-Method-Override: GET\r\n", "X-Original-URL: /?user=default\r\n",
	} {
		for _, path := range []string{"/?", "/?user=x&", "/?user=analyst&", "/%70ing?"} {
			requests = append(requests, "GET "+path+query+" HTTP/1.1\r\nHost: x\r\n"+headers+"\r\n")
		}
	}
	inParallel(8, requests, func(request string) {
		if a := g.raw(t, request); strings.Contains(a.body, "as:default") || strings.Contains(a.body, "as:app") {
			t.Errorf("%q: %d %.300s", request, a.status, a.body)
		}
	})
	for request, want := range map[string]string{
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + "\r\n":                                                                      "as:analyst\n",
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + basic("default:") + "\r\n":                                                  "as:analyst\n",
		"GET /?" + query + " HTTP/1.1\r\nHost: x\r\n" + analyst + secretHeader + ": x\r\nConnection: " + secretHeader + "\r\n\r\n":            "as:analyst\n",
		"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n":                                                                                               "Ok.\n",
		"POST / HTTP/1.1\r\nHost: x\r\n" + analyst + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nSELECT 1\r\n0\r\n\r\nGET x": "1\n",
	} {
		if a := g.raw(t, request); a.body != want {
			t.Errorf("%q: %d %s", request, a.status, a.body)
		}
	}
	// What one request leaves unread on a connection to the engine is no part of the next.
	for range 10 {
		for _, text := range []string{"SELECT 1", "not SQL"} {
			rest := text + strings.Repeat(" ", 5000) + "\r\n\r\nGET /?query=SELECT+'smuggled' HTTP/1.1\r\nHost: x\r\nX-ClickHouse-User: app\r\n\r\n"
			for _, who := range []string{analyst, basic("nobody:x"), analyst + "Expect: 100-continue\r\n"} {
				g.raw(t, fmt.Sprintf("POST /?max_query_size=10&x=%d HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s", len(who), who, len(rest), rest))
			}
		}
		for _, path := range []string{"/?x=1", "/?query=SELECT+1"} {
			g.raw(t, "POST "+path+" HTTP/1.1\r\nHost: x\r\n"+analyst+"Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
		}
		if got := g.must(t, "SELECT 'own'"); got != "own" {
			t.Fatalf("the app's answer is %q", got)
		}
	}
}
