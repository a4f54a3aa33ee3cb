package main

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	gocmp "github.com/google/go-cmp/cmp"

	"bitacora/cmd/bitacora/app"
)

// questions are the SQL of the worked ones by their titles.
func questions(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../schema/QUESTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, q := range regexp.MustCompile("(?s)\n### ([^\n]+)\n.*?```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all[q[1]] = q[2]
	}
	return all
}

// everyClientFinds asks the worked questions as an analyst by three clients: each finds the rows that a recount has, and some.
func everyClientFinds(t *testing.T, a *app.App, recounted func() *recount) {
	t.Helper()
	analyst := analystAt(t, a)
	r, worked, differences := recounted(), questions(t), map[string]string{}
	if diff := gocmp.Diff(slices.Sorted(maps.Keys(worked)), slices.Sorted(maps.Keys(recounts))); diff != "" {
		t.Fatalf("worked questions and their recounts (-worked +recounted):\n%s", diff)
	}
	for title, sql := range worked {
		want := slices.Sorted(slices.Values(recounts[title](r)))
		if len(want) == 0 {
			differences[title] = "no row"
		}
		for client, found := range byEachClient(t, analyst, sql) {
			if diff := gocmp.Diff(want, found); diff != "" {
				differences[title+" by "+client] = diff
			}
		}
	}
	if r.date(time.Now()) != r.today {
		everyClientFinds(t, a, recounted) // a day ended meanwhile
		return
	}
	for title, diff := range differences {
		t.Errorf("%s (-log +view):\n%.2000s", title, diff)
	}
}

// everyClientHasTheZone writes a time without a zone, and reads one: both are the clinic's.
func everyClientHasTheZone(t *testing.T, a *app.App) {
	t.Helper()
	analyst := analystAt(t, a)
	midnight := time.Date(2026, 11, 1, 0, 0, 0, 0, a.Clinic.Zone)
	const question = "SELECT toDateTime('2026-11-01 00:00:00') AS at, toUnixTimestamp(at), today() = toDate(now(), '%s')"
	for client, found := range byEachClient(t, analyst, fmt.Sprintf(question, a.Clinic.Zone)) {
		if want := []string{row(midnight.Format(time.DateTime), midnight.Unix(), 1)}; !slices.Equal(found, want) {
			t.Errorf("%s reads %q, want %q", client, found, want)
		}
	}
	var at time.Time
	if err := connected(t, analyst).QueryRow(t.Context(), "SELECT toDateTime('2026-11-01 00:00:00')").Scan(&at); err != nil || !at.Equal(midnight) {
		t.Errorf("clickhouse-go reads the instant %v, want %v: %v", at, midnight, err)
	}
}

// analystAt is where an analyst signs in, with the password and the database of the views.
func analystAt(t *testing.T, a *app.App) *url.URL {
	t.Helper()
	at, err := url.Parse(a.At.AnalystURL)
	if err != nil {
		t.Fatal(err)
	}
	at.User, at.Path = url.UserPassword(a.At.AnalystUser, a.At.AnalystPassword), a.Tables.ViewsDatabase()
	return at
}

func connected(t *testing.T, at *url.URL) driver.Conn {
	t.Helper()
	options, err := clickhouse.ParseDSN(at.String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func byEachClient(t *testing.T, at *url.URL, sql string) map[string][]string {
	t.Helper()
	password, _ := at.User.Password()
	found := map[string][]string{"clickhouse-go": lines(t, connected(t, at), sql)}
	for _, command := range [][]string{
		{"curl", "--silent", "--fail", "--user", at.User.Username() + ":" + password, "http://" + at.Host + "/?database=" + strings.Trim(at.Path, "/"), "--data-binary", "@-"},
		{"node", "testdata/ask.mjs"}, // @clickhouse/client
	} {
		client := exec.CommandContext(t.Context(), command[0], command[1:]...)
		client.Env, client.Stdin = append(os.Environ(), "CLICKHOUSE_URL="+at.String()), strings.NewReader(sql)
		text, err := client.Output()
		if err != nil {
			t.Error(command[0], sql, err)
		}
		found[command[0]] = slices.Sorted(strings.Lines(string(text)))
	}
	return found
}

// lines are the sorted rows of an answer.
func lines(t *testing.T, conn driver.Conn, sql string) []string {
	t.Helper()
	answer, err := conn.QueryFormat(t.Context(), "TabSeparated", sql)
	if err != nil {
		t.Fatal(sql, err)
	}
	defer answer.Close()
	text, err := io.ReadAll(answer)
	if err != nil {
		t.Fatal(sql, err)
	}
	return slices.Sorted(strings.Lines(string(text)))
}
