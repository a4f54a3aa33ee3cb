package contacts

import (
	"errors"
	"testing"
	"time"

	"bitacora/domain/event"
)

func TestRequestsAreListedUntilTheyAreDone(t *testing.T) {
	r, m := opened()
	asks := func(ref Ref, id string, days int) {
		m.record(ref.Stream(), &event.PrivacyRequestReceived{
			Contact: event.Contact{Kind: ref.Kind, ContactID: ref.ID, ContactAt: noon}, RequestID: id, Request: "copy", DueAt: noon.AddDate(0, 0, days),
		})
	}
	stranger := Ref{Lead, "c2"} // has left no contact
	asks(form, "r1", 9)
	asks(lead, "r2", 8)
	asks(stranger, "r3", 7)
	list := func(done bool) (ids string) {
		t.Helper()
		found, err := r.Requests(t.Context(), done)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found {
			ids += " " + c.ID
		}
		return ids
	}
	if got := list(false); got != " c2 c1 m1" {
		t.Errorf("open:%s", got)
	}
	for range 2 {
		c, err := r.FinishRequest(t.Context(), lead, "r2", event.RequestGranted, Change{"r2", "s1"})
		if err != nil || len(c.Requests) != 1 || c.Requests[0].Open() || c.Requests[0].By != "s1" || c.Requests[0].Outcome != event.RequestGranted || !c.Requests[0].DoneAt.Equal(noon.Add(time.Hour)) {
			t.Fatalf("%+v, %v", c.Requests, err)
		}
	}
	if got := list(false); got != " c2 m1" {
		t.Errorf("open:%s", got)
	}
	if got := list(true); got != " c2 m1 c1" {
		t.Errorf("all:%s", got)
	}
	before := len(m.events)
	for name, err := range map[string]error{
		"another outcome": second(r.FinishRequest(t.Context(), form, "r1", "lost", Change{"x", "s1"})),
		"no such request": second(r.FinishRequest(t.Context(), form, "r9", event.RequestEmpty, Change{"y", "s1"})),
		"nobody":          second(r.FinishRequest(t.Context(), Ref{Message, "m9"}, "r1", event.RequestEmpty, Change{"z", "s1"})),
	} {
		if err == nil || len(m.events) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.FinishRequest(t.Context(), form, "r9", event.RequestEmpty, Change{"y", "s1"}); !errors.Is(err, ErrNoRequest) {
		t.Errorf("%v", err)
	}
}

func TestAWithdrawnContactIsNotToBeCalled(t *testing.T) {
	_, m := opened()
	conv := event.Conversation{ConversationID: lead.ID, ConversationStartedAt: noon}
	m.record(lead.Stream(), &event.ConsentWithdrawn{Conversation: conv})
	own := func() (events []event.Recorded) {
		for _, e := range m.events {
			if e.Stream == lead.Stream() {
				events = append(events, e)
			}
		}
		return events
	}
	if c := Fold(lead, own()); !c.Withdrawn || c.Phone+c.Email != "" || c.Name != "Ana" {
		t.Errorf("%+v", c)
	}
	m.record(lead.Stream(), &event.LeadCaptured{Conversation: conv, Name: "Ana", Phone: "+50769009999"})
	if c := Fold(lead, own()); c.Withdrawn || c.Phone != "+50769009999" || c.Email != "" {
		t.Errorf("%+v", c)
	}
}
