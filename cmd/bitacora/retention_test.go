package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/retention"
)

// aged appends what somebody said once, and what came of it, and gives the stream.
func aged(t *testing.T, a *app.App, key, text string, at time.Time, lead bool, slot time.Time) string {
	t.Helper()
	p := chat.Past{Source: "import", Key: key, Messages: []chat.PastMessage{
		{FromVisitor: true, Text: text, At: at}, {Text: "Con gusto.", At: at.Add(time.Second)},
	}}
	if lead {
		p.Lead = &chat.PastLead{At: at.Add(time.Minute), Contact: chat.Contact{Name: "Yoselin Xol", Phone: "+50761234567"}}
	}
	if !slot.IsZero() {
		p.Appointment = &chat.PastAppointment{At: at.Add(2 * time.Minute), Slot: slot, Source: "chat", Specialty: "ortodoncia"}
	}
	request, err := p.Decide(a.Clinic.Zone)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.DB.Log().Append(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	return request.Stream
}

// TestRetentionErasesWhatIsOld: by age and kind, after a look, and no number changes.
func TestRetentionErasesWhatIsOld(t *testing.T) {
	p := programtest.NewProgram(t, "BITACORA_RETENTION=conversations=24mo,leads=36mo,contact-messages=36mo")
	p.Start()
	a := p.App()
	now := time.Now().UTC().Truncate(time.Millisecond)
	two, three := now.AddDate(0, -25, 0), now.AddDate(0, -37, 0)
	none := time.Time{}
	streams := map[string]string{
		"old":          aged(t, a, "old", "me duele la muela desde ayer", two, false, none),
		"recent":       aged(t, a, "recent", "me duele la muela desde ayer", two.AddDate(0, 2, 0), false, none),
		"young lead":   aged(t, a, "young lead", "me duele la muela desde ayer", two, true, none),
		"old lead":     aged(t, a, "old lead", "yoselin otra vez, me duele la muela", three, true, none),
		"comes":        aged(t, a, "comes", "me duele la muela desde ayer", three, true, now.AddDate(0, 1, 0)),
		"form, old":    event.ContactStream("c1"),
		"form, recent": event.ContactStream("c2"),
	}
	for id, at := range map[string]time.Time{"c1": three, "c2": two} {
		if _, err := a.DB.Log().Append(t.Context(), event.Append{Stream: event.ContactStream(id), ExpectedVersion: 0, Drafts: []event.Draft{{
			ID: uuid.NewString(), OccurredAt: at,
			Payload: &event.ContactMessageReceived{ContactID: id, Channel: "web", NoticeVersion: "1", Name: "Ana", Email: "ana@correo.example", Message: "hola"},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	p.Applied(a)
	counted := func() analytics.Counts {
		t.Helper()
		p.Applied(a)
		counts, err := a.Tables.Reader("b1").Counts(t.Context(), analytics.Cohort{Period: analytics.Period{From: three.AddDate(0, 0, -1), To: now}})
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	gone := func() (names []string) {
		t.Helper()
		for name, stream := range streams {
			events, err := a.DB.Log().ReadStream(t.Context(), stream)
			if err != nil {
				t.Fatal(err)
			}
			erased := slices.ContainsFunc(events, func(e event.Recorded) bool { return e.Erased })
			if id, ok := strings.CutPrefix(stream, chat.Stream("")); ok {
				said, err := a.Tables.Reader("b1").Messages(t.Context(), id)
				if err != nil || len(said) != 2 || (said[0].Text == "") != erased {
					t.Errorf("%s: erased %v, and the tables hold %+v, %v", name, erased, said, err)
				}
			}
			if erased {
				names = append(names, name)
			}
		}
		return names
	}
	before := counted()
	out := p.MustRun("retention")
	for _, part := range []string{
		"conversations     " + two.In(a.Clinic.Zone).Format("2006-01") + "        1\n", "leads             " + three.In(a.Clinic.Zone).Format("2006-01") + "        1\n",
		"contact-messages  " + three.In(a.Clinic.Zone).Format("2006-01") + "        1\n", "nothing was erased",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
	if names := gone(); names != nil {
		t.Fatalf("a look erased %v", names)
	}

	if out := p.MustRun("retention", "--apply"); !strings.Contains(out, "erased: 1 conversations, 1 leads, 1 contact-messages") {
		t.Error(out)
	}
	names := strings.Join(gone(), " ")
	if len(names) != len("old old lead form, old") || !strings.Contains(names, "old lead") || !strings.Contains(names, "form, old") {
		t.Errorf("%s are gone", names)
	}
	if after := counted(); after != before {
		t.Errorf("the numbers were %+v, and are %+v", before, after)
	}
	if out := p.MustRun("retention", "--apply"); !strings.Contains(out, "nobody's data are older") {
		t.Error(out)
	}
	decisions, err := a.DB.Log().ReadStream(t.Context(), event.OperatorStream)
	if err != nil || len(decisions) != 1 {
		t.Fatalf("%d decisions, %v", len(decisions), err)
	}
	want := event.RetentionApplied{Rules: "conversations=24mo,leads=36mo,contact-messages=36mo", OperatorAct: event.OperatorAct{By: event.ByOperator}, Conversations: 1, Leads: 1, ContactMessages: 1}
	if got := *decisions[0].Payload.(*event.RetentionApplied); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

func TestRetentionIsOffUntilItIsSet(t *testing.T) {
	a := &app.App{Config: settings.Config{}}
	if err := privacy.ShowRetention(t.Context(), a, true); err == nil || !strings.Contains(err.Error(), "BITACORA_RETENTION is not set") {
		t.Error(err)
	}
	privacy.Retain(t.Context(), a) // returns at once
	if _, err := settings.Load([]string{"BITACORA_RETENTION=visits=1d"}); err == nil || !strings.Contains(err.Error(), "BITACORA_RETENTION: \"visits\" is none of what is kept") {
		t.Error(err)
	}
	if c, err := settings.Load([]string{"BITACORA_RETENTION="}); err != nil || len(c.Retention) != 0 {
		t.Error(c.Retention, err)
	}
}

func TestTheMonthsOfWhoIsDueAreTheClinics(t *testing.T) {
	for heard, month := range map[string]string{
		"2024-11-01T04:59:59Z": "2024-10", "2024-11-01T05:00:00Z": "2024-11", "2025-01-01T00:01:00Z": "2024-12", "2024-03-01T04:59:00Z": "2024-02",
	} {
		at, err := time.Parse(time.RFC3339, heard)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := privacy.PrintDue(&out, []retention.Due{{Kind: retention.Leads, Heard: at}}, clinic.Default().Zone); err != nil || !strings.Contains(out.String(), "leads  "+month+"        1\n") {
			t.Errorf("heard of at %s: %v\n%s", heard, err, &out)
		}
	}
}

func TestTheNightComesOnceADay(t *testing.T) {
	zone := time.FixedZone("Panama", -5*60*60)
	for now, want := range map[string]string{
		"2026-11-22T00:00:00-05:00": "2026-11-22T03:00:00-05:00", "2026-11-22T02:59:59-05:00": "2026-11-22T03:00:00-05:00",
		"2026-11-22T03:00:00-05:00": "2026-11-23T03:00:00-05:00", "2026-12-31T23:00:00-05:00": "2027-01-01T03:00:00-05:00",
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := privacy.NextNight(at.In(zone)).Format(time.RFC3339); got != want {
			t.Errorf("after %s: %s, want %s", now, got, want)
		}
	}
}
