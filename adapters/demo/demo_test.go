package demo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/archive/logtest"
	"bitacora/adapters/assistant"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

var panama = clinic.Default().Zone

// until is a Saturday noon in Panama.
var until = time.Date(2026, 11, 21, 12, 0, 0, 0, panama)

func config() Config { return Config{Seed: 7, Until: until, Clinic: clinic.Default()} }

func items(t testing.TB, c Config) []Item {
	t.Helper()
	seq, err := Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(seq)
}

// history is the usual one, made once for all tests that look at it.
var history = sync.OnceValue(func() []Item {
	seq, err := Generate(config())
	if err != nil {
		panic(err)
	}
	return slices.Collect(seq)
})

// conversations are those that are not delivered for a second time.
func conversations(list []Item) []Item {
	return slices.DeleteFunc(slices.Clone(list), func(i Item) bool { return i.Refused != "" || i.Desk != nil || i.Repeated || i.quiet() })
}

func startOf(i Item) time.Time { return i.Past.Messages[0].At.In(panama) }

func TestSameSeedSameLog(t *testing.T) {
	sum := func(seed uint64) string {
		var log logtest.Log
		c := config()
		c.Seed, c.Months = seed, 2
		if _, err := Seed(context.Background(), &log, c, nil); err != nil {
			t.Fatal(err)
		}
		return log.Sum()
	}
	first, again, other := sum(1), sum(1), sum(2)
	if first != again {
		t.Error("the same seed gave two logs")
	}
	if first == other {
		t.Error("two seeds gave the same log")
	}
}

func TestShapeAtTenThousandConversations(t *testing.T) {
	list := conversations(history())
	if len(list) < 9_000 || len(list) > 12_500 {
		t.Fatalf("%d conversations", len(list))
	}
	var leads, appointments, closed, messages float64
	hours := map[bool]*[24]float64{false: {}, true: {}}
	for _, i := range list {
		at := startOf(i)
		if i.Past.Lead != nil {
			leads++
		}
		if i.Past.Appointment != nil {
			appointments++
		}
		if !clinic.Default().OpenAt(at) {
			closed++
		}
		messages += float64(len(i.Past.Messages))
		hours[at.Weekday() == time.Saturday || at.Weekday() == time.Sunday][at.Hour()]++
	}
	n := float64(len(list))
	within(t, "lead rate", 100*leads/n, 19.5, 22.5)
	within(t, "appointment rate", 100*appointments/n, 8, 11)
	within(t, "out of hours", 100*closed/n, 40, 46)
	within(t, "messages per conversation", messages/n, 10, 14)
	// 99.9 % of the chi-square distribution with 23 degrees of freedom lies below 49.7.
	within(t, "chi-square of the hours", chiSquare(hours[false][:], profile.hours[:]), 0, 49.7)
	within(t, "chi-square of the weekend's hours", chiSquare(hours[true][:], profile.weekendHours[:]), 0, 49.7)
}

func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s = %.2f, want %.2f to %.2f", what, got, low, high)
	}
}

func chiSquare(observed, weights []float64) float64 {
	var n, total, sum float64
	for i := range observed {
		n, total = n+observed[i], total+weights[i]
	}
	for i, o := range observed {
		expected := n * weights[i] / total
		sum += (o - expected) * (o - expected) / expected
	}
	return sum
}

// Days vary more than by chance alone, so each weekday is held to the variance of the
// negative binomial. The full and the current month are made to a measure of their own.
func TestWeekdaysFollowTheWeights(t *testing.T) {
	g := generator{Config: config().withDefaults()}
	var observed, expected, variance [7]float64
	full := time.Date(2026, 7, 1, 0, 0, 0, 0, panama)
	for month := g.start(); month.Before(time.Date(2026, 11, 1, 0, 0, 0, 0, panama)); month = month.AddDate(0, 1, 0) {
		if month.Equal(full) {
			continue
		}
		for _, a := range g.arrivals(month) {
			observed[a.at.Weekday()]++
		}
		for day := month; sameMonth(day, month); day = day.AddDate(0, 0, 1) {
			mean := g.expected(day)
			expected[day.Weekday()] += mean
			variance[day.Weekday()] += mean + mean*mean/profile.dispersion
		}
	}
	sum := 0.0
	for d := range observed {
		sum += (observed[d] - expected[d]) * (observed[d] - expected[d]) / variance[d]
	}
	// 99.9 % of the chi-square distribution with 7 degrees of freedom lies below 24.3.
	within(t, "chi-square of the weekdays", sum, 0, 24.3)
}

func TestNothingImpossibleHappens(t *testing.T) {
	c := config()
	taken := map[time.Time]bool{}
	monthly := map[string]int{}
	for _, i := range conversations(history()) {
		a, err := i.Append(panama)
		if err != nil {
			t.Fatalf("%v: %v", i.At, err)
		}
		monthly[a.Quota.Month]++
		start := startOf(i)
		begins := start
		if v := i.Past.Visit; v != nil {
			begins = v.At
		}
		for _, d := range a.Drafts {
			if d.OccurredAt.Before(begins.Truncate(time.Millisecond)) || d.OccurredAt.After(until) {
				t.Fatalf("%s at %v in a conversation that began at %v", d.Payload.EventType(), d.OccurredAt, start)
			}
		}
		p := i.Past
		if p.Appointment == nil {
			continue
		}
		if p.Lead == nil {
			t.Error("appointment without a lead")
		}
		slot := p.Appointment.Slot
		if !c.Clinic.OpenAt(slot) || slot.Before(p.Appointment.At) || taken[slot] {
			t.Errorf("slot %v booked at %v, taken %v", slot, p.Appointment.At, taken[slot])
		}
		taken[slot] = true
		turns := slices.IndexFunc(p.Messages, func(m chat.PastMessage) bool { return m.Failed })
		if turns >= 0 || len(p.Messages) < 2*profile.bookingTurns {
			t.Errorf("appointment after %d messages", len(p.Messages))
		}
	}
	for month, n := range monthly {
		if n > profile.limit {
			t.Errorf("%d conversations in %s", n, month)
		}
	}
}

func TestVisitsComeToWhatTheProfileSays(t *testing.T) {
	g := generator{Config: config().withDefaults()}
	var visits, opened, itself, talks float64
	for _, i := range history() {
		v := i.Past.Visit
		if i.Repeated || i.At.Before(g.visitsSince()) {
			if v != nil && v.At.Before(g.visitsSince()) {
				t.Fatalf("a visit of %v, before any was counted", v.At)
			}
			continue
		}
		if v == nil {
			talks += times(!i.quiet() && i.Refused == "" && i.Desk == nil)
			continue
		}
		visits++
		talks += times(!i.quiet())
		opened += times(!v.OpenedAt.IsZero())
		itself += times(!v.OpenedItselfAt.IsZero())
		for _, at := range []time.Time{v.OpenedAt, v.OpenedItselfAt} {
			if !at.IsZero() && (at.Before(v.At) || at.After(until) || !i.quiet() && at.After(startOf(i))) {
				t.Fatalf("opened at %v in a visit of %v", at, v.At)
			}
		}
	}
	within(t, "visits", visits, 25_000, 50_000)
	within(t, "conversations of 100 visits", 100*talks/visits, 5, 7)
	within(t, "opened by the visitor", 100*opened/visits, 13, 17)
	within(t, "opened by itself", 100*itself/visits, 55, 75)
}

func TestRatingsTellGoodRepliesFromBad(t *testing.T) {
	var all, rated, liked, unanswered, likedUnanswered float64
	for _, i := range conversations(history()) {
		all++
		for _, m := range i.Past.Messages {
			if m.Rating == "" {
				continue
			}
			rated++
			liked += times(m.Rating == "positive")
			unanswered += times(!m.Reply.Answered)
			likedUnanswered += times(!m.Reply.Answered && m.Rating == "positive")
			if m.FromVisitor || m.Failed || !m.RatedAt.After(m.At) || m.RatedAt.After(until) {
				t.Fatalf("rated at %v: %+v", m.RatedAt, m)
			}
		}
	}
	within(t, "rated conversations", 100*rated/all, 7.5, 10.5)
	within(t, "approval", 100*liked/rated, 72, 88)
	within(t, "approval without an answer", 100*likedUnanswered/unanswered, 25, 45)
}

func times(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func TestOneMonthIsFullOnItsTwentyEighth(t *testing.T) {
	for seed := range uint64(3) {
		c := config()
		c.Seed, c.Months = seed, 4
		conversations, last := 0, time.Time{}
		var refused []Item
		for _, i := range items(t, c) {
			switch {
			case i.Repeated, i.Desk != nil, i.quiet():
			case i.Refused != "":
				refused = append(refused, i)
			case sameMonth(startOf(i), time.Date(2026, 7, 1, 0, 0, 0, 0, panama)):
				conversations++
				last = startOf(i)
			}
		}
		if conversations != 1000 || last.Day() != 28 {
			t.Errorf("seed %d: %d conversations, the last on %v", seed, conversations, last)
		}
		if len(refused) < 10 {
			t.Fatalf("seed %d: %d refusals", seed, len(refused))
		}
		for _, i := range refused {
			if i.At.Before(last) || i.At.In(panama).Month() != time.July {
				t.Errorf("refused at %v, the last was taken at %v", i.At, last)
			}
			a, err := i.Append(panama)
			if err != nil || a.Stream != "refusal/2026-07" {
				t.Errorf("refusal goes to %s, %v", a.Stream, err)
			}
		}
	}
}

func TestHistoryHoldsWhatDashboardsStumbleOver(t *testing.T) {
	list := history()
	var midnight, monthEnd, late, repeated, cancelled, failed, paused, models float64
	seen := map[string]bool{}
	bad := until.AddDate(0, 0, -profile.badDay.daysAgo)
	var slow []float64
	last := time.Time{}
	for _, i := range list {
		if i.At.Before(last) {
			t.Fatalf("%v comes after %v", i.At, last)
		}
		last = i.At
		if i.Desk != nil {
			continue
		}
		if i.Late {
			late++
		}
		if i.Repeated {
			repeated++
		}
		if i.Refused != "" || i.Desk != nil || i.Repeated || i.quiet() {
			continue
		}
		messages := i.Past.Messages
		first, end := startOf(i), messages[len(messages)-1].At.In(panama)
		if first.Day() != end.Day() {
			midnight++
		}
		if first.Month() != end.Month() {
			monthEnd++
		}
		for n, m := range messages {
			if n > 0 && m.At.Sub(messages[n-1].At) > chat.MaxGap {
				paused++
			}
			if m.Failed {
				failed++
			}
			if !m.FromVisitor && !m.Failed {
				seen[m.Reply.Model] = true
				if first.YearDay() == bad.YearDay() && first.Year() == bad.Year() {
					slow = append(slow, m.Latency.Seconds())
				}
			}
		}
		if a := i.Past.Appointment; a != nil && !a.CancelledAt.IsZero() {
			cancelled++
		}
	}
	models = float64(len(seen))
	days := until.Sub(config().withDefaults().start()).Hours() / 24
	within(t, "conversations over midnight per day", midnight/days, 0.5, 1.1)
	within(t, "conversations over a month's end", monthEnd, 5, 20)
	within(t, "late", late, 8, 40)
	within(t, "repeated", repeated, 1, 15)
	within(t, "cancelled", cancelled, 20, 120)
	within(t, "failed", failed, 120, 350)
	within(t, "long pauses", paused, 100, 700)
	within(t, "models", models, 3, 3)
	slices.Sort(slow)
	within(t, "p95 of the bad day", slow[len(slow)*95/100], 10, 22)
}

func TestTheDeskSeesToContacts(t *testing.T) {
	heard := map[string]time.Time{}
	status := map[string]string{}
	came := map[string]time.Time{}
	notes, messages := 0, 0
	for _, i := range history() {
		a, err := i.Append(panama)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range a.Drafts {
			switch p := d.Payload.(type) {
			case *event.LeadCaptured:
				status[a.Stream], came[a.Stream] = contacts.New, p.ConversationStartedAt
			case *event.ContactMessageReceived:
				status[a.Stream], came[a.Stream] = contacts.New, d.OccurredAt
				messages++
			case *event.AppointmentBooked:
				status[a.Stream] = contacts.Scheduled
			case *event.ContactStatusChanged:
				status[a.Stream] = p.Status
			case *event.ContactNoteAdded:
				notes++
			}
			if i.Desk == nil {
				continue
			}
			if _, known := status[a.Stream]; !known || d.OccurredAt.Before(heard[a.Stream]) || d.OccurredAt.After(until) {
				t.Errorf("%s of %s at %v", d.Payload.EventType(), a.Stream, d.OccurredAt)
			}
			if c, ok := d.Payload.(*event.ContactStatusChanged); ok && !c.ContactAt.Equal(came[a.Stream]) {
				t.Errorf("%s came at %v, not %v", a.Stream, came[a.Stream], c.ContactAt)
			}
		}
		heard[a.Stream] = i.At
	}
	var all, fresh float64
	counts := map[string]float64{}
	for stream, s := range status {
		counts[s]++
		all++
		if s == contacts.New && until.Sub(came[stream]) < 72*time.Hour {
			fresh++
		}
	}
	for _, s := range contacts.Statuses {
		within(t, s, 100*counts[s]/all, 2, 60)
	}
	if fresh < 2 || messages < 200 || notes < 500 {
		t.Errorf("%v that wait since less than three days, %d messages, %d notes", fresh, messages, notes)
	}
}

func TestTranscriptsReadAsPeopleWrite(t *testing.T) {
	e, err := assistant.NewEmbedded(clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	topics := e.Topics()
	own := clinic.Default().Links.All()
	var opened []string
	for _, i := range conversations(history()) {
		var said strings.Builder
		for _, m := range i.Past.Messages {
			if strings.ContainsAny(m.Text, "{}|$") || strings.Contains(m.Text, "  ") || (m.Text == "" && !m.Failed) {
				t.Fatalf("unfinished text %q", m.Text)
			}
			if !m.FromVisitor && !m.Failed && !slices.Contains(topics, m.Reply.Topic) {
				t.Fatalf("%q is no topic of the assistant", m.Reply.Topic)
			}
			for word := range strings.FieldsSeq(m.Text) {
				if strings.HasPrefix(word, "http") && !slices.ContainsFunc(own, func(l string) bool { return strings.HasPrefix(word, l) }) {
					t.Errorf("foreign link %q", word)
				}
			}
			said.WriteString(m.Text + "\n")
		}
		if len(i.Past.Messages) > 4 {
			opened = append(opened, said.String())
		}
	}
	for from := 0; from+20 <= len(opened); from += 20 {
		page := slices.Sorted(slices.Values(opened[from : from+20]))
		if len(slices.Compact(page)) < 20 {
			t.Errorf("of twenty transcripts from %d on two are the same", from)
		}
	}
}

func TestUnansweredQuestionsTeachSomething(t *testing.T) {
	asked, unanswered := map[string]float64{}, map[string]float64{}
	for _, i := range conversations(history()) {
		for _, m := range i.Past.Messages {
			if m.FromVisitor || m.Failed {
				continue
			}
			asked[m.Reply.Topic]++
			if !m.Reply.Answered {
				unanswered[m.Reply.Topic]++
			}
		}
	}
	rate := func(topic string) float64 { return 100 * unanswered[topic] / asked[topic] }
	within(t, "prices", rate("precios"), 15, 30)
	within(t, "insurance", rate("seguros"), 24, 38)
	within(t, "hours", rate("horario"), 0, 6)
	within(t, "booking", rate("citas"), 0, 6)
}

func TestYoungMonth(t *testing.T) {
	tests := map[string]struct {
		until  time.Time
		least  int
		yellow bool
	}{
		"first minutes":       {time.Date(2026, 11, 1, 0, 5, 0, 0, panama), 0, false},
		"first morning":       {time.Date(2026, 11, 1, 8, 0, 0, 0, panama), 30, true},
		"second, a holiday":   {time.Date(2026, 11, 3, 9, 0, 0, 0, panama), 30, true},
		"middle of the month": {time.Date(2026, 11, 15, 9, 0, 0, 0, panama), 200, true},
		"last minute":         {time.Date(2026, 11, 30, 23, 59, 59, 0, panama), 500, true},
		"January":             {time.Date(2027, 1, 31, 20, 0, 0, 0, panama), 700, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := config()
			c.Until, c.Months = tt.until, 1
			n := 0
			for _, i := range conversations(items(t, c)) {
				if sameMonth(startOf(i), tt.until) {
					n++
				}
			}
			if n < tt.least {
				t.Errorf("%d conversations, want at least %d", n, tt.least)
			}
			use := 100 * float64(n) / float64(Limit(n))
			if use >= 100 || (use >= 82 && use <= 92) != tt.yellow {
				t.Errorf("%d of %d are %.1f %%", n, Limit(n), use)
			}
		})
	}
}

func TestLimitIsYellow(t *testing.T) {
	for n := 23; n < 5_000; n++ {
		if use := 100 * float64(n) / float64(Limit(n)); use < 82 || use > 92 {
			t.Errorf("Limit(%d) = %d: %.1f %%", n, Limit(n), use)
		}
	}
	for n := range 23 {
		if Limit(n) < n+5 {
			t.Errorf("Limit(%d) = %d", n, Limit(n))
		}
	}
}

func TestSeedingAgainChangesNothing(t *testing.T) {
	var log logtest.Log
	c := config()
	c.Months = 1
	ctx := context.Background()
	first, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, events := log.Sum(), log.Len()
	second, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if log.Sum() != sum || fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("first %+v, then %+v", first, second)
	}
	if first.Events != events || first.ThisMonth != log.Taken("2026-11") || first.Share != 1 {
		t.Errorf("report %+v of a log with %d events and %d conversations this month", first, events, log.Taken("2026-11"))
	}
}

func TestGoingOnFromAnEarlierHistory(t *testing.T) {
	var log logtest.Log
	c := config()
	c.Months = 1
	ctx := context.Background()
	if _, err := Seed(ctx, &log, c, nil); err != nil {
		t.Fatal(err)
	}
	before := log.Streams()
	c.After, c.Until = c.Until, time.Date(2026, 12, 10, 9, 0, 0, 0, panama)
	report, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Conversations < 200 || log.Streams() != before+report.Conversations+report.Visits+report.ContactMessages {
		t.Errorf("report %+v, %d streams were there, then %d", report, before, log.Streams())
	}
}

func TestSeedStopsWhenTheLogFails(t *testing.T) {
	down := errors.New("down")
	log := logtest.Log{Fail: down}
	if _, err := Seed(context.Background(), &log, config(), nil); !errors.Is(err, down) {
		t.Errorf("err = %v", err)
	}
}

func TestScaleMultipliesConversations(t *testing.T) {
	c := config()
	c.Months, c.Scale = 1, 5
	n := float64(len(conversations(items(t, c))))
	within(t, "conversations at five times the scale", n, 4_000, 9_000)
	if got := c.withDefaults().Limit; got != 5_000 {
		t.Errorf("limit = %d", got)
	}
}

func TestEaster(t *testing.T) {
	for year, want := range map[int]string{2024: "03-31", 2025: "04-20", 2026: "04-05", 2027: "03-28", 2038: "04-25"} {
		if got := easter(year, time.UTC).Format("01-02"); got != want {
			t.Errorf("Easter %d = %s, want %s", year, got, want)
		}
	}
}

func TestProfileAddsUp(t *testing.T) {
	sum := func(list []float64) (s float64) {
		for _, v := range list {
			s += v
		}
		return s
	}
	for what, total := range map[string]float64{
		"hours":           sum(profile.hours[:]) / 100,
		"weekend hours":   sum(profile.weekendHours[:]) / 100,
		"topics":          sum(shares(profile.topics, func(t topic) float64 { return t.share })),
		"referrers":       sum(shares(profile.referrers, func(f referrer) float64 { return f.share })),
		"booking sources": sum(shares(profile.bookingSources, func(w weighted) float64 { return w.share })),
	} {
		if math.Abs(total-1) > 0.002 {
			t.Errorf("%s add up to %v", what, total)
		}
	}
}

func TestScriptsCoverTheProfile(t *testing.T) {
	scripts, _, err := loadScripts()
	if err != nil {
		t.Fatal(err)
	}
	for lang, s := range scripts {
		for _, topic := range profile.topics {
			if g := s.Groups[topic.name]; len(g.Openings) == 0 || len(g.Followups) == 0 {
				t.Errorf("%s: no texts on %s", lang, topic.name)
			}
			for _, slug := range topic.specialties {
				if _, ok := clinic.Default().Service(slug); !ok {
					t.Errorf("%s is no service", slug)
				}
			}
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		seq, err := Generate(config())
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for range seq {
			n++
		}
		b.ReportMetric(float64(n), "items")
	}
}

var _ Log = (*logtest.Log)(nil)
