package chat

import (
	"context"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Service answers visitors: it stores a message before anybody reads it, asks the assistant, and
// stores the reply before anybody sees it.
type Service struct {
	Log          Log
	Understander Understander
	// Further understands what the Understander may have not, and may take its time; nil for none.
	Further   Understander
	Assistant Assistant
	// Danger hears of a danger that no phrase of package danger names; nil: only phrases count.
	Danger danger.Classifier
	// Clinic is what appointments are arranged for; its zone decides when a month begins.
	Clinic clinic.Clinic
	// SiteURL is the site's own address, "https://clinica.example", under which followed
	// booking links are counted; empty: they lead to the form directly.
	SiteURL string
	// MonthlyLimit is the number of conversations allowed in a month; nil for no limit.
	MonthlyLimit *int
	// PerAddress bounds the conversations that begin from the address of a message; nil: none is bound.
	PerAddress *event.AddressLimit
	// ReplyTimeout bounds the assistant's work on one message, and StoreTimeout how long the log
	// may take before it and after it: to store the message, and the reply.
	ReplyTimeout, StoreTimeout time.Duration
	// Running ends when the program is about to stop: assistants that others wait for are then
	// cut short, and what is known without them is answered and stored. Nil: never.
	Running context.Context
	// Queue is shared by the services of a process; nil: nobody waits for each other.
	Queue *Queue
	// Wait pauses for a random part of a time, or until ctx ends; nil: not at all.
	Wait func(ctx context.Context, longest time.Duration)
	Now  func() time.Time
	// NewID draws a UUID.
	NewID func() string
}

// Log is the part of the event log that a conversation needs.
type Log interface {
	// ReadStream gives all events of a stream in order; none if it does not exist.
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	// Append stores all drafts or none. It answers [event.ErrConflict] when the stream
	// moved on, [event.ErrMonthlyLimitReached] when the month is full, [event.AddressLimitReached] when
	// an address began as much as it may and [event.ErrSlotTaken] when no claimed chair is
	// free.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
	// Taken lists when the named chairs of the agenda are taken between two instants.
	Taken(ctx context.Context, chairs []string, from, to time.Time) ([]clinic.Taken, error)
}

// Errors of [Service.Receive] and [Service.Transcript], beside [Invalid].
var (
	// ErrLimitReached: the month's conversations are used up, so no new one begins.
	ErrLimitReached = fault.New(fault.LimitReached, "monthly limit of conversations is reached")
	// ErrAssistantFailed: the message is stored, and there is no reply to it.
	ErrAssistantFailed = fault.New(fault.Upstream, "assistant failed to reply")
	// ErrErased: the person's data was erased, and the conversation ended with it.
	ErrErased = fault.New(fault.Erased, "conversation was erased")
	// ErrRestricted: the person's data are kept and not used, so the conversation goes no further.
	ErrRestricted = fault.New(fault.Forbidden, "conversation is restricted")
	// ErrBound: the conversation belongs to a browser whose cookie the caller does not show.
	ErrBound = fault.New(fault.Forbidden, "conversation is bound to another browser")
	// ErrNotYours: the conversation does not exist or belongs to another browser.
	ErrNotYours = fault.New(fault.NotFound, "conversation is not the caller's")
	// ErrLost: the log does not hold the accepted message any more, since a standby that lacked it
	// became the primary. Sending it again is safe, and needed.
	ErrLost = fault.New(fault.Unavailable, "the message was lost")
	// ErrBusy: too much is said in the conversation at once. Repeating the message later, with
	// the same id, is safe.
	ErrBusy = fault.New(fault.Busy, "conversation is busy")
)

// now is in whole milliseconds of UTC: what the log, the projections and the ends of a
// date range all agree on.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
