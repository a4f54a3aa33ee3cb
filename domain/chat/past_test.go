package chat

import (
	"reflect"
	"testing"
	"time"

	"bitacora/domain/event"
)

func past(at time.Time) Past {
	return Past{
		Source: "import", Key: "ws-1", ContentHash: "h",
		Messages: []PastMessage{
			{Text: "Bienvenido", At: at.Add(-time.Minute)},
			{FromVisitor: true, Text: "quiero una cita", At: at, Intent: "agendar_cita"},
			{Text: "¿Para cuándo?", At: at.Add(12 * time.Second), Reply: Reply{Model: "m"}},
			{Text: "¿Y su teléfono?", At: at.Add(12 * time.Second)},
			{FromVisitor: true, Text: "6123-4567", At: at.Add(time.Hour)},
			{Failed: true, At: at.Add(time.Hour + time.Second)},
		},
		Lead:        &PastLead{At: at.Add(time.Hour), Contact: Contact{Phone: "+50761234567"}},
		Appointment: &PastAppointment{At: at.Add(2 * time.Hour), Slot: at.Add(48 * time.Hour), Source: "chat", CancelledAt: at.Add(3 * time.Hour)},
	}
}

func TestPastIsRecordedAtItsOwnTimes(t *testing.T) {
	at := time.Date(2020, 8, 1, 4, 59, 59, 999_400_000, time.UTC)
	a, err := past(at).Decide(panama)
	if err != nil {
		t.Fatal(err)
	}
	started := at.Truncate(time.Millisecond)
	want := []struct {
		kind     string
		after    time.Duration
		progress event.Progress
		answer   string
	}{
		{"ConversationStarted", 0, event.Progress{}, ""},
		{"VisitorMessageSent", 0, event.Progress{Ordinal: 1}, ""},
		{"AssistantReplied", 12 * time.Second, event.Progress{Ordinal: 2, ActiveMillis: 12_000}, "m1"},
		{"AssistantReplied", 12 * time.Second, event.Progress{Ordinal: 3, ActiveMillis: 12_000}, ""},
		{"VisitorMessageSent", time.Hour, event.Progress{Ordinal: 4, ActiveMillis: 1_812_000}, ""},
		{"ConsentGiven", time.Hour, event.Progress{}, ""},
		{"LeadCaptured", time.Hour, event.Progress{}, ""},
		{"AssistantFailed", time.Hour + time.Second, event.Progress{}, "m4"},
		{"AppointmentBooked", 2 * time.Hour, event.Progress{}, ""},
		{"AppointmentCancelled", 3 * time.Hour, event.Progress{}, ""},
	}
	if len(a.Drafts) != len(want) {
		t.Fatalf("%d events, want %d", len(a.Drafts), len(want))
	}
	for i, w := range want {
		d := a.Drafts[i]
		if d.Payload.EventType() != w.kind || d.OccurredAt != started.Add(w.after) {
			t.Errorf("event %d: %s at %v, want %s at %v", i, d.Payload.EventType(), d.OccurredAt, w.kind, started.Add(w.after))
		}
		switch p := d.Payload.(type) {
		case *event.VisitorMessageSent:
			if p.Progress != w.progress {
				t.Errorf("event %d: progress %+v, want %+v", i, p.Progress, w.progress)
			}
		case *event.AssistantReplied:
			if p.Progress != w.progress || p.ReplyTo != w.answer {
				t.Errorf("event %d: progress %+v to %q, want %+v to %q", i, p.Progress, p.ReplyTo, w.progress, w.answer)
			}
		case *event.AssistantFailed:
			if p.ReplyTo != w.answer {
				t.Errorf("failure answers %q, want %q", p.ReplyTo, w.answer)
			}
		}
	}
	if a.MonthlyLimit == nil || a.MonthlyLimit.Month != "2020-07" || a.MonthlyLimit.Limit != nil {
		t.Errorf("quota = %+v, want July in Panama without a limit", a.MonthlyLimit)
	}
	again, err := past(at).Decide(panama)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, again) {
		t.Error("deciding twice gave two different appends")
	}
}

func TestPastThatCannotHaveHappened(t *testing.T) {
	at := time.Date(2020, 8, 1, 12, 0, 0, 0, time.UTC)
	tests := map[string]func(*Past){
		"no visitor message":      func(p *Past) { p.Messages = p.Messages[:1] },
		"lead without contact":    func(p *Past) { p.Lead.Contact = Contact{Name: "Ana"} },
		"appointment, no lead":    func(p *Past) { p.Lead = nil },
		"appointment before lead": func(p *Past) { p.Appointment.At = at },
		"unknown source":          func(p *Past) { p.Appointment.Source = "phone" },
		"cancelled before booked": func(p *Past) { p.Appointment.CancelledAt = at },
		"lead before the start":   func(p *Past) { p.Lead.At = at.Add(-time.Hour) },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			p := past(at)
			change(&p)
			if _, err := p.Decide(panama); err == nil {
				t.Error("it was decided all the same")
			}
		})
	}
}
