package chserver

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

//go:embed home.html
var homeFile string

var homeTemplate = template.Must(template.New("home").Parse(homeFile))

// dictionary lists the views of the user's database, and their columns, of which the engine tells none where a view has parameters.
const dictionary = `SELECT name, comment, (SELECT currentDatabase()) AS database, arrayMap(c -> map('name', c.2, 'type', c.3, 'comment', c.4), columns) AS columns
FROM system.tables AS t
LEFT JOIN (SELECT table, arraySort(groupArray((position, name, type, comment))) AS columns FROM system.columns WHERE database = currentDatabase() GROUP BY table) AS c ON c.table = t.name
WHERE t.database = currentDatabase()
ORDER BY name
FORMAT JSON`

// asksForHome says whether a browser came to the printed address, and not a tool that tries whether somebody answers.
func asksForHome(r *http.Request, query url.Values) bool {
	return r.URL.Path == "/" && r.Method == http.MethodGet && !query.Has("query") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// showHome shows the engine's dictionary as a page. Of a wrong password a browser asks for another one.
func showHome(user, host string) func(*http.Response) error {
	return func(answer *http.Response) error {
		if answer.Header.Get("X-ClickHouse-Exception-Code") == wrongPassword {
			answer.StatusCode, answer.Status = http.StatusUnauthorized, ""
			answer.Header.Set("WWW-Authenticate", askForPassword)
		}
		if answer.StatusCode != http.StatusOK {
			return nil
		}
		var views struct {
			Data []struct {
				Name, Comment, Database string
				Columns                 []struct{ Name, Type, Comment string }
			}
		}
		if err := json.NewDecoder(answer.Body).Decode(&views); err != nil {
			return fmt.Errorf("read the dictionary: %w", err)
		}
		_ = answer.Body.Close()
		var page bytes.Buffer
		if err := homeTemplate.Execute(&page, map[string]any{"user": user, "host": host, "views": views.Data}); err != nil {
			return fmt.Errorf("show the dictionary: %w", err)
		}
		answer.Header = http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Length": {strconv.Itoa(page.Len())}, "Cache-Control": {"no-store"},
			"Content-Security-Policy": {"default-src 'none'; style-src 'unsafe-inline'"}}
		answer.ContentLength, answer.Body = int64(page.Len()), io.NopCloser(&page)
		return nil
	}
}
