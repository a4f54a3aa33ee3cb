// Package staff answers the calls of the clinic's staff: the session, the dashboard, contacts,
// transcripts, exports and the stream that says when there is new data.
package staff

import (
	"context"
	"time"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/staff"
)

// Config names what the staff's calls need.
type Config struct {
	Authenticator *Authenticator
	// Accounts changes accounts and passwords, and takes down who did.
	Accounts     *staff.Register
	OpenSessions OpenSessions
	// SecondFactorRequired leaves accounts without a second factor nothing but setting one up.
	SecondFactorRequired bool
	// LatestOfStaff is what owners see of what everybody did.
	LatestOfStaff LatestOfStaff
	// Live gives the tables that the dashboard reads.
	Live         Live
	MonthlyUsage *MonthlyUsage
	// ProviderUsage is what the assistant's provider was used for on the day of an instant; it gives
	// nil without one. Nil: there is none.
	ProviderUsage func(ctx context.Context, at time.Time) (*analytics.ProviderUsage, error)
	// Demo says whether the log began as a demo; nil: it did not.
	Demo func(context.Context) (bool, error)
	// Log holds the transcripts, and records who opened one.
	Log      Log
	Bookings booking.Recorder
	// Contacts are the people to call back, and Colleagues those who write notes about them.
	Contacts   Contacts
	Colleagues Colleagues
	// Questions dismisses what visitors asked.
	Questions Questions
	// Persons are what is kept of whoever left a contact, and WriteCopy writes it into a file.
	Persons   Persons
	WriteCopy WriteCopy
	// Teaching changes what the assistant answers, and Taught is called once it did.
	Teaching Teaching
	Taught   func()
	// Clinic has the business zone, which says what a date in a query means, and the hours.
	Clinic clinic.Clinic
}

// Handler answers the staff's calls.
type Handler struct {
	Config
	web.Responder
	now       func() time.Time
	liveState liveState
	// previews holds those that run.
	previews chan struct{}
}

// New is the handler of the staff's calls.
func New(c Config, now func() time.Time, respond web.Responder) *Handler {
	return &Handler{Config: c, Responder: respond, now: now, previews: make(chan struct{}, 1)}
}
