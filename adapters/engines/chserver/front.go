package chserver

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// pages need no user, with the handler that answers them in the engine.
var pages = map[string]string{
	"/ping": "ping", "/play": "play", "/js/uplot.js": "js", "/js/lz-string.js": "js", "/js/viz-standalone.js": "js",
}

// newFront forwards to the engine what brings a user of its own. Everything else is the
// engine's: whether the password is right, what the user may do, and how it is answered.
func newFront(engine, secret string) *http.Server {
	// The answer is the engine's, also in its encoding, and sent on as it comes.
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100, IdleConnTimeout: time.Minute}
	forward := func(w http.ResponseWriter, r *http.Request, change func(out *http.Request)) {
		proxy := &httputil.ReverseProxy{
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(&url.URL{Scheme: "http", Host: engine})
				p.Out.Host = p.In.Host
				change(p.Out)
				p.Out.Header.Set(secretHeader, secret)
				// Answered here already; it aborts the engine where that refuses a request.
				p.Out.Header.Del("Expect")
			},
			Transport: transport,
			// Clients leave as they like, and what fails in the engine reaches them.
			ErrorLog: log.New(io.Discard, "", 0),
		}
		// The engine may answer while the end of a question is still on its way, which would
		// otherwise be cut off, and the answer with it.
		_ = http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, r)
	}
	front := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// A semicolon separates nothing, and ends many a statement.
			query, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
			_, page := pages[r.URL.EscapedPath()]
			user, password, ok := credentials(r, query)
			switch {
			case r.URL.Path == "/" && r.URL.RawQuery == "" && r.Method == http.MethodGet:
				_, _ = w.Write([]byte("Ok.\n"))
			case page, r.Method == http.MethodOptions:
				forward(w, r, dropQuestion)
			case err != nil:
				http.Error(w, "Code: 36. DB::Exception: The query string is malformed: "+err.Error()+". (BAD_ARGUMENTS)", http.StatusBadRequest)
			case ok:
				forward(w, r, func(out *http.Request) { signIn(out, query, user, password) })
			default:
				refuse(w, r)
			}
		}),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       5 * time.Minute,
	}
	// The engine waits for its connections to end.
	front.RegisterOnShutdown(transport.CloseIdleConnections)
	return front
}

// dropQuestion leaves nothing that the engine could answer as the user "default".
func dropQuestion(out *http.Request) {
	out.URL.RawQuery, out.Body, out.ContentLength = "", http.NoBody, 0
}

// signIn hands the user over in the one way that the engine cannot read otherwise than the
// front has, with the query string written anew for the same reason.
func signIn(out *http.Request, query url.Values, user, password string) {
	query.Del("user")
	query.Del("password")
	out.URL.RawQuery = query.Encode()
	out.Header.Del("X-ClickHouse-User")
	out.Header.Del("X-ClickHouse-Key")
	out.SetBasicAuth(user, password)
}

// credentials are the one user that a request names, in one of the ways that the engine knows,
// and who is not "default", which needs no password. The engine would read no further than to a
// colon, which ends the name in the way that it gets it.
func credentials(r *http.Request, query url.Values) (user, password string, ok bool) {
	var found [][2]string
	for _, name := range r.Header.Values("X-ClickHouse-User") {
		found = append(found, [2]string{name, r.Header.Get("X-ClickHouse-Key")})
	}
	for _, name := range query["user"] {
		found = append(found, [2]string{name, query.Get("password")})
	}
	if name, key, ok := r.BasicAuth(); ok {
		found = append(found, [2]string{name, key})
	}
	if len(found) != 1 {
		return "", "", false
	}
	user, password = found[0][0], found[0][1]
	return user, password, user != "" && user != "default" && !strings.Contains(user, ":")
}

func refuse(w http.ResponseWriter, r *http.Request) {
	// A browser then asks for them, which it shall not on /play.
	if r.URL.Path == "/" && r.Header.Get("Authorization") == "" {
		w.Header().Set("WWW-Authenticate", `Basic realm="ClickHouse"`)
	}
	w.Header().Set("X-ClickHouse-Exception-Code", "194")
	http.Error(w, "Code: 194. DB::Exception: A user and a password are required. (REQUIRED_PASSWORD)", http.StatusUnauthorized)
}
