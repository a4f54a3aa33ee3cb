package clickhouse

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/go-cmp/cmp"

	"bitacora/domain/event"
)

const dictionary = "../../schema/README.md"

// TestWorkedQuestionsRun also where there are few rows; that each finds some is shown on the demo history.
func TestWorkedQuestionsRun(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	write(t, db, visit("una", time.Now().Add(-time.Hour)))
	reader := analyst(t, db)
	for _, q := range worked(t) {
		if lines := strings.Count(q[3], "\n"); lines > 15 {
			t.Errorf("%s has %d lines", q[1], lines)
		}
		answer(t, reader, q[3])
	}
}

// worked are the worked questions: their titles, traps and SQL.
func worked(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../schema/QUESTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	questions := regexp.MustCompile("(?s)\n### ([^\n]+)\n\n(.+?)\n\n```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if all := strings.Count(string(text), "\n### "); len(questions) != all || all < 40 {
		t.Errorf("%d of %d questions have a trap and SQL", len(questions), all)
	}
	return questions
}

// TestTheLast30DaysAre30 asks on a history with a conversation on each day.
func TestTheLast30DaysAre30(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	now := time.Now().In(panama(t))
	for day := range 40 {
		write(t, db, visit(fmt.Sprint("day-", day), time.Date(now.Year(), now.Month(), now.Day()-day, 0, 0, 0, 0, now.Location())))
	}
	reader := analyst(t, db)
	if got := answer(t, reader, "SELECT count() AS n FROM cohort_days(from_day = today() - 29, to_day = today(), filter = map())"); got != "n\n30\n" {
		t.Errorf("cohort_days of the last 30 days: %s", got)
	}
	found := 0
	for _, q := range worked(t) {
		if !strings.Contains(q[1], "the last 30 days") {
			continue
		}
		found++
		days := len(result(t, reader, q[3])) - 1
		if !strings.Contains(q[3], "GROUP BY") && days != 30 || strings.Contains(q[3], "GROUP BY") && !strings.Contains(answer(t, reader, q[3]), "\t30") {
			t.Errorf("%s: %s", q[1], answer(t, reader, q[3]))
		}
	}
	if found < 2 {
		t.Errorf("%d questions are about the last 30 days", found)
	}
}

var update = flag.Bool("update", false, "write schema/reference/views.md anew")

// TestDictionaryTellsEveryColumn of every view with an example: the rows are those of the examples of all events.
func TestDictionaryTellsEveryColumn(t *testing.T) {
	const page = "../../schema/reference/views.md"
	db := open(t)
	publish(t, db, build)
	var examples []event.Recorded
	for i, eventType := range event.Types() {
		examples = append(examples, exampleOf(t, eventType, int64(i+1)))
	}
	write(t, db, examples)
	want := `# Views for analysts

The columns of each view, and the metrics; [the dictionary](../README.md) contains the rules for counting, and [worked questions](../QUESTIONS.md) contains SQL.
A column comes from a field of events ([schemas](../events/README.md)), of which ` + "`time`, `position`, `id`, `stream` and `metadata` are those that all have, or from columns.\n" +
		"This page is generated: `go test ./adapters/clickhouse -run TestDictionaryTellsEveryColumn -update`.\n"
	reader, all := analyst(t, db), lineages(t)
	for _, view := range views(t, db) {
		meaning := answer(t, reader, "SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = '"+view+"'")
		_, meaning, _ = strings.Cut(strings.TrimSpace(meaning), "\n")
		if !strings.Contains(meaning, ". Do not ") {
			t.Errorf("the comment of the view %s does not say what not to do", view)
		}
		want += fmt.Sprintf("\n## %s\n\n%s.\n\n| column | type | meaning | example | comes from |\n|---|---|---|---|---|\n", view, unescape(meaning))
		from, columns := origins(t, view, all), declared(t, reader, view)
		examples := examplesIn(t, reader, view, columns)
		for i, c := range columns {
			if c.comment == "" || from[c.Name] == "" {
				t.Errorf("%s.%s has no comment, or comes from nowhere", view, c.Name)
			}
			want += fmt.Sprintf("| `%s` | `%s` | %s | `%s` | %s |\n", c.Name, strings.ReplaceAll(c.Type, ", 'America/Panama'", ""), c.comment, examples[i], from[c.Name])
		}
	}
	want += "\n## Metrics\n\nEach is an expression on `cohort` or `cohort_days`. [metrics.yaml](../metrics.yaml) contains the same list for tools; `bitacora query kpis`\n" +
		"and `bitacora query metrics` print whole questions.\n\n| metric | unit | meaning | SQL | trap |\n|---|---|---|---|---|\n"
	for _, m := range Metrics() {
		want += fmt.Sprintf("| `%s` | %s | %s | `%s` | %s |\n", m.Name, m.Unit, m.Meaning, m.SQL, m.Trap)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(page)
	if diff := cmp.Diff(want, string(kept)); err != nil || diff != "" {
		t.Errorf("%s (%v): go test ./adapters/clickhouse -run TestDictionaryTellsEveryColumn -update\n%s", page, err, diff)
	}
}

// aboutNow are examples of what is about the present.
var aboutNow = []string{"bitacora_b7", "13", "America/Panama", "120000", "2026-11-03 09:30:00.250", "2026-11-03 09:30:00.123"}

// examplesIn are the least values of a view's columns that say something, or the least ones.
func examplesIn(t *testing.T, reader driver.Conn, view string, columns []declaredColumn) []string {
	t.Helper()
	if view == "freshness" {
		return aboutNow
	}
	var telling, least []string
	for _, c := range columns {
		telling = append(telling, fmt.Sprintf("minIf(%[1]s, toString(ifNull(toString(%[1]s), '')) NOT IN ('', '0', '[]', 'false', '-'))", c.Name))
		least = append(least, "min("+c.Name+")")
	}
	found := result(t, reader, "SELECT "+strings.Join(append(telling, least...), ", ")+" FROM "+called(view))[1]
	for i := range columns {
		if value := found[i]; value == "" || value == null || value == "[]" || value == "0" || value == "false" {
			found[i] = strings.ReplaceAll(found[len(columns)+i], null, "NULL")
		}
	}
	return found
}

func TestEveryColumnOfABuildHasAComment(t *testing.T) {
	db := open(t)
	got := answer(t, analyst(t, db), `SELECT table, name FROM system.columns WHERE database = '`+db.Database(build)+`' AND comment = ''`)
	if got != "table\tname\n" {
		t.Errorf("without a comment:\n%s", got)
	}
}
