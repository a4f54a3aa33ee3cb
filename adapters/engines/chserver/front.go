package chserver

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/analysts"
	"bitacora/adapters/engines/questions"
)

// pages need no user, with the handler that answers them in the engine.
var pages = map[string]string{
	"/ping": "ping", "/play": "play", "/js/uplot.js": "js", "/js/lz-string.js": "js", "/js/viz-standalone.js": "js",
}

// newFront forwards to the engine what brings a user of its own. Everything else is the
// engine's: whether the password is right, what the user may do, and how it is answered.
func newFront(engine, secret string, asked *questions.Record, named namedUsers, limits access.Limits) *http.Server {
	// The answer is the engine's, also in its encoding, and sent on as it comes.
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 100, IdleConnTimeout: time.Minute}
	forward := func(w http.ResponseWriter, r *http.Request, change func(out *http.Request), answered func(*http.Response) error) {
		proxy := &httputil.ReverseProxy{
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(&url.URL{Scheme: "http", Host: engine})
				p.Out.Host = p.In.Host
				change(p.Out)
				p.Out.Header.Set(secretHeader, secret)
				// Answered here already; it aborts the engine where that refuses a request.
				p.Out.Header.Del("Expect")
			},
			Transport: transport, ModifyResponse: answered,
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
			home := asksForHome(r, query)
			switch {
			case r.URL.Path == "/" && r.URL.RawQuery == "" && r.Method == http.MethodGet && !home:
				_, _ = w.Write([]byte("Ok.\n"))
			case page, r.Method == http.MethodOptions:
				forward(w, r, dropQuestion, nil)
			case err != nil:
				http.Error(w, "Code: 36. DB::Exception: The query string is malformed: "+err.Error()+". (BAD_ARGUMENTS)", http.StatusBadRequest)
			case ok:
				engineUser, engineKey, err := named.signIn(user, password)
				if err != nil {
					http.Error(w, "Code: 516. DB::Exception: "+err.Error()+". (AUTHENTICATION_FAILED)", http.StatusServiceUnavailable)
					return
				}
				if home {
					forward(w, r, func(out *http.Request) {
						dropQuestion(out)
						out.Header.Del("Accept-Encoding")
						signIn(out, url.Values{"query": {dictionary}}, engineUser, engineKey)
					}, showHome(user, r.Host))
					return
				}
				if user == access.App {
					forward(w, r, func(out *http.Request) { signIn(out, query, engineUser, engineKey) }, nil)
					return
				}
				if err := (clamp{limits}).request(r, query); err != nil {
					http.Error(w, "Code: 210. DB::Exception: The question did not arrive: "+err.Error()+". (NETWORK_ERROR)", http.StatusBadRequest)
					return
				}
				if asked != nil {
					// The engine then knows how many rows there are before the first one is sent, and keeps
					// more than a MiB of them on its disk until then.
					query.Set("wait_end_of_query", "1")
					query.Del("http_wait_end_of_query") // which would prevail
				}
				began := time.Now()
				answered := func(answer *http.Response) error {
					// It may have waited for its turn while the account went, and what waits cannot be ended.
					if now, _, err := named.signIn(user, password); err != nil || now != engineUser {
						replace(answer, http.StatusForbidden, "Code: 516. DB::Exception: The account is gone. (AUTHENTICATION_FAILED)\n")
						answer.Header.Set("X-ClickHouse-Exception-Code", wrongPassword)
						return nil
					}
					if asked == nil {
						return nil
					}
					return recordIn(asked, user, began, answer)
				}
				forward(w, r, func(out *http.Request) { signIn(out, query, engineUser, engineKey) }, answered)
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

// wrongPassword is the engine's code for a user or a password that it does not know.
const wrongPassword = "516"

// recordIn records an answer before any of it is sent on, or puts a refusal in its place.
func recordIn(asked *questions.Record, user string, began time.Time, answer *http.Response) error {
	if answer.Header.Get("X-ClickHouse-Exception-Code") == wrongPassword {
		return nil
	}
	var summary struct {
		Rows int64 `json:"result_rows,string"`
	}
	_ = json.Unmarshal([]byte(answer.Header.Get("X-ClickHouse-Summary")), &summary) // without one there are no rows
	now := time.Now()
	err := asked.Add(questions.Question{At: now, User: user, Rows: summary.Rows, Millis: now.Sub(began).Milliseconds(), Status: answer.StatusCode})
	if err != nil {
		replace(answer, http.StatusServiceUnavailable, "The question could not be recorded, and is not answered: "+err.Error()+"\n")
	}
	return nil
}

// replace puts a refusal in the place of an answer.
func replace(answer *http.Response, status int, text string) {
	_ = answer.Body.Close()
	answer.StatusCode, answer.Status, answer.ContentLength, answer.TransferEncoding = status, "", int64(len(text)), nil
	answer.Header = http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	answer.Body = io.NopCloser(strings.NewReader(text))
}

// dropQuestion leaves nothing that the engine could answer as the user "default".
func dropQuestion(out *http.Request) {
	out.URL.RawQuery, out.Body, out.ContentLength = "", http.NoBody, 0
}

// namedUsers are the engine's users of the named analysts, with their passwords of this run.
type namedUsers struct {
	accounts  analysts.Directory
	passwords map[string]string
}

// nameUsers adds the users of named analysts, where there are analysts at all.
func nameUsers(passwords map[string]string, accounts analysts.Directory) namedUsers {
	named := namedUsers{accounts: accounts, passwords: make(map[string]string)}
	if accounts == "" || passwords[access.Analyst] == "" {
		return named
	}
	for n := range access.NamedUsers {
		user := access.NamedUser(n + 1)
		named.passwords[user] = rand.Text()
		passwords[user] = named.passwords[user]
	}
	return named
}

// signIn gives the engine's user and its password for an account's; those that were given for any other user.
func (n namedUsers) signIn(name, password string) (user, key string, err error) {
	if len(n.passwords) == 0 || !access.AccountName(name) {
		return name, password, nil
	}
	user, err = n.accounts.SignIn(name, password)
	if err != nil || user == "" {
		return name, password, err
	}
	return user, n.passwords[user], nil
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

const askForPassword = `Basic realm="ClickHouse"`

func refuse(w http.ResponseWriter, r *http.Request) {
	// A browser then asks for them, which it shall not on /play.
	if r.URL.Path == "/" && r.Header.Get("Authorization") == "" {
		w.Header().Set("WWW-Authenticate", askForPassword)
	}
	w.Header().Set("X-ClickHouse-Exception-Code", "194")
	http.Error(w, "Code: 194. DB::Exception: A user and a password are required. (REQUIRED_PASSWORD)", http.StatusUnauthorized)
}
