package chserver

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/analysts"
)

// TestNamedAnalysts adds, changes and removes accounts beside a running engine: each account asks within an
// analyst's limits, sees and ends its own queries alone, and is recorded by its name.
func TestNamedAnalysts(t *testing.T) {
	kept, accounts := dataDirectory(t), analysts.Directory(dataDirectory(t))
	p := serveData(t, dataDirectory(t), "--questions", kept, "--analysts", string(accounts))
	// Whatever the processors, two accounts have a query each at once.
	p.must(t, `CREATE OR REPLACE WORKLOAD analysts IN "all" SETTINGS max_concurrent_queries = 2`)
	began := time.Now().Add(-time.Second)
	for _, name := range []string{"ana", "luis"} {
		if err := accounts.Add(name, name+"'s secret", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(name, password, statement string) (status int, text string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.address+"/", strings.NewReader(statement))
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(name, password)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		if err != nil {
			return 0, err.Error()
		}
		return a.StatusCode, string(body)
	}
	for _, c := range []struct{ name, password, statement, says string }{
		{"ana", "ana's secret", "SELECT currentUser(), currentDatabase()", "analyst_01\tbitacora\n"},
		{"luis", "luis's secret", "SELECT currentUser(), getSetting('max_execution_time')", "analyst_02\t60\n"},
		{"luis", "luis's secret", "SELECT getSetting('max_execution_time') + 1 SETTINGS max_execution_time = 62", "61\n"},
		{"luis", "luis's secret", "CREATE TABLE mine (n UInt8) ENGINE = Memory", "ACCESS_DENIED"},
		{"luis", "ana's secret", "SELECT 1", "Authentication failed"},
		{"ana", "", "SELECT 1", "Authentication failed"},
		{"eva", "ana's secret", "SELECT 1", "Authentication failed"},
		{"analyst_01", "ana's secret", "SELECT 1", "Authentication failed"},
		{access.Analyst, analystPassword, "SELECT currentUser()", "analyst\n"},
	} {
		if status, text := ask(c.name, c.password, c.statement); !strings.Contains(text, c.says) {
			t.Errorf("%s of %s: %d %s", c.statement, c.name, status, text)
		}
	}
	var names []string
	for _, q := range asked(t, kept, began) {
		names = append(names, q.User)
	}
	if got := strings.Join(names, " "); got != "ana luis luis luis analyst" {
		t.Errorf("recorded: %s", got)
	}

	ended := make(chan string, 2)
	running := func(name string) {
		go func() {
			_, text := ask(name, name+"'s secret", "SELECT count(), '"+name+"' FROM numbers(1000000000000) WHERE cityHash64(number) = 1")
			ended <- name + ": " + text
		}()
		eventually(t, "the query of "+name+" does not run", func() bool {
			return p.must(t, "SELECT count() FROM system.processes WHERE query LIKE '%''"+name+"''%numbers%' AND query NOT LIKE '%processes%'") == "1"
		})
	}
	running("ana")
	running("luis")
	if _, text := ask("luis", "luis's secret", "SELECT count() FROM system.processes WHERE query LIKE '%cityHash64%' AND query NOT LIKE '%processes%'"); text != "1\n" {
		t.Errorf("luis sees %s", text)
	}
	if status, text := ask("luis", "luis's secret", "KILL QUERY WHERE query LIKE '%cityHash64%' AND query NOT LIKE 'KILL%' SYNC"); status != http.StatusOK {
		t.Errorf("luis ends his own: %d %s", status, text)
	}
	if got := <-ended; !strings.HasPrefix(got, "luis") || !strings.Contains(got, "QUERY_WAS_CANCELLED") {
		t.Errorf("ended: %s", got)
	}
	// It waits for its turn when the account goes.
	turn := make(chan string, 1)
	end := beginEndless(t, p, access.Analyst, 1)
	known := func(questions int) {
		t.Helper()
		eventually(t, "a question neither runs nor waits", func() bool {
			return p.must(t, "SELECT sum(inflight_requests) + sum(queue_length) FROM system.scheduler WHERE resource = 'questions'") == fmt.Sprint(questions)
		})
	}
	known(1 + analystsAsk)
	go func() {
		status, text := ask("ana", "ana's secret", "SELECT 'waited'")
		turn <- fmt.Sprint(status, " ", text)
	}()
	known(1 + analystsAsk + 1)
	user, err := accounts.Remove("ana")
	if err != nil || user != "analyst_01" {
		t.Fatalf("removed %s: %v", user, err)
	}
	p.must(t, access.EndQueries(user))
	eventually(t, "a question of a removed account runs", func() bool {
		return p.must(t, "SELECT count() FROM system.processes WHERE user = '"+user+"'") == "0"
	})
	if got := <-ended; !strings.HasPrefix(got, "ana") || !strings.Contains(got, "AUTHENTICATION_FAILED") {
		t.Errorf("ended: %s", got)
	}
	end()
	if got := <-turn; !strings.Contains(got, "AUTHENTICATION_FAILED") {
		t.Errorf("what waited when the account went: %s", got)
	}
	if status, text := ask("ana", "ana's secret", "SELECT 1"); !strings.Contains(text, "Authentication failed") {
		t.Errorf("a removed account: %d %s", status, text)
	}
	if _, err := accounts.SetPassword("luis", "another secret"); err != nil {
		t.Fatal(err)
	}
	if status, _ := ask("luis", "luis's secret", "SELECT 1"); status == http.StatusOK {
		t.Error("the former password of luis still holds")
	}
	if status, text := ask("luis", "another secret", "SELECT 1"); status != http.StatusOK {
		t.Errorf("the password of luis: %d %s", status, text)
	}
}

// TestWithoutNamedAnalysts has no accounts where nothing may be asked by analysts.
func TestWithoutNamedAnalysts(t *testing.T) {
	accounts := analysts.Directory(t.TempDir())
	if err := accounts.Add("ana", "a", time.Now()); err != nil {
		t.Fatal(err)
	}
	without := map[string]string{access.App: "p"}
	named := nameUsers(without, accounts)
	if user, key, err := named.signIn("ana", "a"); user != "ana" || key != "a" || err != nil || len(without) != 1 {
		t.Errorf("signed in as %s %s, %v; users %s", user, key, err, fmt.Sprint(without))
	}
}
