package clickhouse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bitacora/domain/event"
	"bitacora/projections/projectionstest"
)

// daily are the views with rows for each day: what names a row, and how many a day has.
var daily = map[string]struct{ key, rows string }{
	"kpis_daily": {"date", "1"}, "funnel_daily": {"date", "1"}, "leads_daily": {"date", "1"},
	"hours_daily": {"(date, hour)", "24"}, "topics_daily": {"(date, topic)", "uniqExact(topic)"},
}

// TestDailyCountsAreThoseOfTheCohort adds up the days of ranges, and compares the sums with what cohort_days and
// the views of single rows say.
func TestDailyCountsAreThoseOfTheCohort(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	for view := range daily {
		if got := answer(t, reader, "SELECT date FROM "+view); got != "date\n" {
			t.Errorf("%s of no rows: %s", view, got)
		}
	}
	write(t, db, append(visit("ahead", time.Now().AddDate(0, 0, 9)), event.Recorded{
		Position: 99, Stream: "m", OccurredAt: time.Now().AddDate(0, 0, 9), Payload: &event.ContactMessageReceived{ContactID: "m", Channel: "web"},
	}))
	for view := range daily {
		if got := answer(t, reader, "SELECT uniqExact(date) AS count FROM "+view); got != "count\n1\n" {
			t.Errorf("%s of a clock that is ahead: %s", view, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		write(t, db, projectionstest.Log().Draw(t, "log"))
		for range 5 {
			from := projectionstest.Instant().Draw(t, "from").In(panama(t))
			to := from.AddDate(0, 0, rapid.IntRange(0, 390).Draw(t, "days"))
			days := fmt.Sprintf("BETWEEN '%s' AND '%s'", from.Format(time.DateOnly), to.Format(time.DateOnly))
			cohort := fmt.Sprintf("cohort_days(from_day = '%s', to_day = '%s', filter = map())", from.Format(time.DateOnly), to.Format(time.DateOnly))
			for sums, single := range map[string]string{
				`sum(conversations), sum(messages), sum(visitor_messages), sum(unanswered), sum(failures), sum(flagged), sum(leads), sum(appointments),
					sum(cancelled_appointments), sum(active_ms) FROM kpis_daily WHERE date ` + days: `count(), sum(message_count), sum(visitor_messages),
					sum(unanswered), sum(failures), countIf(notEmpty(flags)), countIf(lead), countIf(appointment), countIf(appointment_cancelled), sum(active_ms) FROM ` + cohort,
				"hour, sum(conversations) AS n, sum(leads), sum(appointments) FROM hours_daily WHERE date " + days + " GROUP BY hour HAVING n > 0 ORDER BY hour": `
					toHour(started_at) AS hour, count(), countIf(lead), countIf(appointment) FROM ` + cohort + " GROUP BY hour ORDER BY hour",
				"topic, sum(conversations) AS n, sum(leads), sum(appointments), sum(unanswered_conversations) FROM topics_daily WHERE date " + days + " GROUP BY topic HAVING n > 0 ORDER BY topic": `
					arrayJoin(if(empty(topics), ['-'], topics)) AS topic, count(), countIf(lead), countIf(appointment), countIf(unanswered > 0) FROM ` + cohort + " GROUP BY topic ORDER BY topic",
				"sum(conversations), sum(consents), sum(leads), sum(appointments) FROM funnel_daily WHERE date " + days:         "count(), countIf(consent), countIf(lead), countIf(appointment) FROM " + cohort,
				"sum(visits) - sum(conversations), sum(opened_chats) - sum(conversations) FROM funnel_daily WHERE date " + days: "count(), countIf(opened_by_visitor) FROM visits WHERE NOT conversation AND toDate(started_at) " + days,
				"sum(leads), sum(messages), sum(untouched), sum(contacted), sum(scheduled), sum(discarded), sum(notes) FROM leads_daily WHERE date " + days: `countIf(kind = 'lead'), countIf(kind = 'message'),
					countIf(status = 'new'), countIf(status = 'contacted'), countIf(status = 'scheduled'), countIf(status = 'discarded'), sum(notes) FROM contacts WHERE toDate(came_at) ` + days,
			} {
				rowOf := func(sql string) string {
					_, values, _ := strings.Cut(answer(t, reader, "SELECT "+sql), "\n")
					return values
				}
				if want, got := rowOf(single), rowOf(sums); want != got {
					t.Fatalf("%s: %s, want %s", sums, got, want)
				}
			}
		}
		for view, of := range daily {
			gaps := "SELECT count() - uniqExact(" + of.key + ") AS twice, (max(date) - min(date) + 1) * " + of.rows +
				" - count() AS missing, today() - max(date) AS late FROM " + view + " WHERE date <= today() HAVING count() > 0 AND (twice, missing, late) != (0, 0, 0)"
			if got := answer(t, reader, gaps); got != "twice\tmissing\tlate\n" {
				t.Fatalf("days of %s: %s", view, got)
			}
		}
	})
}

// TestDailyViewsReadWhatTheyShow: a day's rows are found without a look at those of other months, but for topics_daily, which
// has a row of every topic on each day.
func TestDailyViewsReadWhatTheyShow(t *testing.T) {
	db := open(t)
	fill(t, db, time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC), 4_000)
	publish(t, db, build)
	for _, view := range []string{"funnel_daily", "hours_daily", "kpis_daily", "leads_daily"} {
		day, err := bytesRead(db, "SELECT * FROM "+view+" WHERE date = '2026-03-04' FORMAT Null")
		if err != nil {
			t.Fatal(err)
		}
		all, err := bytesRead(db, "SELECT * FROM "+view+" FORMAT Null")
		if err != nil {
			t.Fatal(err)
		}
		if day == 0 || all < 6*day {
			t.Errorf("%s reads %d bytes for a day, %d for all", view, day, all)
		}
	}
}
