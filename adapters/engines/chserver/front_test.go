package chserver

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"bitacora/adapters/clickhouse/access"
)

// raw sends a request as it is written, of which the header Host and the end are added.
func raw(t *testing.T, address, head string) answer {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, head+"\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(head, " ")
	response, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s: %v", head, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body), err}
}

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func TestPingNeedsNoPassword(t *testing.T) {
	for _, path := range []string{"/ping", "/"} {
		if a := raw(t, shared.address, "GET "+path+" HTTP/1.1"); a.status != http.StatusOK || a.body != "Ok.\n" {
			t.Errorf("%s: %d %q", path, a.status, a.body)
		}
	}
}

const whoAsks = "query=SELECT+'asked+by+'||currentUser()"

func TestAuthentication(t *testing.T) {
	inURL := "user=app&password=" + url.QueryEscape(appPassword)
	headers := "\r\nX-ClickHouse-User: app\r\nX-ClickHouse-Key: " + appPassword
	for name, head := range map[string]string{
		"basic":         "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", appPassword),
		"headers":       "GET /?" + whoAsks + " HTTP/1.1" + headers,
		"URL":           "GET /?" + whoAsks + "&" + inURL + " HTTP/1.1",
		"as /play does": "GET /?" + whoAsks + "&" + inURL + " HTTP/1.1\r\nAuthorization: never",
		"semicolon":     "GET /?" + whoAsks + ";&" + inURL + " HTTP/1.1",
		"other path":    "GET /bitacora?" + whoAsks + "&" + inURL + " HTTP/1.1",
	} {
		if a := raw(t, shared.address, head); a.status != http.StatusOK || a.body != "asked by app\n" {
			t.Errorf("%s: %d %q", name, a.status, a.body)
		}
	}
	for name, head := range map[string]string{
		"wrong password": "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", analystPassword),
		"unknown user":   "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("nobody", ""),
		"empty password": "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", ""),
		"only a user":    "GET /?" + whoAsks + "&user=app HTTP/1.1",
	} {
		if a := raw(t, shared.address, head); a.status != http.StatusForbidden || a.code() != "516" {
			t.Errorf("%s: %d %q", name, a.status, a.body)
		}
	}
}

// The engine takes everybody without a name for "default", who needs no password.
func TestNobodyIsDefault(t *testing.T) {
	inURL := "user=app&password=" + url.QueryEscape(appPassword)
	asApp, asDefault := "\r\nAuthorization: "+basic("app", appPassword), "\r\nAuthorization: "+basic("default", "")
	heads := map[string]string{
		"nobody":                       "GET /?" + whoAsks + " HTTP/1.1",
		"nobody, by POST":              "POST /?" + whoAsks + " HTTP/1.1\r\nContent-Length: 0",
		"nobody, as /play does":        "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: never",
		"broken basic":                 "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: Basic x",
		"basic":                        "GET /?" + whoAsks + " HTTP/1.1" + asDefault,
		"basic without a name":         "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("", ""),
		"header":                       "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-User: default",
		"empty header":                 "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-User:",
		"key alone":                    "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-Key: x",
		"URL":                          "GET /?" + whoAsks + "&user=default HTTP/1.1",
		"URL, empty":                   "GET /?" + whoAsks + "&user= HTTP/1.1",
		"URL, password alone":          "GET /?" + whoAsks + "&password=x HTTP/1.1",
		"URL, twice":                   "GET /?" + whoAsks + "&" + inURL + "&user=default HTTP/1.1",
		"URL, twice, first":            "GET /?" + whoAsks + "&user=default&" + inURL + " HTTP/1.1",
		"URL, encoded value":           "GET /?" + whoAsks + "&user=%64efault HTTP/1.1",
		"URL, encoded name":            "GET /?" + whoAsks + "&us%65r=default HTTP/1.1",
		"URL, encoded and not":         "GET /?" + whoAsks + "&" + inURL + "&us%65r=default HTTP/1.1",
		"URL, with a colon":            "GET /?" + whoAsks + "&user=default: HTTP/1.1",
		"URL, colon alone":             "GET /?" + whoAsks + "&user=:&password=x HTTP/1.1",
		"header with a colon":          "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-User: default:x",
		"URL, NUL":                     "GET /?" + whoAsks + "&user=default%00 HTTP/1.1",
		"URL, broken":                  "GET /?" + whoAsks + "&user=app&x=%zz HTTP/1.1",
		"URL, broken name":             "GET /?" + whoAsks + "&%zz&user=app HTTP/1.1",
		"fragment":                     "GET /?" + whoAsks + "#&user=app HTTP/1.1",
		"fragment, other path":         "GET /x?" + whoAsks + "#&user=app HTTP/1.1",
		"header and URL":               "GET /?" + whoAsks + "&user=default HTTP/1.1\r\nX-ClickHouse-User: app\r\nX-ClickHouse-Key: " + appPassword,
		"basic and URL":                "GET /?" + whoAsks + "&user=default HTTP/1.1" + asApp,
		"header twice":                 "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-User: app\r\nX-ClickHouse-User: default",
		"basic twice":                  "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", "x") + asDefault,
		"header of one connection":     "GET /?" + whoAsks + " HTTP/1.1\r\nX-ClickHouse-User: app\r\nConnection: X-ClickHouse-User",
		"basic of one connection":      "GET /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", "x") + "\r\nConnection: Authorization",
		"with the engine's own header": "GET /?" + whoAsks + " HTTP/1.1\r\n" + secretHeader + ": x",
		"whole address":                "GET http://x/?" + whoAsks + " HTTP/1.1",
	}
	for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"} {
		for page := range pages {
			heads[method+page] = method + " " + page + "?" + whoAsks + " HTTP/1.1\r\nContent-Length: 0"
			for _, path := range []string{"/%" + fmt.Sprintf("%x", page[1]) + page[2:], "/" + page, page + "/", page + ";x", page + "%00", page + "%2F", "/x/.." + page, page + "#"} {
				heads[method+" "+path] = method + " " + path + "?" + whoAsks + " HTTP/1.1\r\nContent-Length: 0"
			}
		}
	}
	for name, head := range heads {
		a := raw(t, shared.address, head)
		page := name == strings.Fields(name)[0] && strings.Contains(name, "/")
		refused := a.status == 400 || a.status == 401 || a.status == 403 || a.status == 404 || strings.HasPrefix(head, "OPTIONS") && a.status == 204
		if strings.Contains(a.body, "asked by") || !page && !refused {
			t.Errorf("%s: %d %.200q", name, a.status, a.body)
		}
	}
}

// A page's request has no body, which the engine would read as the next request of somebody else's.
func TestBodiesDoNotBecomeRequests(t *testing.T) {
	hidden := "GET /?query=SELECT+'hidden' HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, head := range []string{"OPTIONS / HTTP/1.1", "POST /ping HTTP/1.1", "POST /play HTTP/1.1", "POST /?" + whoAsks + " HTTP/1.1\r\nAuthorization: " + basic("app", "wrong")} {
		for range 5 {
			connection, err := net.Dial("tcp", shared.address)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(connection, "%s\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", head, len(hidden), hidden)
			_, _ = io.Copy(io.Discard, connection)
			connection.Close()
			if got := shared.must(t, "SELECT 'mine'"); got != "mine" {
				t.Fatalf("after %s: %q", head, got)
			}
		}
	}
}

func TestPlay(t *testing.T) {
	a := raw(t, shared.address, "GET /play HTTP/1.1")
	if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.body, "ClickHouse Query") {
		t.Fatalf("%d %.100s", a.status, a.body)
	}
	scripts := regexp.MustCompile(`['"](/js/[^'"]+)`).FindAllStringSubmatch(a.body, -1)
	if len(scripts) == 0 {
		t.Error("the page loads no scripts")
	}
	for _, script := range append(scripts, []string{"", "/js/uplot.js"}, []string{"", "/js/lz-string.js"}) {
		a := raw(t, shared.address, "GET "+script[1]+" HTTP/1.1")
		if a.status != http.StatusOK || !strings.Contains(a.header.Get("Content-Type"), "javascript") || len(a.body) < 1000 {
			t.Errorf("%s: %d, %d bytes", script[1], a.status, len(a.body))
		}
	}
	// Nor does a browser ask for a password beside the fields of the page.
	for _, head := range []string{"HEAD /webterminal HTTP/1.1", "POST /?user=default HTTP/1.1\r\nAuthorization: never\r\nContent-Length: 0"} {
		if a := raw(t, shared.address, head); a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") != "" {
			t.Errorf("%s: %d %v", head, a.status, a.header)
		}
	}
	if a := raw(t, shared.address, "GET /?query=SELECT+1 HTTP/1.1"); a.header.Get("WWW-Authenticate") == "" {
		t.Error("a browser is not asked for the password")
	}
}

func TestPagesOfThisMachineMayAsk(t *testing.T) {
	a := raw(t, shared.address, "OPTIONS /?query HTTP/1.1\r\nOrigin: http://127.0.0.1:3000\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization")
	if a.status != http.StatusNoContent || a.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "authorization") || !strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v", a.status, a.header)
	}
	origin := http.Header{"Origin": {"http://127.0.0.1:3000"}}
	a = shared.request(t, http.MethodPost, access.Analyst, strings.NewReader("SELECT 1"), origin, "add_http_cors_header", "1")
	if a.body != "1\n" || a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("question: %d %s %v", a.status, a.body, a.header)
	}
}

// engineAddress is where the engine listens behind the front.
func engineAddress(t *testing.T, p *process) string {
	t.Helper()
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(line), "--engine-port\x00")
	if !found {
		t.Fatalf("no port in %q", line)
	}
	port, _, _ := strings.Cut(rest, "\x00")
	return "127.0.0.1:" + port
}

func TestOnlyTheFrontReachesTheEngine(t *testing.T) {
	address := engineAddress(t, shared)
	asApp := "\r\nAuthorization: " + basic("app", appPassword)
	paths := []string{"/", "/?" + whoAsks, "/play", "/ping", "/js/uplot.js", "/js/viz-standalone.js", "/dashboard", "/binary", "/replicas_status", "/metrics", "/x"}
	for _, method := range []string{"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		for _, path := range paths {
			for _, more := range []string{"", asApp, "\r\n" + secretHeader + ": ", "\r\n" + secretHeader + ": x", "\r\n" + secretHeader + ": .*"} {
				if a := raw(t, address, method+" "+path+" HTTP/1.1\r\nContent-Length: 0"+more); a.status != http.StatusNotFound && a.status != http.StatusNotImplemented || strings.Contains(a.body, "asked by") {
					t.Errorf("%s %s %q: %d %.100s", method, path, more, a.status, a.body)
				}
			}
		}
	}
}

// TestAnAnswerMayBeginBeforeTheQuestionEnds: the engine answers once it has read a statement,
// while the end of the request is still on its way through the front.
func TestAnAnswerMayBeginBeforeTheQuestionEnds(t *testing.T) {
	const size = 4 << 20
	engineStandsIn := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		if _, err := io.ReadFull(r.Body, make([]byte, 8)); err != nil {
			t.Error(err)
		}
		_, _ = w.Write(bytes.Repeat([]byte("x"), size))
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	defer engineStandsIn.Close()
	front := httptest.NewServer(newFront(strings.TrimPrefix(engineStandsIn.URL, "http://"), "", nil, namedUsers{}, access.Limits{}).Handler)
	defer front.Close()

	question, ends := io.Pipe()
	ask, err := http.NewRequest(http.MethodPost, front.URL+"/?user=analyst", question)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = ends.Write([]byte("SELECT 1")) }()
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	begun, err := io.ReadFull(answer.Body, make([]byte, size/2))
	if err != nil {
		t.Fatalf("it broke off after %d bytes: %v", begun, err)
	}
	ends.Close()
	rest, err := io.Copy(io.Discard, answer.Body)
	if err != nil || int(rest) != size/2 {
		t.Errorf("it broke off after %d bytes: %v", int64(begun)+rest, err)
	}
}
