package clickhouse

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/projections/projectionstest"
)

// told is a conversation as a person would count it from the log, message by message.
type told struct {
	analytics.Conversation
	sent []time.Time
}

// tell recounts a log without any of what projections are made of.
func tell(log []event.Recorded) []*told {
	byID := map[string]*told{}
	for _, e := range log {
		c, ok := byID[e.Stream]
		if !ok {
			c = &told{Conversation: analytics.Conversation{ID: e.Stream, StartedAt: e.OccurredAt}}
			byID[e.Stream] = c
		}
		switch p := e.Payload.(type) {
		case *event.ConversationStarted:
			c.Channel = p.Channel
		case *event.VisitorMessageSent, *event.AssistantReplied:
			c.Messages++
			c.LastMessageAt = e.OccurredAt
			c.sent = append(c.sent, e.OccurredAt)
		case *event.LeadCaptured:
			c.Lead = true
		case *event.AppointmentBooked:
			c.Appointment = true
		case *event.AppointmentCancelled:
			c.Cancelled = true
		}
	}
	return slices.SortedFunc(maps.Values(byID), func(a, b *told) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(b.ID, a.ID))
	})
}

func (c *told) seconds() float64 {
	var sum time.Duration
	for i := 1; i < len(c.sent); i++ {
		sum += min(c.sent[i].Sub(c.sent[i-1]), 1800*time.Second)
	}
	return sum.Seconds()
}

// kpis counts the conversations that started in a period.
func kpis(list []*told) (k analytics.KPIs) {
	var durations []float64
	for _, c := range list {
		k.TotalConversations++
		k.TotalMessages += c.Messages
		k.TotalLeads += count(c.Lead)
		k.TotalAppointments += count(c.Appointment)
		k.CancelledAppointments += count(c.Cancelled)
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
	return k
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
	place := p * float64(len(values)-1)
	below := math.Floor(place)
	low, high := values[int(below)], values[int(math.Ceil(place))]
	return low + (high-low)*(place-below)
}

func TestNumbersEqualARecountOfTheLog(t *testing.T) {
	db := open(t)
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		log := projectionstest.Log().Draw(t, "log")
		for _, batch := range projectionstest.Batches(log).Draw(t, "batches") {
			write(t, db, batch)
		}
		all, reader := tell(log), db.Reader(build)
		for range 4 {
			p := period(t, all)
			var want []*told
			for _, c := range all {
				if !c.StartedAt.Before(p.From) && c.StartedAt.Before(p.To) {
					want = append(want, c)
				}
			}
			counts, err := reader.Counts(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(kpis(want), counts.KPIs(), cmpopts.EquateApprox(1e-12, 1e-9)); diff != "" {
				t.Fatalf("KPIs of %v (-recount +ClickHouse):\n%s", p, diff)
			}
			if n, err := reader.ConversationCount(ctx, p); err != nil || n != len(want) {
				t.Fatalf("total of %v is %d, want %d (%v)", p, n, len(want), err)
			}
			list := []analytics.Conversation{}
			for _, c := range want {
				list = append(list, c.Conversation)
			}
			checkList(t, reader, p, list)
		}
	})
}

// period draws a window whose ends lie on or beside the start of a conversation.
func period(t *rapid.T, all []*told) analytics.Period {
	ends := rapid.OneOf(projectionstest.Instant(), rapid.Custom(func(t *rapid.T) time.Time {
		beside := time.Duration(rapid.IntRange(-1, 1).Draw(t, "beside")) * time.Millisecond
		return rapid.SampledFrom(all).Draw(t, "conversation").StartedAt.Add(beside)
	}))
	p := analytics.Period{From: ends.Draw(t, "from"), To: ends.Draw(t, "to")}
	if p.To.Before(p.From) {
		p.From, p.To = p.To, p.From
	}
	return p
}

// checkList reads the list at once and in pages.
func checkList(t *rapid.T, reader *Reader, p analytics.Period, want []analytics.Conversation) {
	got, err := reader.Conversations(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("list of %v (-recount +ClickHouse):\n%s", p, diff)
	}
	limit := rapid.IntRange(1, 3).Draw(t, "limit")
	paged := []analytics.Conversation{}
	for after := (*analytics.Cursor)(nil); ; {
		page, err := reader.ConversationPage(context.Background(), p, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > limit {
			t.Fatalf("a page of %d holds %d", limit, len(page))
		}
		if paged = append(paged, page...); len(page) < limit {
			break
		}
		after = new(page[len(page)-1].Cursor())
	}
	if diff := gocmp.Diff(want, paged); diff != "" {
		t.Fatalf("pages of %v (-recount +ClickHouse):\n%s", p, diff)
	}
}

func TestTranscript(t *testing.T) {
	db := open(t)
	at := time.Date(2026, 11, 1, 4, 59, 59, 999e6, time.UTC)
	conv := event.Conversation{ConversationID: `una "sesión"\	#1`, ConversationStartedAt: at}
	write(t, db, []event.Recorded{
		{Position: 1, ID: event.DerivedID("1"), OccurredAt: at, Payload: &event.ConversationStarted{Conversation: conv, Channel: "web"}},
		{Position: 2, ID: event.DerivedID("2"), OccurredAt: at, Payload: &event.VisitorMessageSent{
			Conversation: conv, Place: event.Place{Ordinal: 1}, Text: event.Text{Text: "¿hola? 6123-4567", Masked: "¿hola? [teléfono]"}}},
		{Position: 3, ID: event.DerivedID("3"), OccurredAt: at.Add(time.Second), Payload: &event.AssistantReplied{
			Conversation: conv, Place: event.Place{Ordinal: 2, ActiveMillis: 1000}, Text: event.Text{Text: "Sí.\nDígame."}, Model: "clinica-1"}},
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
