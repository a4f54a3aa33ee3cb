package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
)

var tuesdayAt10 = time.Date(2026, 11, 24, 15, 0, 0, 0, time.UTC)

func form(id string) ExternalBooking {
	return ExternalBooking{
		ConversationID: ConversationID("web", "s"), BookingID: id, Source: "form", Slot: tuesdayAt10, Specialty: "ortodoncia",
		Contact: Contact{Name: "Ana", Phone: "+50761234567"}, Consent: true, NoticeVersion: "form-1",
	}
}

func TestABookingOfTheFormBringsItsLeadAndIsRecordedOnce(t *testing.T) {
	v := newVisit(t)
	v.says("hola", Understanding{})
	for range 3 {
		if _, err := v.service.Book(context.Background(), form("f1")); err != nil {
			t.Fatal(err)
		}
	}
	if got := v.log.types(v.stream()); !strings.HasSuffix(got, "BookingLinkShown ConsentGiven LeadCaptured AppointmentBooked") {
		t.Errorf("events: %s", got)
	}
	if len(v.log.chairs) != 1 {
		t.Errorf("chairs %v", v.log.chairs)
	}
	for range 2 {
		if err := v.service.CancelBooking(context.Background(), v.conversation().ID, "f1", "form", ""); err != nil {
			t.Fatal(err)
		}
	}
	if v.count("AppointmentCancelled") != 1 || len(v.log.chairs) != 0 {
		t.Errorf("events: %s, chairs %v", v.log.types(v.stream()), v.log.chairs)
	}
	if _, err := v.service.Book(context.Background(), form("f1")); err != nil || v.count("AppointmentBooked") != 1 {
		t.Errorf("a repeated webhook booked again, or failed: %v", err)
	}
}

// What is booked is recorded in the clear, whatever a form calls it.
func TestAFormsWordsHoldNothingPersonal(t *testing.T) {
	v := newVisit(t)
	v.says("hola", Understanding{})
	b := form("f1")
	b.Specialty, b.Contact.Name = "control de Ana, 6123-4567", "Ana Ruiz"
	if _, err := v.service.Book(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if got, want := v.conversation().Appointment.Specialty, "control de [nombre], [teléfono]"; got != want {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

func TestWhatCannotBeBookedFromOutside(t *testing.T) {
	v := newVisit(t)
	v.says("hola", Understanding{})
	var invalid Invalid
	for name, test := range map[string]struct {
		change func(*ExternalBooking)
		is     func(error) bool
	}{
		"no conversation": {func(b *ExternalBooking) { b.ConversationID = "x" }, func(err error) bool { return errors.Is(err, ErrNoConversation) }},
		"no contact":      {func(b *ExternalBooking) { b.Contact = Contact{} }, func(err error) bool { return errors.As(err, &invalid) }},
		"no consent":      {func(b *ExternalBooking) { b.Consent = false }, func(err error) bool { return errors.As(err, &invalid) }},
	} {
		b := form("f1")
		test.change(&b)
		if _, err := v.service.Book(context.Background(), b); err == nil || !test.is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := v.service.CancelBooking(context.Background(), v.conversation().ID, "", "staff", "s1"); !errors.Is(err, ErrNoBooking) {
		t.Errorf("cancel without a booking: %v", err)
	}
}

func TestASlotOfTheChatIsTakenForTheFormToo(t *testing.T) {
	v := newVisit(t)
	v.toConfirm()
	v.says("sí", yes)
	other := newVisit(t)
	other.log, other.session = v.log, "other"
	other.service.Log = v.log
	other.service.NewID = func() string { other.n++; return fmt.Sprint("other-", other.n) }
	other.says("hola", Understanding{})
	b := form("f1")
	b.ConversationID = other.conversation().ID
	if _, err := other.service.Book(context.Background(), b); !errors.Is(err, event.ErrSlotTaken) {
		t.Fatalf("got %v", err)
	}
	b = form("f1")
	if _, err := v.service.Book(context.Background(), b); err != nil {
		t.Errorf("the appointment's own slot: %v", err)
	}
	if c := v.conversation(); c.Appointment.ID != "f1" || len(v.log.chairs) != 1 {
		t.Errorf("appointment %+v, chairs %v", c.Appointment, v.log.chairs)
	}
}

func TestAFollowedLinkIsCountedOnceAndOnlyIfItWasShown(t *testing.T) {
	v := newVisit(t)
	plain := v.service.Clinic.Links.Booking
	if address, err := v.service.OpenLink(context.Background(), "unknown"); address != plain || err != nil {
		t.Errorf("unknown reference: %s, %v", address, err)
	}
	v.service.SiteURL = "https://clinica.example"
	reply := v.says("hola", Understanding{})
	id := v.conversation().ID
	if !strings.Contains(reply, "https://clinica.example/r/"+id) || strings.Contains(reply, plain) {
		t.Errorf("reply: %s", reply)
	}
	for range 3 {
		if address, err := v.service.OpenLink(context.Background(), id); address != plain+"?ref="+id || err != nil {
			t.Errorf("address %s, %v", address, err)
		}
	}
	if v.count("BookingLinkOpened") != 1 || v.count("AppointmentBooked") != 0 {
		t.Errorf("events: %s", v.log.types(v.stream()))
	}
}
