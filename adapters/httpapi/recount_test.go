package httpapi

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/demo"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/projections"
)

// eighth is 24 November 2026, 08:00 in Panama: when the demo's history ends, and where the clocks stand.
var eighth = time.Date(2026, 11, 24, 13, 0, 0, 0, time.UTC)

// shown is a dashboard of a demo's history in one zone, beside a recount of its log.
type shown struct {
	counting
	h     *testServer
	staff *browser
}

// shownIn opens the dashboards of one history in some zones.
func shownIn(t *testing.T, months int, scale float64, zones ...string) (all []shown) {
	t.Helper()
	database, key := postgrestest.Database(t), keyfiles.NewMasterKey()
	var log []event.Recorded
	for i, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		h := newTestServerOn(t, database, key, inZone(zone))
		h.clock.now = eighth
		if i == 0 {
			c := demo.Config{Seed: 2005, Until: eighth, Months: months, Scale: scale, Clinic: clinic.Default()}
			if _, err := demo.Seed(t.Context(), h.db.Log(), c, nil); err != nil {
				t.Fatal(err)
			}
			log = h.wholeLog()
			h.hire()
		}
		for batch := range slices.Chunk(log, 20_000) {
			if err := h.tables().Writer(build).Write(t.Context(), projections.RowsOf(batch)); err != nil {
				t.Fatal(err)
			}
		}
		staff := h.browser()
		staff.signInAgain()
		told := tell(log)
		all = append(all, shown{counting{told: told, zone: zone, now: eighth.In(zone), matching: told.talks}, h, staff})
	}
	return all
}

// wholeLog reads all events.
func (s *testServer) wholeLog() (log []event.Recorded) {
	s.t.Helper()
	for through := int64(0); ; through = log[len(log)-1].Position {
		more, err := s.db.Log().Scan(s.t.Context(), through, math.MaxInt64, 10_000)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(more) == 0 {
			return log
		}
		log = append(log, more...)
	}
}

// inZone opens a clinic in another zone.
func inZone(zone *time.Location) func(*testServer) {
	return func(h *testServer) {
		of := clinic.Default()
		of.Zone = zone
		h.config.Staff.Clinic, h.config.Staff.MonthlyUsage.Zone, h.config.Staff.Waiting.Calendar = of, zone, of.Calendar()
		h.tables = sync.OnceValue(func() *clickhouse.DB { return h.openClickHouseIn(zone) })
	}
}

// narrowing is a filter of the dashboard, by its name in the interface.
type narrowing struct {
	name, value string
	// rated is the rating that a filter by its topic needs.
	rated string
	lets  func(*talk) bool
}

// narrowings draws a value for each filter, of those that the history has.
func (s shown) narrowings(r *rand.Rand) (all []narrowing) {
	add := func(name, value string, lets func(*talk) bool) {
		all = append(all, narrowing{name: name, value: value, lets: lets})
	}
	for name, is := range map[string]func(*talk) bool{
		"lead": func(t *talk) bool { return t.lead }, "appointment": func(t *talk) bool { return t.booked }, "consent": func(t *talk) bool { return t.consent },
		"unanswered": func(t *talk) bool { return t.unanswered() > 0 }, "failed": func(t *talk) bool { return t.failures > 0 },
		"flagged": func(t *talk) bool { return len(t.flags) > 0 }, "outOfHours": func(t *talk) bool { return t.shut(s.zone) },
	} {
		wanted := r.IntN(3) > 0
		add(name, strconv.FormatBool(wanted), func(t *talk) bool { return is(t) == wanted })
	}
	said := s.talks[r.IntN(len(s.talks))]
	reply := said.replies[r.IntN(len(said.replies))]
	topic, model, weekday, hour := cmp.Or(reply.Topic, "-"), cmp.Or(reply.Model, "-"), 1+r.IntN(7), r.IntN(24)
	replied := func(t *talk, is func(*event.AssistantReplied) bool) bool { return slices.ContainsFunc(t.replies, is) }
	rated := func(t *talk, rating, topic string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(t.rated)), func(one *event.ReplyRated) bool {
			return one.Rating == rating && (topic == "" || cmp.Or(one.Topic, "-") == topic)
		})
	}
	flag := event.Flags[r.IntN(len(event.Flags))]
	rating := []string{event.RatedPositive, event.RatedNegative}[r.IntN(2)]
	seconds := r.IntN(600)
	word := []string{"CITA", "cuánto", "seguro", "nino", "6900", "gracias"}[r.IntN(6)]
	plain := strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u")
	simple := func(text string) string { return plain.Replace(strings.ToLower(text)) }
	add("flag", flag, func(t *talk) bool { return slices.Contains(t.flags, flag) })
	add("topic", topic, func(t *talk) bool { return slices.Contains(t.topics(), topic) })
	add("unansweredTopic", topic, func(t *talk) bool {
		return replied(t, func(r *event.AssistantReplied) bool { return !r.Answered && cmp.Or(r.Topic, "-") == topic })
	})
	add("model", model, func(t *talk) bool {
		return replied(t, func(r *event.AssistantReplied) bool { return cmp.Or(r.Model, "-") == model })
	})
	add("minDuration", strconv.Itoa(seconds), func(t *talk) bool { return t.seconds() >= float64(seconds) })
	add("maxDuration", strconv.Itoa(seconds), func(t *talk) bool { return t.seconds() <= float64(seconds) })
	add("weekday", strconv.Itoa(weekday), func(t *talk) bool { return (int(t.start.In(s.zone).Weekday())+6)%7+1 == weekday })
	add("hour", strconv.Itoa(hour), func(t *talk) bool { return t.start.In(s.zone).Hour() == hour })
	add("rated", rating, func(t *talk) bool { return rated(t, rating, "") })
	all = append(all, narrowing{"ratedTopic", topic, rating, func(t *talk) bool { return rated(t, rating, topic) }})
	add("q", word, func(t *talk) bool {
		return slices.ContainsFunc(t.texts, func(text string) bool { return strings.Contains(simple(text), simple(word)) })
	})
	return all
}

// through leaves the talks that all of some filters let through.
func (s shown) through(filters ...narrowing) shown {
	for _, f := range filters {
		s.narrowed = true
		s.matching = slices.DeleteFunc(slices.Clone(s.matching), func(t *talk) bool { return !f.lets(t) })
	}
	return s
}

// same holds an answer against the recount; the order within its lists is not looked at.
func same[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := gocmp.Diff(
		want, got, cmpopts.EquateApprox(1e-9, 1e-9), cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(contract.DataThrough{}, []contract.OpeningDay{}),
		cmpopts.IgnoreFields(contract.TimeseriesPoint{}, "Holidays"), // of the clinic's file, and not of the log
		cmpopts.SortSlices(func(a, b contract.TopicRow) bool { return a.Topic < b.Topic }),
		cmpopts.SortSlices(func(a, b contract.RatingRow) bool { return a.Topic < b.Topic }),
		cmpopts.SortSlices(func(a, b contract.OutcomeRow) bool { return a.Name < b.Name }),
		cmpopts.SortSlices(func(a, b contract.ModelRow) bool { return a.Provider+a.Model < b.Provider+b.Model }),
	); diff != "" {
		t.Errorf("%s (-recount +dashboard):\n%.3000s", what, diff)
	}
}

// numbers holds every number of a span against the recount.
func (s shown) numbers(t *testing.T, of span, base string, interval contract.Interval, filters ...narrowing) {
	t.Helper()
	q := of.query()
	for _, f := range filters {
		q.Set(f.name, f.value)
		if f.rated != "" {
			q.Set("rated", f.rated)
		}
	}
	s = s.through(filters...)
	what := fmt.Sprintf("%s in %s, %s, compared with %q", of, s.zone, q.Encode(), base)
	ask := func(path string, more url.Values, into any) {
		t.Helper()
		all := maps.Clone(q)
		maps.Copy(all, more)
		s.staff.get("/api/dashboard/"+path+"?"+all.Encode()).into(http.StatusOK, into)
	}
	compared := url.Values{}
	if base != "" {
		compared["compare"] = []string{base}
	}
	var kpis contract.Kpis
	ask("kpis", compared, &kpis)
	same(t, "KPIs of "+what, s.kpis(of, base), kpis)
	var series contract.Timeseries
	compared["interval"] = []string{string(interval)}
	ask("timeseries", compared, &series)
	same(t, "series of "+what, s.timeseries(of, interval, base), series)
	var reports contract.Reports
	ask("reports", nil, &reports)
	same(t, "reports of "+what, contract.Reports{
		Funnel: s.funnel(of), Heatmap: s.heatmap(of), Topics: s.topics(of), Quality: s.quality(of), Ratings: s.ratings(of), Outcomes: s.outcomes(of),
	}, reports)
}

// contactNumbers holds the counts of contacts against the recount.
func (s shown) contactNumbers(t *testing.T, of span) {
	t.Helper()
	for _, kind := range []string{"", "lead", "message"} {
		q := of.query()
		if kind != "" {
			q.Set("kind", kind)
		}
		var got contract.ContactCounts
		s.staff.get("/api/dashboard/contacts/counts?"+q.Encode()).into(http.StatusOK, &got)
		got.LastPosition, got.DataThrough = 0, contract.DataThrough{}
		same(t, "contacts "+kind+" of "+of.String(), s.contactCounts(of, kind), got)
	}
}

// TestTheDashboardEqualsARecountOfTheDemosLog holds every number of the dashboard against the log: of drawn ranges,
// each narrowed by filters; of months beside those before and of the year before; and of the desk.
func TestTheDashboardEqualsARecountOfTheDemosLog(t *testing.T) {
	all := shownIn(t, 2, 0.2, "America/Panama", "America/New_York", "Europe/Madrid")
	recounted(t, 1, math.MaxInt, all[1:2], []shown{all[0], all[2]})
}

var recountRanges = flag.Int("recount.ranges", 6, "ranges in each of two zones of which the recount of fourteen months tries twelve filters; 20 take a quarter of an hour on a busy machine")

// TestTheDashboardEqualsARecountOfFourteenMonths does so with more ranges, and twelve filters of each.
func TestTheDashboardEqualsARecountOfFourteenMonths(t *testing.T) {
	enginestest.Long(t)
	all := shownIn(t, 14, 0.3, "America/Panama", "America/New_York", "Europe/Madrid")
	recounted(t, *recountRanges, 12, all[:2], []shown{all[0], all[2]})
}

func recounted(t *testing.T, ranges, filters int, numbers, desks []shown) {
	for _, s := range numbers {
		t.Run("months in "+s.zone.String(), s.months)
		t.Run("ranges in "+s.zone.String(), func(t *testing.T) { s.ranges(t, ranges, filters) })
	}
	for _, s := range desks {
		t.Run("desk in "+s.zone.String(), s.midnights)
	}
}

// ranges tries some of the filters on some ranges, each time others.
func (s shown) ranges(t *testing.T, n, narrowed int) {
	r := rand.New(rand.NewPCG(28, 9))
	y, m, d := s.talks[0].start.In(s.zone).Date()
	for range n {
		of := someSpan(r, time.Date(y, m, d, 0, 0, 0, 0, s.zone), s.now)
		s.contactNumbers(t, of)
		base := []string{"", "previous", "weekday", "year"}[r.IntN(4)]
		intervals := of.intervals(s.now)
		interval := intervals[r.IntN(len(intervals))]
		filters := s.narrowings(r)
		s.numbers(t, of, base, interval)
		for _, i := range r.Perm(len(filters))[:min(narrowed, len(filters))] {
			s.numbers(t, of, base, interval, filters[i])
		}
		s.numbers(t, of, base, interval, filters[r.IntN(7)], filters[7+r.IntN(len(filters)-7)])
		if t.Failed() {
			return
		}
	}
}

// months are «Este mes», «Mes pasado», February beside January and January beside December, each also beside the
// year before.
func (s shown) months(t *testing.T) {
	known := s.talks[0].start
	for _, of := range []span{
		firstDays(2026, time.November, 24, s.zone), wholeMonths(2026, time.October, 1, s.zone),
		wholeMonths(2026, time.February, 1, s.zone), wholeMonths(2026, time.January, 1, s.zone), wholeMonths(2025, time.November, 3, s.zone),
	} {
		for _, base := range []string{"previous", "year"} {
			if !of.to.After(known) { // a short history
				continue
			}
			s.numbers(t, of, base, contract.Week)
			k := s.kpis(of, base)
			t.Logf("%s: %d conversations, %d on the %d days of the %s one", of, k.TotalConversations, k.Comparison.Previous.TotalConversations,
				daysBetween(k.Comparison.StartDate, k.Comparison.EndDate), base)
		}
	}
}

// midnights looks at the desk around the clinic's midnight and when it opens, with somebody put off until then.
func (s shown) midnights(t *testing.T) {
	s.h.clock.now = eighth
	s.staff.signInAgain()
	var put contract.Attempt
	last := s.staff.waiting(fmt.Sprint("limit=1&offset=", s.staff.waiting("limit=1").Waiting-1)).People[0]
	ref := contacts.Ref{Kind: string(last.Kind), ID: last.ID}
	s.staff.post(attemptsPath(ref), contract.NewAttempt{ID: "tomorrow", Outcome: contract.Tomorrow}).into(http.StatusOK, &put)
	s.told = tell(s.h.wholeLog())
	midnight := time.Date(2026, 11, 25, 0, 0, 0, 0, s.zone)
	off := []int{}
	for _, now := range []time.Time{eighth, midnight.Add(-time.Millisecond), midnight, midnight.Add(time.Millisecond), put.DueAt.Add(-time.Millisecond), *put.DueAt} {
		s.h.clock.now = now
		s.now = now.In(s.zone)
		s.staff.signInAgain()
		s.desk(t)
		off = append(off, s.queue().putOff)
	}
	if off[0] != off[4] || off[5] != off[4]-1 {
		t.Errorf("put off are %v, until %s", off, put.DueAt)
	}
}

func (s shown) desk(t *testing.T) {
	t.Helper()
	what := fmt.Sprintf("at %s in %s", s.now, s.zone)
	want := s.queue()
	if want.waiting == 0 || want.grave == 0 {
		t.Errorf("%s: only %+v", what, want)
	}
	for _, period := range []string{"", "&startDate=2026-01-01&endDate=2026-01-02"} {
		list := s.staff.waiting("limit=1" + period)
		got := queue{list.Waiting, list.Grave, list.PutOff, *cmp.Or(list.Oldest, new(time.Time))}
		if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(queue{})); diff != "" {
			t.Errorf("queue%s %s (-recount +dashboard):\n%s", period, what, diff)
		}
		all, weekdays, others := s.firstContact()
		var days, persons []contract.FirstContact
		for _, one := range list.FirstContactBy {
			if one.Weekday != nil {
				days = append(days, one)
			} else {
				one.By = nil
				persons = append(persons, one)
			}
		}
		same(t, "first contact "+what, all, list.FirstContact)
		same(t, "first contact by weekday "+what, weekdays, days)
		same(t, "first contact by person "+what, others, persons)
	}
	var agenda contract.Agenda
	s.staff.get("/api/dashboard/agenda").into(http.StatusOK, &agenda)
	for i, day := range agenda.Days {
		day.List = nil
		same(t, "agenda "+what, s.agenda(s.now.AddDate(0, 0, i)), day)
	}
	var unusual contract.Unusual
	s.staff.get("/api/dashboard/unusual").into(http.StatusOK, &unusual)
	refused := map[string]int{}
	for _, f := range unusual.Findings {
		if f.Kind == contract.UnusualRefusals {
			refused[f.At.In(s.zone).Format("2006-01")] = int(*f.Count)
		}
	}
	for _, month := range []string{"2026-10", "2026-11"} {
		if refused[month] != s.refusals[month] {
			t.Errorf("%s: %d refusals of %s are told, the log has %d", what, refused[month], month, s.refusals[month])
		}
	}
}
