package analytics

import (
	"testing"
	"time"

	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

func TestRecountCountsContactsAndRatings(t *testing.T) {
	zone := time.FixedZone("Panama", -5*3600)
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, zone)
	r := NewRecount()
	a, b := event.Conversation{ConversationID: "a"}, event.Conversation{ConversationID: "b"}
	lead, message := event.Contact{Kind: contacts.Lead, ContactID: "a"}, event.Contact{Kind: contacts.Message, ContactID: "m"}
	for _, p := range []event.Payload{
		&event.ConversationStarted{Conversation: a},
		&event.ConsentGiven{Conversation: a},
		&event.ConsentGiven{Conversation: a},
		&event.AssistantFailed{Conversation: a},
		&event.AssistantFailed{Conversation: a},
		&event.LeadCaptured{Conversation: a},
		&event.ConversationFlagged{Conversation: a, Flag: event.FlagComplaint},
		&event.ConversationFlagged{Conversation: a, Flag: event.FlagComplaint},
		&event.ConversationFlagged{Conversation: b, Flag: event.FlagCallback},
		&event.ReplyRated{Conversation: a, Ordinal: 2, Rating: event.RatedPositive},
		&event.ReplyRated{Conversation: a, Ordinal: 2, Rating: event.RatedNegative},
		&event.ReplyRated{Conversation: a, Ordinal: 4, Rating: event.RatedPositive},
		&event.ReplyRated{Conversation: a, Ordinal: 6, Rating: event.RatedPositive},
		&event.ReplyRated{Conversation: a, Ordinal: 6, Rating: event.RatedNone},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "1", Outcome: event.OutcomeCame},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "1", Outcome: event.OutcomeMissed},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "2", Outcome: event.OutcomeCame},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "3", Outcome: event.OutcomeCancelledLate},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "4", Outcome: event.OutcomeCame},
		&event.AppointmentOutcomeRecorded{Conversation: a, BookingID: "4", Outcome: event.OutcomeUnknown},
		&event.AppointmentCancelled{Conversation: b, BookingID: "of an unread booking"},
		&event.AppointmentBooked{Conversation: b, BookingID: "5"},
		&event.AppointmentCancelled{Conversation: b, BookingID: "5"},
		&event.ChatRefused{Month: "2026-11"},
		&event.ChatRefused{Month: "left out"},
		&event.BookingLinkShown{Conversation: a},
		&event.BookingLinkShown{Conversation: a},
		&event.BookingLinkOpened{Conversation: b},
		&event.AnswerTaught{Version: 1},
		&event.AnswerUndone{Version: 1},
		&event.TranscriptOpened{StaffID: "s"},
		&event.LogExported{},
		&event.ContactNoteAdded{Contact: lead},
		&event.ContactStatusChanged{Contact: lead, Status: contacts.Contacted},
		&event.ConversationStarted{Conversation: b},
		&event.ContactStatusChanged{Contact: event.Contact{Kind: contacts.Lead, ContactID: "b"}, Status: contacts.Contacted},
		&event.ContactMessageReceived{ContactID: "m"},
		&event.ContactStatusChanged{Contact: message, Status: contacts.Contacted},
		&event.ContactStatusChanged{Contact: message, Status: contacts.New},
		&event.ContactMessageReceived{ContactID: "left out"},
	} {
		r.Add(event.Recorded{OccurredAt: at, Payload: p})
	}
	want := Day{
		Date: "2026-11-20", Conversations: 2, Appointments: 1, CancelledAppointments: 1, Failures: 2, Consents: 1, Leads: 1, Flags: 2,
		Contacts: 2, NewContacts: 1, ContactNotes: 1, PositiveRatings: 1, NegativeRatings: 1, Came: 1, Missed: 1, CancelledLate: 1,
		Bookings: 5, CancelledBookings: 1, StatusChanges: 5, Refusals: 1, BookingLinks: 1, FollowedBookingLinks: 1, AnswerChanges: 2, DataAccesses: 2,
	}
	days := r.Days(zone, map[string]bool{"left out": true})
	if len(days) != 1 || days[0] != want {
		t.Errorf("got %+v, want %+v", days, want)
	}
}

func TestRecountCountsMessageByMessage(t *testing.T) {
	zone := time.FixedZone("Panama", -5*3600)
	start := time.Date(2026, 11, 20, 23, 59, 0, 0, zone)
	r := NewRecount()
	tell := func(id string, after time.Duration, p event.Payload) {
		r.Add(event.Recorded{Stream: "conversation/" + id, OccurredAt: start.Add(after).UTC(), Payload: p})
	}
	a, b := event.Conversation{ConversationID: "a"}, event.Conversation{ConversationID: "b"}
	tell("a", 0, &event.ConversationStarted{Conversation: a})
	tell("a", 0, &event.VisitorMessageSent{Conversation: a})
	tell("a", 2*time.Second, &event.AssistantReplied{Conversation: a})
	tell("b", time.Minute, &event.ConversationStarted{Conversation: b})
	tell("b", time.Minute, &event.VisitorMessageSent{Conversation: b})
	tell("a", 2*time.Hour, &event.VisitorMessageSent{Conversation: a})
	tell("a", 2*time.Hour, &event.LeadCaptured{Conversation: a})
	tell("a", 2*time.Hour, &event.AppointmentBooked{Conversation: a})
	tell("a", 2*time.Hour, &event.AppointmentBooked{Conversation: a})
	r.Add(event.Recorded{Payload: &event.Unreadable{}})

	day := Period{From: time.Date(2026, 11, 20, 0, 0, 0, 0, zone), To: time.Date(2026, 11, 21, 0, 0, 0, 0, zone)}
	want := Counts{Conversations: 1, Messages: 3, Leads: 1, Appointments: 1, TotalActiveMillis: 1_802_000, MedianActiveMillis: 1_802_000, P90ActiveMillis: 1_802_000}
	if got := r.Counts(day); got != want {
		t.Errorf("counts of the day: got %+v, want %+v", got, want)
	}
	both := Period{From: day.From, To: day.To.AddDate(0, 0, 1)}
	if got := r.Counts(both); got.Conversations != 2 || got.Messages != 4 || got.MedianActiveMillis != 901_000 {
		t.Errorf("counts of both days: got %+v", got)
	}
	if days := r.Days(zone, nil); len(days) != 2 || days[0].Date != "2026-11-20" || days[0].VisitorMessages != 2 || days[1].Messages != 1 {
		t.Errorf("days: got %+v", days)
	}
	if days := r.Days(zone, map[string]bool{"a": true}); len(days) != 1 || r.Unreadable != 1 {
		t.Errorf("without a: got %+v; unreadable %d", days, r.Unreadable)
	}
}
