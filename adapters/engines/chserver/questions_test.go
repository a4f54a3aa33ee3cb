package chserver

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/questions"
)

// TestAnalystsQuestionsAreRecorded asks the engine behind its walls: of analysts it is kept who asked, when, and
// how many rows they got, before they get them; of the program and of wrong passwords nothing is.
func TestAnalystsQuestionsAreRecorded(t *testing.T) {
	kept := dataDirectory(t)
	p, err := startProcess(dataDirectory(t), "--questions", kept)
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	began := time.Now().Add(-time.Second)
	ask := func(user, statement string, options ...string) answer {
		t.Helper()
		return p.request(t, http.MethodPost, user, strings.NewReader(statement), nil, options...)
	}
	for _, c := range []struct {
		user, statement string
		rows            int64 // -1: none is kept
		options         []string
	}{
		{access.Analyst, "SELECT number FROM numbers(7)", 7, nil},
		{access.Analyst, "SELECT number, repeat('x', 100) FROM numbers(100000) FORMAT Native", 100_000, nil},
		{access.Analyst, "SELECT number FROM numbers(3)", 3, []string{"wait_end_of_query", "0", "http_wait_end_of_query", "0"}},
		{access.Analyst, "SELECT nothing", 0, nil},
		{access.App, "SELECT number FROM numbers(7)", -1, nil},
		{"nobody", "SELECT 1", -1, nil},
	} {
		before := len(asked(t, kept, began))
		a := ask(c.user, c.statement, c.options...)
		found := asked(t, kept, began)
		if c.rows < 0 {
			if len(found) != before {
				t.Errorf("%s of %s: kept %+v", c.statement, c.user, found[before:])
			}
			continue
		}
		if len(found) != before+1 {
			t.Fatalf("%s: kept %+v after %d %.200s", c.statement, found[before:], a.status, a.body)
		}
		if q := found[before]; q.User != c.user || q.Rows != c.rows || q.Status != a.status || q.At.Before(began) || q.Millis < 0 {
			t.Errorf("%s: kept %+v after %d", c.statement, q, a.status)
		}
	}
	// What cannot be recorded is not answered.
	full := filepath.Join(kept, time.Now().UTC().Format(time.DateOnly)+".jsonl")
	if err := os.Truncate(full, 17<<20); err != nil {
		t.Fatal(err)
	}
	if a := ask(access.Analyst, "SELECT 'told'"); a.status != http.StatusServiceUnavailable || strings.Contains(a.body, "told") {
		t.Errorf("beyond the bound: %d %s", a.status, a.body)
	}
}

func asked(t *testing.T, dir string, from time.Time) (all []questions.Question) {
	t.Helper()
	for q, err := range questions.Read(dir, from, time.Now().Add(time.Minute)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}
