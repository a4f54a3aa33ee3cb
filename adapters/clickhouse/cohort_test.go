package clickhouse

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/projections/projectionstest"
)

func TestNumbersEqualARecountOfTheLog(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		log := projectionstest.Log().Draw(t, "log")
		for _, batch := range projectionstest.Batches(log).Draw(t, "batches") {
			write(t, db, batch)
		}
		all := expect(log)
		check := checking{t, db.Reader(build)}
		check.days(log)
		for range 3 {
			c := analytics.Cohort{Period: period(t, all), Filter: filter(t), Hours: clinic.Default().Hours}
			want := slices.DeleteFunc(slices.Clone(all), func(found *expected) bool { return !found.in(c) })
			check.kpis(c, want)
			check.list(c, want)
			check.series(c, want)
			check.heatmap(c, want)
			check.funnel(c, all, log)
			check.topics(c, want)
			check.quality(c, want)
			check.ratings(c, want)
			check.outcomes(c, want, log)
			check.questions(c, all, want)
			check.effects(c.From, log)
			check.exports(c, want)
			check.contacts(c.Period, log)
		}
	})
}

// period draws a window whose ends lie on or beside the start of a conversation.
func period(t *rapid.T, all []*expected) analytics.Period {
	ends := rapid.OneOf(projectionstest.Instant(), rapid.Custom(func(t *rapid.T) time.Time {
		beside := time.Duration(rapid.IntRange(-1, 1).Draw(t, "beside")) * time.Millisecond
		return rapid.SampledFrom(all).Draw(t, "conversation").StartedAt.Add(beside)
	}))
	zone := panama(t)
	p := analytics.Period{From: ends.Draw(t, "from").In(zone), To: ends.Draw(t, "to").In(zone)}
	if p.To.Before(p.From) {
		p.From, p.To = p.To, p.From
	}
	return p
}

// filter draws any combination, mostly of few conditions: many let nothing through.
func filter(t *rapid.T) (f analytics.Filter) {
	yes := rapid.Ptr(rapid.Bool(), false)
	for range rapid.IntRange(0, 3).Draw(t, "conditions") {
		switch rapid.IntRange(0, 16).Draw(t, "condition") {
		case 0:
			f.Lead = yes.Draw(t, "lead")
		case 1:
			f.Appointment = yes.Draw(t, "appointment")
		case 2:
			f.Consent = yes.Draw(t, "consent")
		case 3:
			f.Unanswered = yes.Draw(t, "unanswered")
		case 4:
			f.Failed = yes.Draw(t, "failed")
		case 5:
			f.OutOfHours = yes.Draw(t, "out of hours")
		case 6:
			f.Topic = rapid.SampledFrom(someTopics).Draw(t, "topic")
		case 7:
			f.UnansweredTopic = rapid.SampledFrom(someTopics).Draw(t, "unanswered topic")
		case 8:
			f.Model = rapid.SampledFrom([]string{"-", "v1", "v2", "v3"}).Draw(t, "model")
		case 9:
			f.MinActive = new(time.Duration(rapid.Int64Range(0, 4_000_000).Draw(t, "min")) * time.Millisecond)
		case 10:
			f.MaxActive = new(time.Duration(rapid.Int64Range(0, 4_000_000).Draw(t, "max")) * time.Millisecond)
		case 11:
			f.Weekday = new(rapid.IntRange(1, 7).Draw(t, "weekday"))
		case 12:
			f.Hour = new(rapid.IntRange(0, 23).Draw(t, "hour"))
		case 15:
			f.Flagged = yes.Draw(t, "flagged")
		case 16:
			f.Flag = rapid.SampledFrom(event.Flags).Draw(t, "flag")
		case 14:
			f.Rated = rapid.SampledFrom([]string{event.RatedPositive, event.RatedNegative}).Draw(t, "rated")
			f.RatedTopic = rapid.SampledFrom(append(someTopics, "", "")).Draw(t, "rated topic")
		case 13:
			f.Search = rapid.SampledFrom([]string{"CÓRREO", "hola", "gusto", "ana@example.org", "'", `\`, "%", "{}"}).Draw(t, "search")
		}
	}
	return f
}

var someTopics = []string{"-", "precios", "horario", "seguros", "ninguno"}

// in says whether the cohort holds the conversation.
func (c *expected) in(of analytics.Cohort) bool {
	f, local := of.Filter, c.StartedAt.Add(-5*time.Hour).UTC()
	is := func(asked *bool, fact bool) bool { return asked == nil || *asked == fact }
	line := func(matches func(analytics.Line) bool) bool { return slices.ContainsFunc(c.lines, matches) }
	known := func(s string) string { return cmp.Or(s, "-") }
	return !c.StartedAt.Before(of.From) && c.StartedAt.Before(of.To) &&
		is(f.Lead, c.Lead) && is(f.Appointment, c.Appointment) && is(f.Consent, c.Consent) &&
		is(f.Unanswered, c.Unanswered > 0) && is(f.Failed, c.Failures > 0) && is(f.OutOfHours, c.OutOfHours) &&
		is(f.Flagged, len(c.Flags) > 0) && (f.Flag == "" || slices.Contains(c.Flags, f.Flag)) &&
		(f.Topic == "" || slices.Contains(c.about(), f.Topic)) &&
		(f.UnansweredTopic == "" || line(func(l analytics.Line) bool {
			return !l.Visitor && !*l.Answered && known(l.Topic) == f.UnansweredTopic
		})) &&
		(f.Model == "" || line(func(l analytics.Line) bool { return !l.Visitor && known(l.Model) == f.Model })) &&
		(f.Rated == "" || slices.ContainsFunc(slices.Collect(maps.Values(c.rated)), func(r event.ReplyRated) bool {
			return r.Rating == f.Rated && (f.RatedTopic == "" || known(r.Topic) == f.RatedTopic)
		})) &&
		(f.MinActive == nil || c.Active >= *f.MinActive) && (f.MaxActive == nil || c.Active <= *f.MaxActive) &&
		(f.Weekday == nil || int(local.Weekday()+6)%7+1 == *f.Weekday) && (f.Hour == nil || local.Hour() == *f.Hour) &&
		(f.Search == "" || line(func(l analytics.Line) bool {
			return strings.Contains(plain.Replace(strings.ToLower(l.Text)), plain.Replace(strings.ToLower(f.Search)))
		}))
}

var plain = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u")

func (c *expected) about() []string {
	if len(c.Topics) == 0 {
		return []string{"-"}
	}
	return c.Topics
}

// checking holds the reader's answers against conversations that were told.
type checking struct {
	t      *rapid.T
	reader *Reader
}

func (k checking) same(what string, c analytics.Cohort, want, got any, err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 1e-9), cmpopts.EquateEmpty()); diff != "" {
		k.t.Fatalf("%s of %+v (-recount +ClickHouse):\n%s", what, c, diff)
	}
}

// days holds the sums that verification compares against its recount of the log.
func (k checking) days(log []event.Recorded) {
	count := analytics.NewRecount()
	for _, e := range log {
		count.Add(e)
	}
	days, err := k.reader.Days(context.Background(), nil)
	k.same("days", analytics.Cohort{}, count.Days(panama(k.t), nil), days, err)
}

func (k checking) kpis(c analytics.Cohort, want []*expected) {
	counts, err := k.reader.Counts(context.Background(), c)
	got := counts.KPIs()
	numbers, flagged := kpis(want)
	k.same("KPIs", c, numbers, got, err)
	k.same("flagged", c, flagged, counts.Flagged, nil)
	if got.ConversionRate < 0 || got.ConversionRate > 100 {
		k.t.Fatalf("a conversion rate of %v %%", got.ConversionRate)
	}
	n, err := k.reader.ConversationCount(context.Background(), c)
	k.same("total", c, len(want), n, err)
}

// list reads the list at once and in pages.
func (k checking) list(c analytics.Cohort, want []*expected) {
	list := []analytics.Conversation{}
	for _, found := range want {
		list = append(list, found.Conversation)
	}
	limit := rapid.IntRange(1, 3).Draw(k.t, "limit")
	paged := []analytics.Conversation{}
	for after := (*analytics.Cursor)(nil); ; {
		page, err := k.reader.ConversationPage(context.Background(), c, analytics.Page{After: after, Limit: limit})
		if err != nil {
			k.t.Fatal(err)
		}
		if len(page) > limit {
			k.t.Fatalf("a page of %d holds %d", limit, len(page))
		}
		if paged = append(paged, page...); len(page) < limit {
			break
		}
		after = new(page[len(page)-1].Cursor())
	}
	k.same("pages", c, list, paged, nil)
	offset := rapid.IntRange(0, len(list)+1).Draw(k.t, "offset")
	page, err := k.reader.ConversationPage(context.Background(), c, analytics.Page{Offset: offset, Limit: limit})
	from := min(offset, len(list))
	k.same("page at an offset", c, list[from:min(from+limit, len(list))], page, err)
}

func (k checking) series(c analytics.Cohort, want []*expected) {
	now := c.To.Add(time.Duration(rapid.Int64Range(-3, 3).Draw(k.t, "hours")) * time.Hour)
	for _, interval := range c.Intervals() {
		buckets := c.Buckets(interval, now)
		periods := make([]analytics.Period, len(buckets))
		for i, b := range buckets {
			periods[i] = b.Period
		}
		counted, err := k.reader.Timeseries(context.Background(), c, periods)
		var found []analytics.Drawn
		for _, p := range periods {
			found = append(found, tallied(want, p))
		}
		var got []analytics.Drawn
		for _, p := range analytics.Fill(buckets, counted) {
			got = append(got, p.Drawn)
		}
		k.same("series by "+string(interval), c, found, got, err)
		k.same("sum by "+string(interval), c, tallied(want, c.Period), analytics.Sum(counted), nil)
	}
	for _, base := range []analytics.Base{analytics.PreviousPeriod, analytics.SameWeekdays, analytics.YearBefore} {
		other := c.Other(base, now)
		sum := 0
		if other.From.Before(other.To) {
			counted, err := k.reader.Timeseries(context.Background(), c.In(other.Period), other.Stretches(c.Buckets(c.Intervals()[0], now)))
			if err != nil {
				k.t.Fatal(err)
			}
			for _, t := range counted {
				sum += t.Conversations
			}
		}
		counts, err := k.reader.Counts(context.Background(), c.In(other.Period))
		k.same("sum of the other period", c, counts.Conversations, sum, err)
	}
}

func tallied(want []*expected, p analytics.Period) (n analytics.Drawn) {
	for _, c := range want {
		if !c.StartedAt.Before(p.From) && c.StartedAt.Before(p.To) {
			n.Conversations++
			n.Messages += c.Messages
			n.Leads += count(c.Lead)
			n.Appointments += count(c.Appointment)
			n.TotalActiveMillis += c.Active.Milliseconds()
			n.UnansweredReplies += c.Unanswered
			for _, l := range c.lines {
				n.Replies += count(!l.Visitor)
			}
			for _, r := range c.rated {
				n.PositiveRatings += count(r.Rating == event.RatedPositive)
				n.NegativeRatings += count(r.Rating == event.RatedNegative)
			}
		}
	}
	return n
}

func (k checking) heatmap(c analytics.Cohort, want []*expected) {
	starts, err := k.reader.Starts(context.Background(), c)
	got := c.Heatmap(starts)
	cells := make([]analytics.Cell, 168)
	var all, shut analytics.Cell
	add := func(cell *analytics.Cell, t *expected) {
		cell.Conversations++
		cell.Leads += count(t.Lead)
		cell.Appointments += count(t.Appointment)
	}
	for _, t := range want {
		local := t.StartedAt.Add(-5 * time.Hour).UTC()
		add(&cells[(int(local.Weekday()+6)%7)*24+local.Hour()], t)
		add(&all, t)
		if t.OutOfHours {
			add(&shut, t)
		}
	}
	for i := range cells {
		cells[i].Weekday, cells[i].Hour, cells[i].OpenMinutes = i/24+1, i%24, got.Cells[i].OpenMinutes
	}
	k.same("heatmap", c, analytics.Heatmap{Cells: cells, All: all, Closed: shut}, got, err)
}

// funnel holds the steps against the log, each of the visits since they are counted.
func (k checking) funnel(c analytics.Cohort, all []*expected, log []event.Recorded) {
	since, err := k.reader.VisitsSince(context.Background())
	k.same("visits since", c, firstVisit(log), since, err)
	c, visited := c.Visited(since)
	s := quiet(log, c)
	orderly := true
	for _, t := range all {
		if !t.in(c) {
			continue
		}
		s.Conversations++
		s.Consents += count(t.Consent)
		s.Leads += count(t.Lead)
		s.Appointments += count(t.Appointment)
		s.LeadsWithConsent += count(t.Lead && t.Consent)
		s.AppointmentsWithLead += count(t.Appointment && t.Lead)
		// The drawn logs know leads without consent, which the chat does not make.
		orderly = orderly && (t.Consent || !t.Lead) && (t.Lead || !t.Appointment)
	}
	got, err := k.reader.Steps(context.Background(), c)
	k.same("steps", c, s, got, err)
	steps := got.Funnel(visited)
	if first := steps[0].Name; (first == "visit") != (c.Filter == (analytics.Filter{}) && !since.IsZero() && since.Before(c.To)) {
		k.t.Fatalf("%+v begins with %s, visits are counted since %v", c, first, since)
	}
	for i, step := range steps {
		if i > 0 && step.Count > steps[i-1].Count && (orderly || step.Name == "opening" || step.Name == "conversation") {
			k.t.Fatalf("%s: %d after %d", step.Name, step.Count, steps[i-1].Count)
		}
		for _, rate := range []*float64{step.Share, step.FromPrevious} {
			if rate != nil && (*rate < 0 || *rate > 100) {
				k.t.Fatalf("%s: a rate of %v %%", step.Name, *rate)
			}
		}
	}
}

func (k checking) ratings(c analytics.Cohort, want []*expected) {
	topics := map[string]*analytics.Ratings{}
	var all analytics.Ratings
	for _, t := range want {
		pleased, displeased := map[string]bool{}, map[string]bool{}
		for _, r := range t.rated {
			topic := cmp.Or(r.Topic, "-")
			if r.Rating != event.RatedNone && topics[topic] == nil {
				topics[topic] = &analytics.Ratings{Topic: topic}
			}
			switch r.Rating {
			case event.RatedPositive:
				all.Positive++
				topics[topic].Positive++
				pleased[topic], pleased[""] = true, true
			case event.RatedNegative:
				all.Negative++
				topics[topic].Negative++
				displeased[topic], displeased[""] = true, true
			}
		}
		for topic, of := range topics {
			of.Pleased += count(pleased[topic])
			of.Displeased += count(displeased[topic])
		}
		all.Pleased += count(pleased[""])
		all.Displeased += count(displeased[""])
	}
	gotAll, got, err := k.reader.Ratings(context.Background(), c)
	k.same("ratings", c, all, gotAll, err)
	byTopic := map[string]*analytics.Ratings{}
	for i, r := range got {
		byTopic[r.Topic] = &got[i]
		if i > 0 && surelyNegative(got[i-1]) < surelyNegative(r)-1e-9 {
			k.t.Fatalf("%s is worse than %s before it", r.Topic, got[i-1].Topic)
		}
	}
	k.same("ratings by topic", c, topics, byTopic, nil)
}

// surelyNegative is the share of negative ratings p of which the interval's lower end is the share that was
// found: the smaller solution of n(f-p)² = z²p(1-p), found by halving.
func surelyNegative(r analytics.Ratings) float64 {
	n := float64(r.Positive + r.Negative)
	found := float64(r.Negative) / n
	low, high := 0.0, found
	for range 60 {
		p := (low + high) / 2
		if n*(found-p)*(found-p) > 1.96*1.96*p*(1-p) {
			low = p
		} else {
			high = p
		}
	}
	return low
}

// outcomes counts what became of each appointment for each of the groups that it belongs to; without a filter, of
// those, too, that people have who wrote by the contact form in the period.
func (k checking) outcomes(c analytics.Cohort, want []*expected, log []event.Recorded) {
	type group struct{ by, name string }
	all := map[group]analytics.Outcomes{}
	if c.Filter == (analytics.Filter{}) {
		byForm := map[string]event.AppointmentOutcomeRecorded{}
		for _, e := range log {
			if p, ok := e.Payload.(*event.AppointmentOutcomeRecorded); ok && p.Kind == event.KindMessage && !p.ConversationStartedAt.Before(c.From) && p.ConversationStartedAt.Before(c.To) {
				byForm[p.ConversationID+p.BookingID] = *p
			}
		}
		want = append(slices.Clone(want), &expected{outcomes: byForm})
	}
	for _, t := range want {
		for _, o := range t.outcomes {
			if o.Outcome == event.OutcomeUnknown {
				continue
			}
			day := func(at time.Time) time.Time {
				y, m, d := at.In(panama(k.t)).Date()
				return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
			}
			ahead := "0"
			for _, from := range []int{1, 3, 8} {
				if int(day(o.Slot).Sub(day(o.BookedAt)).Hours()/24) >= from {
					ahead = strconv.Itoa(from)
				}
			}
			weekday := strconv.Itoa(int(day(o.Slot).Weekday()+6)%7 + 1)
			for _, g := range []group{
				{analytics.AllOutcomes, ""}, {analytics.ByLeadTime, ahead}, {analytics.ByWeekday, weekday},
				{analytics.BySource, o.BookedBy}, {analytics.BySpecialty, cmp.Or(o.Specialty, "-")},
			} {
				of := all[g]
				of.GroupedBy, of.Name = g.by, g.name
				of.Came += count(o.Outcome == event.OutcomeCame)
				of.Missed += count(o.Outcome == event.OutcomeMissed)
				of.CancelledLate += count(o.Outcome == event.OutcomeCancelledLate)
				all[g] = of
			}
		}
	}
	list, err := k.reader.Outcomes(context.Background(), c)
	got := map[group]analytics.Outcomes{}
	for _, o := range list {
		got[group{o.GroupedBy, o.Name}] = o
	}
	k.same("outcomes", c, all, got, err)
}

// firstVisit is when the first visit of a log began; zero where none did.
func firstVisit(log []event.Recorded) (first time.Time) {
	for _, e := range log {
		if _, ok := e.Payload.(*event.VisitStarted); ok && (first.IsZero() || e.OccurredAt.Before(first)) {
			first = e.OccurredAt
		}
	}
	return first
}

// quiet counts the visits of a period that led to no conversation.
func quiet(log []event.Recorded, c analytics.Cohort) (s analytics.Steps) {
	began, opened, talked := map[string]time.Time{}, map[string]bool{}, map[string]bool{}
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.VisitStarted:
			began[e.Stream] = e.OccurredAt
		case *event.WidgetOpened:
			opened[e.Stream] = opened[e.Stream] || p.By == "visitor"
		case *event.ConversationStarted:
			talked[e.Stream] = true
		}
	}
	for id, at := range began {
		if c.Filter == (analytics.Filter{}) && !talked[id] && !at.Before(c.From) && at.Before(c.To) {
			s.QuietVisits++
			s.OpenedQuietVisits += count(opened[id])
		}
	}
	return s
}

func (k checking) exports(c analytics.Cohort, want []*expected) {
	ctx := context.Background()
	n := 0
	for conversation, err := range k.reader.Conversations(ctx, c) {
		k.same("export", c, want[n].Conversation, conversation, err)
		n++
	}
	k.same("rows of the export", c, len(want), n, nil)

	var lines, got []analytics.Line
	for _, t := range slices.Backward(want) {
		lines = append(lines, t.lines...)
	}
	for l, err := range k.reader.Lines(ctx, c) {
		if err != nil {
			k.t.Fatal(err)
		}
		got = append(got, l)
	}
	k.same("messages of the export", c, lines, got, nil)
}
