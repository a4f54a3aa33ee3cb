// Package staff answers the calls of the clinic's staff: the session, the dashboard, contacts,
// transcripts, exports and the stream that says when there is new data.
package staff

import (
	"context"
	"time"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chartnotes"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/staff"
	"bitacora/domain/subjects"
	"bitacora/domain/teaching"
	"bitacora/domain/waiting"
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
	// OthersActed says whether there is something new to see.
	OthersActed OthersActed
	// ProviderUsage is what the assistant's provider was used for on the day of an instant; it gives
	// nil without one. Nil: there is none.
	ProviderUsage func(ctx context.Context, at time.Time) (*analytics.ProviderUsage, error)
	// Demo says whether the log began as a demo; nil: it did not.
	Demo func(context.Context) (bool, error)
	// Log holds the transcripts, and records who opened one.
	Log      Log
	Bookings booking.Recorder
	// Contacts are the people to call back, and Colleagues those who write notes about them.
	Contacts *contacts.Register
	// Waiting are the people whom the clinic has to call.
	Waiting    *waiting.Register
	Colleagues Colleagues
	// Meanings gives the meanings of some texts; texts of the same one are alike.
	Meanings func(ctx context.Context, texts []string) ([]string, error)
	// Questions dismisses what visitors asked.
	Questions Questions
	// Persons are what is kept of whoever left a contact, and WriteCopy writes it into a file.
	Persons   *subjects.Register
	WriteCopy WriteCopy
	// Teaching changes what the assistant answers, and Taught is called once it did.
	Teaching *teaching.Register
	Taught   func()
	// ChartNotes are what the staff wrote into the chart.
	ChartNotes *chartnotes.Register
	// Clinic has the business zone, which says what a date in a query means, and the hours.
	Clinic clinic.Clinic
}

// Handlers answer the staff's calls.
type Handlers struct {
	SignIn    *SignInHandler
	Accounts  *AccountsHandler
	Dashboard *DashboardHandler
	Contacts  *ContactsHandler
	Waiting   *WaitingHandler
	Answers   *AnswersHandler
}

// New is the handlers of the staff's calls.
func New(c Config, now func() time.Time, respond web.Responder) Handlers {
	readings := readings{log: c.Log, now: now}
	cohorts := cohortReader{clinic: c.Clinic, live: c.Live, readings: readings}
	return Handlers{
		SignIn: &SignInHandler{
			Responder: respond, Authenticator: c.Authenticator, Clinic: c.Clinic.Name, OpenSessions: c.OpenSessions,
			Register: c.Accounts, SecondFactorRequired: c.SecondFactorRequired, now: now,
		},
		Accounts: &AccountsHandler{
			Responder: respond, Clinic: c.Clinic, Authenticator: c.Authenticator, Colleagues: c.Colleagues,
			LatestOfStaff: c.LatestOfStaff, OpenSessions: c.OpenSessions, Register: c.Accounts, now: now,
		},
		Dashboard: &DashboardHandler{
			Responder: respond, Authenticator: c.Authenticator, Bookings: c.Bookings, Clinic: c.Clinic, Demo: c.Demo, Live: c.Live,
			Log: c.Log, MonthlyUsage: c.MonthlyUsage, OthersActed: c.OthersActed, ProviderUsage: c.ProviderUsage,
			ChartNotes: c.ChartNotes, Colleagues: c.Colleagues, Waiting: c.Waiting, cohorts: cohorts,
		},
		Contacts: &ContactsHandler{
			Responder: respond, Bookings: c.Bookings, Clinic: c.Clinic, Colleagues: c.Colleagues, Contacts: c.Contacts, Live: c.Live,
			Persons: c.Persons, Waiting: c.Waiting, WriteCopy: c.WriteCopy, readings: readings,
		},
		Waiting: &WaitingHandler{Responder: respond, Colleagues: c.Colleagues, Waiting: c.Waiting, readings: readings},
		Answers: &AnswersHandler{
			Responder: respond, Clinic: c.Clinic, Colleagues: c.Colleagues, Live: c.Live, Meanings: c.Meanings, Questions: c.Questions,
			Taught: c.Taught, Teaching: c.Teaching, cohorts: cohorts, previews: make(chan struct{}, 1),
		},
	}
}
