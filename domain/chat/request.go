package chat

import (
	"slices"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Requested is a request about the visitor's own data that nobody has done yet.
type Requested struct {
	ID      string
	Request privacy.Request
	DueAt   time.Time
}

// requestTexts are the texts that answer each request.
var requestTexts = map[privacy.Request]string{
	privacy.Withdraw: "pide-retiro", privacy.Copy: "pide-copia", privacy.Erase: "pide-borrado",
}

// requested reports a request about the visitor's data in the message. A plain refusal of the consent that
// the dialogue asked for is none.
func (t *turn) requested() bool {
	refuses := t.asked() == StepConsent && !t.c.Consent && slices.Equal(t.u.Requests, []privacy.Request{privacy.Withdraw})
	return len(t.u.Requests) > 0 && !refuses
}

// takeRequests takes requests down, each once as long as it is not done, and says what becomes of
// them. A consent that is taken back ends with the message.
func takeRequests(t *turn) {
	for _, r := range t.u.Requests {
		open, known := t.c.requestFor(r)
		if !known {
			open = Requested{ID: event.DerivedID("request", t.c.ID, t.messageID, string(r)), Request: r, DueAt: t.clinic.Calendar().RequestDue(t.at, r)}
			t.record(&event.PrivacyRequestReceived{Contact: t.c.asContact(), RequestID: open.ID, Request: string(r), DueAt: open.DueAt})
		}
		t.due = open.DueAt
		t.say(requestTexts[r])
		if r == privacy.Withdraw {
			t.add(t.c.withdraw(t.at))
		}
	}
}

// goOnAfterRequest returns to what is being arranged, unless that would need what was asked to be
// left alone.
func goOnAfterRequest(t *turn) {
	switch {
	case t.asked() == StepIdle:
	case slices.Equal(t.u.Requests, []privacy.Request{privacy.Copy}):
		t.say("seguimos")
		t.askAgain()
	default:
		t.reset()
	}
}

// withdraw decides that a consent is taken back; nothing where there is none. Nobody is called any
// more who was to be.
func (c *Conversation) withdraw(at time.Time) []event.Payload {
	if !c.Consent {
		return nil
	}
	decided := []event.Payload{&event.ConsentWithdrawn{Conversation: c.carried()}}
	if c.Lead {
		decided = append(decided, &event.ContactStatusChanged{Contact: c.asContact(), Status: statusDiscarded, StaffID: event.ByVisitor})
	}
	return c.record(at, decided...)
}

// What the visitor's own word makes of the lead, see [event.ContactStatusChanged].
const (
	statusNew       = "new"
	statusDiscarded = "discarded"
)

// asContact is what events about the visitor as somebody's contact carry.
func (c *Conversation) asContact() event.Contact {
	return event.Contact{Kind: "lead", ContactID: c.ID, ContactAt: c.StartedAt}
}

func (c *Conversation) requestFor(r privacy.Request) (open Requested, ok bool) {
	i := slices.IndexFunc(c.Requests, func(open Requested) bool { return open.Request == r })
	if i < 0 {
		return Requested{}, false
	}
	return c.Requests[i], true
}
