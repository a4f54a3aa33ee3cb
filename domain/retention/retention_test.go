package retention

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestParseRules(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"conversations=24mo": "conversations=24mo",
		" leads=3y , conversations=400d,contact-messages=1y": "conversations=400d,leads=36mo,contact-messages=12mo",
	} {
		rules, err := ParseRules(text)
		if err != nil || rules.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, rules, err, want)
		}
		if again, err := ParseRules(rules.String()); err != nil || again.String() != want {
			t.Errorf("%q is read again as %q, %v", rules, again, err)
		}
	}
	for text, part := range map[string]string{
		"conversations":                          "age like",
		"conversations=":                         "age like",
		"conversations=24":                       "age like",
		"conversations=24m":                      "age like",
		"conversations=+24mo":                    "age like",
		"conversations=-24mo":                    "between",
		"conversations=0mo":                      "between",
		"conversations=29d":                      "between",
		"conversations=51y":                      "between",
		"conversations=99999999999999999999d":    "age like",
		"visits=24mo":                            "none of",
		"staff=24mo":                             "none of",
		"leads=24mo,leads=36mo":                  "twice",
		"conversations=24mo contact-messages=3y": "age like",
	} {
		if rules, err := ParseRules(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, %v; want an error that says %q", text, rules, err, part)
		}
	}
}

// FuzzRules: whatever is accepted is accepted again as it is, and never for less than a month.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{"", "conversations=24mo", "leads=3y,contact-messages=400d", "leads=30d", "leads==1y", ",,"} {
		f.Add(seed)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseRules(text)
		if err != nil {
			return
		}
		if again, err := ParseRules(rules.String()); err != nil || again.String() != rules.String() {
			t.Errorf("%q is %q, and that %q, %v", text, rules, again, err)
		}
		for kind, age := range rules {
			if since := now.Sub(age.Before(now)); since < 28*24*time.Hour {
				t.Errorf("%q keeps %s for %v", text, kind, since)
			}
		}
	})
}

func TestAnAgeEndsWithItsMonth(t *testing.T) {
	for _, c := range []struct{ age, now, want string }{
		{"1mo", "2027-03-31T03:00:00-05:00", "2027-02-28T03:00:00-05:00"},
		{"1mo", "2028-03-31T03:00:00-05:00", "2028-02-29T03:00:00-05:00"},
		{"1mo", "2027-03-28T23:59:00-05:00", "2027-02-28T23:59:00-05:00"},
		{"1mo", "2027-03-01T00:01:00-05:00", "2027-02-01T00:01:00-05:00"},
		{"1mo", "2026-12-31T23:59:00-05:00", "2026-11-30T23:59:00-05:00"},
		{"1mo", "2027-01-01T00:01:00-05:00", "2026-12-01T00:01:00-05:00"},
		{"3mo", "2027-05-31T03:00:00-05:00", "2027-02-28T03:00:00-05:00"},
		{"1y", "2028-02-29T03:00:00-05:00", "2027-02-28T03:00:00-05:00"},
		{"4y", "2032-02-29T03:00:00-05:00", "2028-02-29T03:00:00-05:00"},
		{"30d", "2027-03-31T03:00:00-05:00", "2027-03-01T03:00:00-05:00"},
	} {
		rules, err := ParseRules("leads=" + c.age)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules[Leads].Before(now).Format(time.RFC3339); got != c.want {
			t.Errorf("%s before %s is %s, want %s", c.age, c.now, got, c.want)
		}
	}
}

func TestWhoIsDue(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	old, recent := now.AddDate(0, -25, 0), now.AddDate(0, -23, 0)
	var c Census
	at := old
	add := func(stream string, payloads ...event.Payload) {
		for _, p := range payloads {
			c.Add(event.Recorded{Stream: stream, OccurredAt: at, Payload: p})
		}
	}
	started, lead := &event.ConversationStarted{}, &event.LeadCaptured{}
	booked := func(id, replaces string, slot time.Time) event.Payload {
		return &event.AppointmentBooked{BookingID: id, Replaces: replaces, Slot: slot}
	}
	add("old", started)
	add("old visit", &event.VisitStarted{})
	add("old staff", &event.StaffSignedIn{})
	add("old lead", started, lead)
	add("old message", &event.ContactMessageReceived{})
	add("erased", started)
	add("unreadable", started, &event.Unreadable{})
	add("comes", started, lead, booked("b", "", now.Add(time.Hour)))
	add("came lately", started, lead, booked("b", "", recent))
	add("cancelled", started, lead, booked("b", "", now.Add(time.Hour)), &event.AppointmentCancelled{BookingID: "b"})
	add("moved back", started, lead, booked("b", "", now.Add(time.Hour)), booked("c", "b", old.Add(time.Hour)))
	add("wrote again", started)
	add("was called", &event.ContactMessageReceived{})
	at = recent
	add("old", &event.TextsMasked{}, &event.QuestionLabelled{})
	add("recent", started)
	add("wrote again", &event.VisitorMessageSent{})
	add("was called", &event.ContactStatusChanged{})

	for rules, want := range map[string]string{
		"":                          "",
		"conversations=24mo":        "old",
		"conversations=26mo":        "",
		"conversations=22mo":        "old,recent,wrote again",
		"leads=24mo":                "cancelled,old lead,moved back",
		"contact-messages=24mo":     "old message",
		"leads=2y,conversations=2y": "old,cancelled,old lead,moved back",
	} {
		parsed, err := ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range c.Due(parsed, now, map[string]bool{"erased": true}) {
			got = append(got, d.Stream)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q: %v, want %s", rules, got, want)
		}
	}
}
