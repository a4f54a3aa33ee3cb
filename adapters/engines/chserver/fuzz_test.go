package chserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"bitacora/adapters/clickhouse/access"
)

// FuzzFront: the engine gets one named user in one place, or nothing that it could answer.
func FuzzFront(f *testing.F) {
	f.Add("/", "query=SELECT 1&user=analyst&password=x", "", "", "")
	f.Add("/?x", "user=analyst&user=default", "analyst", "", "")
	f.Add("/play", "query=SELECT 1", "default", "Basic ZGVmYXVsdDo=", "SELECT 1")
	f.Add("/ping", "user=default;", "", "Basic YW5hbHlzdDp4", "x")
	f.Add("//ping", "%75ser=default", "", "", "")
	f.Add("/", "user=analyst%00&password=%zz", "a, b", "basic x", "")
	var reached *http.Request
	var asked string
	engine := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		reached, asked = r, string(body)
	}))
	f.Cleanup(engine.Close)
	front := newFront(strings.TrimPrefix(engine.URL, "http://"), "ssssecreto", nil, namedUsers{}, access.Limits{}).Handler
	f.Fuzz(func(t *testing.T, path, query, user, authorization, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.URL = &url.URL{Path: path, RawQuery: query}
		if user != "" {
			r.Header["X-Clickhouse-User"] = []string{user}
		}
		if authorization != "" {
			r.Header["Authorization"] = []string{authorization}
		}
		reached = nil
		front.ServeHTTP(httptest.NewRecorder(), r)
		if reached == nil {
			return
		}
		if reached.Header.Get(secretHeader) != "ssssecreto" || len(reached.Header.Values(secretHeader)) != 1 {
			t.Errorf("secret: %v", reached.Header)
		}
		if reached.URL.RawQuery+asked == "" {
			return
		}
		values, err := url.ParseQuery(reached.URL.RawQuery)
		if err != nil || values.Has("user") || values.Has("password") || len(reached.Header.Values("X-ClickHouse-User")) > 0 {
			t.Errorf("another user in %q or %v", reached.URL, reached.Header)
		}
		named, _, ok := reached.BasicAuth()
		if !ok || named == "" || named == "default" {
			t.Errorf("as %q the engine is asked %q, %q", named, reached.URL, asked)
		}
	})
}
