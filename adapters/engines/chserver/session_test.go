package chserver

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
)

// A session's settings hold for its requests, and for those of its user only.
func TestSessions(t *testing.T) {
	others := map[string]string{access.App: access.Analyst, access.Analyst: access.App}
	for user, other := range others {
		session := []string{"session_id", "of " + user, "session_timeout", "60"}
		if a := shared.post(t, user, "SET max_block_size = 1234", session...); a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", user, a.status, a.body)
		}
		ask := "SELECT getSetting('max_block_size')"
		for range 3 {
			if a := shared.post(t, user, ask, session...); a.body != "1234\n" {
				t.Errorf("%s in the session: %d %s", user, a.status, a.body)
			}
		}
		if a := shared.post(t, user, ask); a.body != "65409\n" {
			t.Errorf("%s without a session: %d %s", user, a.status, a.body)
		}
		if a := shared.post(t, other, ask, "session_id", "of "+user, "session_check", "1"); a.code() != "372" {
			t.Errorf("%s in a session of %s: %d %s", other, user, a.status, a.body)
		}
		shared.post(t, user, "SET max_execution_time = 0", session...)
		if a := shared.post(t, user, "SELECT getSetting('max_execution_time')", session...); a.body != "60\n" && user == access.Analyst {
			t.Errorf("the analyst raises a limit in a session: %s", a.body)
		}
	}
}

func TestTemporaryTables(t *testing.T) {
	session := []string{"session_id", "temporary"}
	for _, sql := range []string{"CREATE TEMPORARY TABLE noted (n UInt64)", "INSERT INTO noted SELECT number FROM numbers(10)"} {
		if a := shared.post(t, access.App, sql, session...); a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", sql, a.status, a.body)
		}
	}
	if a := shared.post(t, access.App, "SELECT sum(n) FROM noted", session...); a.body != "45\n" {
		t.Errorf("in the session: %d %s", a.status, a.body)
	}
	for _, of := range [][]string{nil, {"session_id", "another"}} {
		if a := shared.post(t, access.App, "SELECT sum(n) FROM noted", of...); a.code() != "60" {
			t.Errorf("in %q: %d %s", of, a.status, a.body)
		}
	}
}

func TestUsersAreToldTheTruth(t *testing.T) {
	for user, grants := range map[string][]string{
		access.App:     {"CREATE", "ON *.* TO app"},
		access.Analyst: {"GRANT SELECT ON bitacora.* TO analyst", "GRANT SELECT ON system.processes TO analyst"},
	} {
		if a := shared.post(t, user, "SELECT currentUser(), user(), currentDatabase()"); a.body != user+"\t"+user+"\tbitacora\n" {
			t.Errorf("%s is %d %s", user, a.status, a.body)
		}
		a := shared.post(t, user, "SHOW GRANTS", "default_format", "TSVRaw")
		for _, grant := range grants {
			if !strings.Contains(a.body, grant) {
				t.Errorf("%s: no %q among %s", user, grant, a.body)
			}
		}
		if user == access.Analyst && (strings.Contains(a.body, "*.*") || strings.Contains(a.body, "INSERT")) {
			t.Errorf("the analyst has %s", a.body)
		}
	}
	if a := shared.post(t, access.Analyst, "SELECT 1", "role", access.App); a.code() != "511" {
		t.Errorf("role: %d %s", a.status, a.body)
	}
}

const endless = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number)) /* TAG */"

// running says how many statements with a tag run.
func running(t *testing.T, tag string) string {
	t.Helper()
	return shared.must(t, "SELECT count() FROM system.processes WHERE query LIKE '%/* "+tag+" */%' AND query NOT LIKE '%processes%'")
}

// begin asks what is not answered in time, and returns when it runs.
func begin(t *testing.T, user, tag string, options ...string) (leave func(), ended <-chan answer) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	query := url.Values{}
	for i := 0; i < len(options); i += 2 {
		query.Set(options[i], options[i+1])
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+shared.address+"/?"+query.Encode(), strings.NewReader(strings.ReplaceAll(endless, "TAG", tag)))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(user, passwords[user])
	answers := make(chan answer, 1)
	go func() {
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			answers <- answer{err: err}
			return
		}
		response.Body.Close()
		answers <- answer{status: response.StatusCode, header: response.Header}
	}()
	eventually(t, "the question is not asked", func() bool { return running(t, tag) == "1" })
	return cancel, answers
}

func TestWhoLeavesLeavesNothingRunning(t *testing.T) {
	for user, options := range map[string][]string{access.Analyst: nil, access.App: {"readonly", "2"}} {
		leave, _ := begin(t, user, "left by "+user, options...)
		leave()
		eventually(t, "what "+user+" left runs on", func() bool { return running(t, "left by "+user) == "0" })
	}
}

func TestAnalystEndsOwnQuestions(t *testing.T) {
	leave, apps := begin(t, access.App, "of app", "readonly", "2")
	_, own := begin(t, access.Analyst, "of analyst")
	for _, tag := range []string{"of app", "of analyst"} {
		shared.post(t, access.Analyst, "KILL QUERY WHERE query LIKE '%/* "+tag+" */%' AND query NOT LIKE '%KILL%' SYNC")
	}
	select {
	case a := <-own:
		if a.code() != "394" {
			t.Errorf("ended with %d %s, %v", a.status, a.code(), a.err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the analyst's question runs on")
	}
	select {
	case a := <-apps:
		t.Errorf("the analyst ended app's question: %d", a.status)
	default:
	}
	if a := shared.post(t, access.Analyst, "SELECT count() FROM system.processes WHERE user = 'app'"); a.body != "0\n" {
		t.Errorf("the analyst sees what app asks: %d %s", a.status, a.body)
	}
	leave()
}

func TestProgressArrivesMeanwhile(t *testing.T) {
	sql := "SELECT sum(sleepEachRow(0.1)) FROM numbers(20) SETTINGS max_block_size = 1, interactive_delay = 50000 FORMAT JSONEachRowWithProgress"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+shared.address+"/", strings.NewReader(sql))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(access.Analyst, analystPassword)
	// The engine packs a whole answer where it may.
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var first, last time.Time
	var lines []string
	for scanner := bufio.NewScanner(response.Body); scanner.Scan(); last = time.Now() {
		if strings.HasPrefix(scanner.Text(), `{"progress"`) && first.IsZero() {
			first = time.Now()
		}
		lines = append(lines, scanner.Text())
	}
	if first.IsZero() || last.Sub(first) < time.Second || !strings.Contains(fmt.Sprint(lines), `{"row"`) {
		t.Errorf("%d lines, the last %v after the first progress: %.500s", len(lines), last.Sub(first), lines)
	}
}
