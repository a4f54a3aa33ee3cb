package demo

import (
	"math"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

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
		if !clinic.Default().Calendar().OpenAt(at) {
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
			talks += times(!i.quiet() && i.Refused == "" && i.StaffAppend == nil)
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

func TestScaleMultipliesConversations(t *testing.T) {
	c := config()
	c.Months, c.Scale = 1, 2
	n := float64(len(conversations(items(t, c))))
	within(t, "conversations at twice the scale", n, 1_600, 3_600)
	if got := c.withDefaults().Limit; got != 2_000 {
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

func TestSomeConversationsAskForAttention(t *testing.T) {
	counts, all := map[string]float64{}, 0.0
	for _, i := range conversations(history()) {
		all++
		flagged := map[string]bool{}
		for _, m := range i.Past.Messages {
			if m.Flag != "" {
				flagged[m.Flag] = true
			}
		}
		for flag := range flagged {
			counts[flag]++
		}
	}
	for _, flag := range event.Flags {
		t.Logf("%s: %v of %v", flag, counts[flag], all)
	}
	within(t, "urgencies", 100*counts[event.FlagUrgency]/all, 2, 7)
	within(t, "complaints", 100*counts[event.FlagComplaint]/all, 0.5, 3)
	within(t, "callbacks", 100*counts[event.FlagCallback]/all, 0.5, 4)
	within(t, "emergencies", counts[event.FlagEmergency], 1, 20)
	within(t, "crises", counts[event.FlagCrisis], 1, 20)
}
