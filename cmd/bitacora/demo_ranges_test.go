package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/analytics"
)

// askedFilters are filters as the API takes them and as cohort does; each lets some conversations of a demo through.
var askedFilters = []struct {
	address string
	cohort  map[string]string
}{
	{"", map[string]string{}},
	{"lead=true", map[string]string{"lead": "true"}},
	{"appointment=true", map[string]string{"appointment": "true"}},
	{"consent=false", map[string]string{"consent": "false"}},
	{"unanswered=true", map[string]string{"unanswered": "true"}},
	{"model=asistente-mini", map[string]string{"model": "asistente-mini"}},
	{"flagged=true&lead=false", map[string]string{"flagged": "true", "lead": "false"}},
	{"outOfHours=true", map[string]string{"out_of_hours": "true"}},
	{"topic=precios&weekday=1", map[string]string{"topic": "precios", "weekday": "1"}},
	{"minDuration=60&maxDuration=600", map[string]string{"min_active_ms": "60000", "max_active_ms": "600000"}},
	{"hour=10&q=C%C3%93MO", map[string]string{"hour": "10", "search": "CÓMO"}},
	{"rated=negative", map[string]string{"rated": "negative"}},
}

// periodNumbers are those of a period, as the API names them.
type periodNumbers struct {
	TotalConversations, TotalMessages, TotalLeads, TotalAppointments, CancelledAppointments, FlaggedConversations float64
	AvgConversationDuration, MedianConversationDuration, P90ConversationDuration                                  float64
}

const (
	// cohortNumbers counts what a cohort contains, and summedNumbers what the days of a range do.
	cohortNumbers = `SELECT toFloat64(count()), toFloat64(sum(message_count)), toFloat64(countIf(lead)), toFloat64(countIf(appointment)),
		toFloat64(countIf(appointment_cancelled)), toFloat64(countIf(notEmpty(flags))), ifNotFinite(avg(active_ms), 0) / 1000,
		ifNotFinite(quantileExactInclusive(0.5)(active_ms), 0) / 1000, ifNotFinite(quantileExactInclusive(0.9)(active_ms), 0) / 1000 FROM `
	summedNumbers = `SELECT toFloat64(sum(conversations)), toFloat64(sum(messages)), toFloat64(sum(leads)), toFloat64(sum(appointments)),
		toFloat64(sum(cancelled_appointments)), toFloat64(sum(flagged)), ifNotFinite(sum(active_ms) / sum(conversations), 0) / 1000, 0., 0.
		FROM kpis_daily WHERE date BETWEEN '%s' AND '%s'`
)

// TestRangesMeanTheSameToAnalystsAndTheDashboard asks for 25 random ranges of four months, and for each with some of
// the filters in turn. The views cohort and cohort_days give the API's numbers, and without a filter so does kpis_daily;
// for five ranges so do the commands.
func TestRangesMeanTheSameToAnalystsAndTheDashboard(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	const ranges, days, turns = 25, 130, 5
	p := programtest.NewProgram(t)
	p.MustRun("demo", "--months", "4", "--scale", "0.5")
	p.Start()
	a := p.App()
	p.Applied(a)
	p.Published(a)
	views, cookie := programtest.Views(t, a), p.SignIn()
	random, today := rand.New(rand.NewPCG(29, 40)), time.Now().In(a.Clinic.Zone)
	found, unfiltered := make([]float64, len(askedFilters)), make([]float64, len(askedFilters))
	for i := range ranges {
		begins := random.IntN(days)
		from, to := today.AddDate(0, 0, -begins).Format(time.DateOnly), today.AddDate(0, 0, -random.IntN(begins+1)).Format(time.DateOnly)
		period, err := analytics.ParsePeriod(from, to, today, a.Clinic.Zone)
		if err != nil {
			t.Fatal(err)
		}
		var asked []int
		var byDays, byTimes []string
		for j, filter := range askedFilters {
			if j > 0 && j%turns != i%turns {
				continue
			}
			asked = append(asked, j)
			byDays = append(byDays, cohortNumbers+fmt.Sprintf("cohort_days(from_day = '%s', to_day = '%s', filter = %s)", from, to, mapOf(filter.cohort)))
			byTimes = append(byTimes, cohortNumbers+fmt.Sprintf("cohort(from = '%s', to = '%s', filter = %s, opening = %s)",
				period.From.UTC().Format(time.DateTime), period.To.UTC().Format(time.DateTime), mapOf(filter.cohort), openingOf(analytics.Cohort{Hours: a.Clinic.Hours})))
		}
		ofDays, ofTimes := numbersOf(t, views, byDays...), numbersOf(t, views, byTimes...)
		var all float64
		for at, j := range asked {
			filter := askedFilters[j]
			var api periodNumbers
			if err := p.Get("/api/dashboard/kpis?startDate="+from+"&endDate="+to+"&"+filter.address, cookie, &api); err != nil {
				t.Fatal(err)
			}
			if j == 0 {
				all = api.TotalConversations
			}
			found[j] += api.TotalConversations
			unfiltered[j] += all
			same := func(way string, got periodNumbers) {
				t.Helper()
				if diff := gocmp.Diff(api, got, cmpopts.EquateApprox(1e-12, 1e-9)); diff != "" {
					t.Errorf("%s to %s, %v (-API +%s):\n%s", from, to, filter.cohort, way, diff)
				}
			}
			same("cohort_days", ofDays[at])
			same("cohort", ofTimes[at])
			if i < turns && j%turns == i {
				same("bitacora query", questioned(t, p, from, to, filter.cohort))
			}
			if len(filter.cohort) == 0 {
				if i < turns {
					var command periodNumbers
					if err := json.Unmarshal([]byte(p.MustRun("kpis", "--from", from, "--to", to)), &command); err != nil {
						t.Fatal(err)
					}
					same("bitacora kpis", command)
				}
				api.MedianConversationDuration, api.P90ConversationDuration = 0, 0
				same("kpis_daily", numbersOf(t, views, fmt.Sprintf(summedNumbers, from, to))[0])
			}
		}
	}
	for j, filter := range askedFilters {
		if found[j] == 0 || j > 0 && found[j] == unfiltered[j] {
			t.Errorf("%v finds %v of %v conversations, and shows nothing", filter.cohort, found[j], unfiltered[j])
		}
	}
}

// numbersOf asks several questions as one, since each takes longer to begin than to answer.
func numbersOf(t *testing.T, views driver.Conn, questions ...string) (all []periodNumbers) {
	t.Helper()
	for i, sql := range questions {
		questions[i] = fmt.Sprintf("SELECT %d AS place, * FROM (%s)", i, sql)
	}
	rows, err := views.Query(t.Context(), "SELECT * FROM ("+strings.Join(questions, " UNION ALL ")+") ORDER BY place")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n periodNumbers
		var place uint8
		err := rows.Scan(&place, &n.TotalConversations, &n.TotalMessages, &n.TotalLeads, &n.TotalAppointments,
			&n.CancelledAppointments, &n.FlaggedConversations, &n.AvgConversationDuration, &n.MedianConversationDuration, &n.P90ConversationDuration)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if rows.Err() != nil || len(all) != len(questions) {
		t.Fatal(len(all), rows.Err())
	}
	return all
}

// questioned are the numbers that the dashboard's question gives as a command.
func questioned(t *testing.T, p *programtest.Program, from, to string, filter map[string]string) periodNumbers {
	t.Helper()
	line := []string{"query", "kpis", "--run", "--format", "json", "--from", from, "--to", to}
	for name, value := range filter {
		line = append(line, "--filter", name+"="+value)
	}
	var row struct {
		Conversations, Messages, Leads, Appointments, Flagged, CancelledAppointments, TotalActive json.Number
		Median, P90                                                                               *float64
	}
	named := strings.NewReplacer("cancelled_appointments", "CancelledAppointments", "total_active_ms", "TotalActive", "median_active_ms", "Median", "p90_active_ms", "P90")
	if err := json.Unmarshal([]byte(named.Replace(p.MustRun(line...))), &row); err != nil {
		t.Fatal(err)
	}
	number := func(n json.Number) float64 {
		f, err := n.Float64()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	n := periodNumbers{
		number(row.Conversations), number(row.Messages), number(row.Leads), number(row.Appointments), number(row.CancelledAppointments), number(row.Flagged), 0, 0, 0,
	}
	if n.TotalConversations > 0 {
		n.AvgConversationDuration = number(row.TotalActive) / n.TotalConversations / 1000
		n.MedianConversationDuration, n.P90ConversationDuration = *row.Median/1000, *row.P90/1000
	}
	return n
}

// mapOf is a map of texts in SQL.
func mapOf(texts map[string]string) string {
	var parts []string
	for name, value := range texts {
		parts = append(parts, "'"+name+"', '"+value+"'")
	}
	slices.Sort(parts)
	return "map(" + strings.Join(parts, ", ") + ")"
}

func openingOf(c analytics.Cohort) string {
	var spans []string
	for _, s := range c.Opening() {
		spans = append(spans, fmt.Sprintf("(%d, %d)", s.Opens, s.Closes))
	}
	return "[" + strings.Join(spans, ", ") + "]"
}
