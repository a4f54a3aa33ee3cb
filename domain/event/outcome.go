package event

import "time"

// Outcomes of an appointment. A cancellation is late where the day was already lost to the clinic.
const (
	OutcomeCame          = "came"
	OutcomeMissed        = "missed"
	OutcomeCancelledLate = "cancelled-late"
	// OutcomeUnknown takes an earlier outcome back.
	OutcomeUnknown = "unknown"
)

// Outcomes are all of them.
var Outcomes = []string{OutcomeCame, OutcomeMissed, OutcomeCancelledLate, OutcomeUnknown}

// AppointmentOutcomeRecorded contains the outcome of an appointment. The last one counts. It repeats the
// booking, so that a projection can write its row from this event alone.
type AppointmentOutcomeRecorded struct {
	Conversation
	Booked
	BookingID string `json:"bookingId"`
	Outcome   string `json:"outcome"`
	// Source is who reports it: "form" or "staff".
	Source string `json:"source"`
	// StaffID is who marked it, where Source is "staff".
	StaffID string `json:"staffId,omitempty"`
	// BookedAt, Slot, BookedBy and Specialty are those of the booking; Specialty only where the clinic offers it.
	BookedAt  time.Time `json:"bookedAt"`
	Slot      time.Time `json:"slot"`
	BookedBy  string    `json:"bookedBy"`
	Specialty string    `json:"specialty,omitempty"`
}

// EventType implements [Payload].
func (*AppointmentOutcomeRecorded) EventType() string { return "AppointmentOutcomeRecorded" }
