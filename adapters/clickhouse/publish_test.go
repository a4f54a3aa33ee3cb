package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

const changesOver = "change over to another build: ask again"

// TestViewsRefuseQuestionsOfBefore until those of the new build may be asked, each of them, and whether rows are read or not.
func TestViewsRefuseQuestionsOfBefore(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	for _, view := range views(t, db) {
		answer(t, analyst(t, db), "SELECT count() FROM "+called(view)) // of the first build at once
	}
	replace := func(g guard) {
		t.Helper()
		if err := db.each(t.Context(), func(ctx context.Context, n *node) error {
			return db.runFiles(ctx, n, "clickhouse/view_*.sql", build, db.Database(build), db.zone, g.in)
		}); err != nil {
			t.Fatal(err)
		}
	}
	replace(guard{since: endOfTime, last: endOfTime})
	for _, view := range views(t, db) {
		for _, question := range []string{"SELECT * FROM {view}", "SELECT count() FROM {view}", "EXPLAIN SELECT * FROM {view}", "SELECT 1 WHERE 1 IN (SELECT 1 FROM {view})"} {
			question = strings.Replace(question, "{view}", called(view), 1)
			if _, err := analyst(t, db).QueryFormat(t.Context(), "CSV", question); err == nil || !strings.Contains(err.Error(), changesOver) {
				t.Errorf("%s: %v", question, err)
			}
		}
	}
	// A clock that went back an hour since they were published: at once, after the longest question, after a restart.
	var now, up uint32
	if err := analyst(t, db).QueryRow(t.Context(), "SELECT toUInt32(toUnixTimestamp(now())), toUInt32(uptime())").Scan(&now, &up); err != nil {
		t.Fatal(err)
	}
	const aDay = 86_400
	for name, g := range map[string]guard{
		"at once": {now + 3600, up, up + longestQuestion}, "later": {now + 3600, 0, up - 1}, "after a restart": {now + 3600, up + aDay, up + aDay + longestQuestion},
	} {
		replace(g)
		if _, err := analyst(t, db).QueryFormat(t.Context(), "CSV", "SELECT count() FROM conversations"); (err != nil) != (name == "at once") {
			t.Errorf("%s, where the clock went back: %v", name, err)
		}
	}
	replace(guard{now, up + aDay, up + aDay + longestQuestion})
	publish(t, db, build) // which keeps what it finds
	kept := fmt.Sprintf("SELECT countIf(position(as_select, '(uptime() >= %d) AND (uptime() <= %d)') = 0) AS others FROM system.tables WHERE database = currentDatabase()", up+aDay, up+aDay+longestQuestion)
	if got := answer(t, analyst(t, db), kept); got != "others\n0\n" {
		t.Errorf("the same build, published again, has other guards: %s", got)
	}
	replace(guard{since: endOfTime, last: endOfTime})
	publish(t, db, build) // as after a stop while they changed over
	if got := answer(t, analyst(t, db), "SELECT count() FROM conversations, messages, cohort(from = '1970-01-01', to = '2100-01-01', filter = map(), opening = [])"); got != "count()\n0\n" {
		t.Errorf("it answers %q", got)
	}
}

// TestNoQuestionReadsTwoBuilds while views that it joins change over from one to the other.
func TestNoQuestionReadsTwoBuilds(t *testing.T) {
	enginestest.Long(t)
	const switches, explained = 20, 1000
	db := open(t)
	create(t, db, "b2")
	for _, name := range []string{build, "b2"} { // of a table without rows, a plan names nothing
		if err := db.Writer(name).Write(t.Context(), projections.RowsOf(visit("una", projectionstest.Edges[0]))); err != nil {
			t.Fatal(err)
		}
	}
	publish(t, db, build)
	reader := analyst(t, db)
	const joined = ` FROM conversations AS c LEFT JOIN messages AS m USING (conversation_id) LEFT JOIN visits AS v ON v.visit_id = c.conversation_id
		LEFT JOIN bookings AS b USING (conversation_id) LEFT JOIN ratings AS r USING (conversation_id) CROSS JOIN kpis_daily AS k`
	read := regexp.MustCompile(regexp.QuoteMeta(db.ViewsDatabase()) + `_(b\d+)`)
	var done, refused atomic.Int64
	var mixed sync.Map
	var work sync.WaitGroup
	switching, stop := context.WithCancel(t.Context())
	for range 3 {
		work.Go(func() {
			for done.Load() < explained || switching.Err() == nil {
				result, err := reader.QueryFormat(t.Context(), "TSVRaw", "EXPLAIN SELECT count()"+joined)
				done.Add(1)
				if err != nil {
					if refused.Add(1); !strings.Contains(err.Error(), changesOver) {
						t.Errorf("refused: %v", err)
					}
					continue
				}
				plan, err := io.ReadAll(result)
				if err := errors.Join(err, result.Close()); err != nil {
					t.Error(err)
				}
				builds := map[string]bool{}
				for _, found := range read.FindAllStringSubmatch(string(plan), -1) {
					builds[found[1]] = true
				}
				if len(builds) != 1 {
					mixed.Store(string(plan), true)
				}
			}
		})
	}
	for i := range switches {
		publish(t, db, []string{"b2", build}[i%2])
		// As many questions between as at a change.
		for until := explained * int64(i+1) / switches; done.Load() < until; {
			time.Sleep(10 * time.Millisecond)
		}
	}
	stop()
	work.Wait()
	mixed.Range(func(plan, _ any) bool {
		t.Errorf("one question reads two builds:\n%s", plan)
		return false
	})
	t.Logf("%d explained, %d refused", done.Load(), refused.Load())
	if refused.Load() == 0 {
		t.Error("no question came while views changed over")
	}
}
