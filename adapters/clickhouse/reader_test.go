package clickhouse

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

// expected is a conversation as a person would count it from the log, message by message.
type expected struct {
	analytics.Conversation
	sent  []time.Time
	lines []analytics.Line
	// rated is the latest word on each reply.
	rated map[int]event.ReplyRated
	// outcomes are the latest ones by booking.
	outcomes map[string]event.AppointmentOutcomeRecorded
	// dismissed are the ordinals of what the staff dismissed.
	dismissed []int
}

// expect recounts a log without any of what projections are made of.
func expect(log []event.Recorded) []*expected {
	byID := map[string]*expected{}
	for _, e := range log {
		if isVisit(e) || strings.HasPrefix(e.Stream, "m") || strings.HasPrefix(e.Stream, "refusal/") || strings.HasPrefix(e.Stream, "staff/") || event.AnswerSlug(e.Stream) != "" { // m: a message of the contact form
			continue
		}
		c, ok := byID[e.Stream]
		if !ok {
			c = &expected{Conversation: analytics.Conversation{ID: e.Stream, StartedAt: e.OccurredAt}, rated: map[int]event.ReplyRated{}, outcomes: map[string]event.AppointmentOutcomeRecorded{}}
			byID[e.Stream] = c
		}
		switch p := e.Payload.(type) {
		case *event.ConversationStarted:
			c.Channel, c.Referrer = p.Channel, p.Referrer
		case *event.VisitorMessageSent:
			c.VisitorMessages++
			c.say(e, analytics.Line{Visitor: true, Text: cmp.Or(p.Masked, p.Text.Text), Intent: p.Intent})
		case *event.AssistantReplied:
			c.say(e, analytics.Line{
				Text: cmp.Or(p.Masked, p.Text.Text), Topic: p.Topic, Provider: p.Provider, Model: p.Model, Answered: &p.Answered,
				LatencyMillis: measured(p.LatencyMillis), TokensIn: measured(int64(p.TokensIn)), TokensOut: measured(int64(p.TokensOut)),
				Intent: p.Intent, RunnerUp: p.RunnerUp, Answer: p.Answer, NextAnswer: p.NextAnswer,
				Confidence: likely(p.Confidence), RunnerUpConfidence: likely(p.RunnerUpConfidence), Likelihood: likely(p.Likelihood), NextLikelihood: likely(p.NextLikelihood),
			})
			c.Unanswered += count(!p.Answered)
			if p.Topic != "" && !slices.Contains(c.Topics, p.Topic) {
				c.Topics = append(c.Topics, p.Topic)
				slices.Sort(c.Topics)
			}
		case *event.TextsMasked:
			for _, m := range p.Messages {
				c.lines[m.Ordinal-1].Text = m.Masked
			}
		case *event.ReplyRated:
			c.rated[p.Ordinal] = *p
		case *event.AppointmentOutcomeRecorded:
			c.outcomes[p.BookingID] = *p
		case *event.QuestionLabelled:
			c.dismissed = append(c.dismissed, p.Ordinal)
		case *event.AssistantFailed:
			c.Failures++
		case *event.ConsentGiven:
			c.Consent = true
		case *event.LeadCaptured:
			c.Lead = true
		case *event.ConversationFlagged:
			if !slices.Contains(c.Flags, p.Flag) {
				c.Flags = append(c.Flags, p.Flag)
				slices.Sort(c.Flags)
			}
		case *event.AppointmentBooked:
			c.Appointment, c.Cancelled = true, false
			if !slices.Contains(c.BookingSources, p.Source) {
				c.BookingSources = append(c.BookingSources, p.Source)
				slices.Sort(c.BookingSources)
			}
		case *event.AppointmentCancelled:
			c.Cancelled = true
		}
	}
	for _, c := range byID {
		c.Active = c.active()
		c.OutOfHours = closed(c.StartedAt)
	}
	return slices.SortedFunc(maps.Values(byID), func(a, b *expected) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(b.ID, a.ID))
	})
}

// isVisit says that an event tells of a visit alone.
func isVisit(e event.Recorded) bool {
	switch e.Payload.(type) {
	case *event.VisitStarted, *event.WidgetOpened:
		return true
	}
	return false
}

func (c *expected) say(e event.Recorded, l analytics.Line) {
	c.Messages++
	c.LastMessageAt = e.OccurredAt
	c.sent = append(c.sent, e.OccurredAt)
	l.ConversationID, l.ConversationStartedAt, l.SentAt, l.Ordinal = e.Stream, c.StartedAt, e.OccurredAt, c.Messages
	c.lines = append(c.lines, l)
}

func likely(share float64) *float32 {
	if share == 0 {
		return nil
	}
	return new(float32(share))
}

func measured(n int64) *uint32 {
	if n == 0 {
		return nil
	}
	return new(uint32(n))
}

func (c *expected) active() (sum time.Duration) {
	for i := 1; i < len(c.sent); i++ {
		sum += min(c.sent[i].Sub(c.sent[i-1]), 1800*time.Second)
	}
	return sum
}

func (c *expected) seconds() float64 { return c.Active.Seconds() }

// closed is when nobody is at the clinic: Monday to Friday 8–19, Saturday 9–15 are open.
func closed(t time.Time) bool {
	t = t.Add(-5 * time.Hour)
	switch h := t.UTC().Hour(); t.UTC().Weekday() {
	case time.Sunday:
		return true
	case time.Saturday:
		return h < 9 || h >= 15
	default:
		return h < 8 || h >= 19
	}
}

// kpis counts the conversations that started in a period, and those that ask for attention.
func kpis(list []*expected) (k analytics.KPIs, flagged int) {
	var durations []float64
	for _, c := range list {
		k.TotalConversations++
		k.TotalMessages += int64(c.Messages)
		k.TotalLeads += int64(count(c.Lead))
		k.TotalAppointments += int64(count(c.Appointment))
		k.CancelledAppointments += int64(count(c.Cancelled))
		flagged += count(len(c.Flags) > 0)
		k.AvgConversationDuration += c.seconds()
		durations = append(durations, c.seconds())
	}
	if n := float64(k.TotalConversations); n > 0 {
		k.AvgMessagesPerConversation = float64(k.TotalMessages) / n
		k.ConversionRate = float64(k.TotalLeads) / n * 100
		k.AvgConversationDuration /= n
		k.MedianConversationDuration = percentile(durations, 0.5)
		k.P90ConversationDuration = percentile(durations, 0.9)
	}
	return k, flagged
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// percentile interpolates between the two values around the place p of the sorted list.
func percentile(values []float64, p float64) float64 {
	slices.Sort(values)
	index := p * float64(len(values)-1)
	below := math.Floor(index)
	low, high := values[int(below)], values[int(math.Ceil(index))]
	return low + (high-low)*(index-below)
}

func TestTranscript(t *testing.T) {
	db := open(t)
	at := time.Date(2026, 11, 1, 4, 59, 59, 999e6, time.UTC)
	conv := event.Conversation{ConversationID: `una "sesión"\	#1`, ConversationStartedAt: at}
	write(t, db, []event.Recorded{
		{Position: 1, ID: event.DerivedID("1"), OccurredAt: at, Payload: &event.ConversationStarted{Conversation: conv, Channel: "web"}},
		{Position: 2, ID: event.DerivedID("2"), OccurredAt: at, Payload: &event.VisitorMessageSent{
			Conversation: conv, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: "¿hola? 6123-4567", Masked: "¿hola? [teléfono]"}}},
		{Position: 3, ID: event.DerivedID("3"), OccurredAt: at.Add(time.Second), Payload: &event.AssistantReplied{
			Conversation: conv, Progress: event.Progress{Ordinal: 2, ActiveMillis: 1000}, Text: event.Text{Text: "Sí.\nDígame."}, Model: "clinica-1"}},
	})
	got, err := db.Reader(build).Messages(t.Context(), conv.ConversationID)
	if err != nil {
		t.Fatal(err)
	}
	want := []analytics.Message{
		{ID: event.DerivedID("2"), Ordinal: 1, Visitor: true, Text: "¿hola? [teléfono]", SentAt: at},
		{ID: event.DerivedID("3"), Ordinal: 2, Text: "Sí.\nDígame.", Model: "clinica-1", SentAt: at.Add(time.Second)},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := db.Reader(build).Messages(t.Context(), "no such conversation"); err != nil || got == nil || len(got) != 0 {
		t.Errorf("an unknown conversation gives %v, %v; want an empty list", got, err)
	}
}

func TestASearchMeansItsLettersAndNoPattern(t *testing.T) {
	db := open(t)
	at := time.Date(2026, 11, 1, 15, 0, 0, 0, time.UTC)
	conv := event.Conversation{ConversationID: "a", ConversationStartedAt: at}
	write(t, db, []event.Recorded{
		{Position: 1, ID: event.DerivedID("1"), OccurredAt: at, Payload: &event.ConversationStarted{Conversation: conv, Channel: "web"}},
		{Position: 2, ID: event.DerivedID("2"), OccurredAt: at, Payload: &event.VisitorMessageSent{
			Conversation: conv, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: "¿Cuánto CUESTA (aprox.) la muela del NIÑO?\nPINGÜINO, 8+2"}}},
	})
	for search, found := range map[string]int{
		"cuanto cuesta": 1, "CUÁNTO": 1, "cúesta": 1, "(aprox.)": 1, "niño?\npinguino": 1, "pingüino": 1, "8+2": 1, strings.Repeat("a", 1000): 0,
		"nino": 0, "cuest.": 0, "aprox..": 0, "c.*a": 0, "[aá]": 0, "8|2": 0, `\d`: 0, "(": 1, "^": 0, "%": 0,
	} {
		c := analytics.Cohort{Period: analytics.Period{From: at, To: at.Add(time.Hour)}, Filter: analytics.Filter{Search: search}}
		if n, err := db.Reader(build).ConversationCount(t.Context(), c); err != nil || n != found {
			t.Errorf("%d conversations contain %q, want %d: %v", n, search, found, err)
		}
	}
}

func TestAQuestionEndsWithItsReader(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := db.Reader(build)
	running := func() (n uint64) {
		if err := reader.row(t.Context(), "SELECT count() FROM system.processes WHERE query LIKE '%/* left behind */%' AND query NOT LIKE '%processes%'", nil, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		var n uint64
		answered <- reader.row(ctx, "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number)) /* left behind */", nil, &n)
	}()
	for running() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := <-answered; err == nil {
		t.Fatal("it was answered")
	}
	for deadline := time.Now().Add(20 * time.Second); running() > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the question still runs")
		}
	}
}
