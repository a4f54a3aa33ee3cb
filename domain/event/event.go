// Package event is the vocabulary of the log: every fact the clinic's chatbot
// records, in the past tense and with one meaning each. A fact is decided by the
// domain as a [Draft], appended to a stream, and read back as a [Recorded] event.
package event

import (
	"errors"
	"fmt"
	"time"

	"bitacora/domain/fault"
)

// Payload is what one kind of event says. Its exported fields are the clear part,
// stored as JSON; personal data is kept apart, see [Personal].
type Payload interface {
	// EventType is the name under which the payload is stored, for example
	// "VisitorMessageSent". It never changes once an event was recorded.
	EventType() string
}

// Personal is implemented by payloads that carry personal data. The log seals these
// fields under the key of the event's stream, so that destroying one key erases one
// person. They are excluded from the clear JSON.
type Personal interface {
	PersonalFields() []Field
}

// Field is one personal text of a payload: its name in the sealed part, and where its
// value lives.
type Field struct {
	Name  string
	Value *string
}

// Draft is an event that was decided and is not yet in the log.
type Draft struct {
	// ID is a UUID. The same ID with the same payload is appended once.
	ID string
	// OccurredAt is when the fact happened, in milliseconds of UTC.
	OccurredAt time.Time
	Payload    Payload
	// Metadata says how the event came about (request id, [Channel]); it never
	// decides anything.
	Metadata map[string]string
}

// Channel is the key of the metadata that names where an event came from, on events that are
// not a visitor's or the staff's own: "demo" for what was made up.
const Channel = "channel"

// Recorded is an event of the log.
type Recorded struct {
	// Position is the place in the whole log: 1, 2, 3 … without holes, in commit order.
	Position int64
	ID       string
	Stream   string
	// Version is the place in the stream: 1, 2, 3 …
	Version    int
	OccurredAt time.Time
	// RecordedAt is when the log took the event, by the database's clock.
	RecordedAt time.Time
	Payload    Payload
	Metadata   map[string]string
	// Erased says that the personal fields are gone because the stream's key was
	// destroyed; they are then empty.
	Erased bool
}

// AnyVersion appends to a stream whatever its version is.
const AnyVersion = -1

// Append is one atomic request to the log: all its drafts are stored, or none.
type Append struct {
	Stream string
	// ExpectedVersion is the stream's version the decision was made on (0: the stream
	// does not exist yet), or [AnyVersion].
	ExpectedVersion int
	Drafts          []Draft
	// MonthlyLimit, if set, is taken in the same transaction.
	MonthlyLimit *MonthlyLimit
	// Claim, if set, takes a chair in the same transaction.
	Claim *Claim
	// Release is the booking whose chair is released in the same transaction, so that
	// an appointment can be moved to a time that overlaps it; empty for none.
	Release string
}

// Claim takes one of several chairs for a time. No other booking has that chair then.
type Claim struct {
	BookingID string `json:"booking"`
	// Chairs are tried in order; the first one that is free for the whole time is taken.
	Chairs []string  `json:"places"`
	Begins time.Time `json:"begins"`
	Ends   time.Time `json:"ends"`
}

// MonthlyLimit counts a conversation against the limit of a calendar month.
type MonthlyLimit struct {
	// Month is the business-zone month, "2006-01".
	Month string
	// Limit is the number of conversations allowed in the month; nil only counts.
	Limit *int
	// AddressLimit, if set, bounds what one address takes of it.
	AddressLimit *AddressLimit
}

// AddressLimit is how many conversations one address may begin.
type AddressLimit struct {
	// Address is the client's address, or the network of an IPv6 address. It is not stored.
	Address string
	// Hourly are those within an hour, Daily those within 24 hours; Daily 0 is no bound.
	Hourly, Daily int
}

// AddressLimitReached says that an address began as many conversations as it may; nothing was
// stored.
type AddressLimitReached struct {
	// Wait is how long it takes until it may begin another.
	Wait time.Duration
}

func (e AddressLimitReached) Error() string {
	return fmt.Sprintf("the address may begin no conversation for %v", e.Wait)
}

// Errors of an append.
var (
	// ErrConflict: the stream moved on since the decision was made. Decide anew.
	ErrConflict = errors.New("stream has another version than expected")
	// ErrMonthlyLimitReached: the month's allowance is used up; nothing was stored.
	ErrMonthlyLimitReached = errors.New("monthly quota is exhausted")
	// ErrSlotTaken: none of the claimed chairs is free; nothing was stored.
	ErrSlotTaken = fault.New(fault.Conflict, "no claimed chair is free")
	// ErrIDReused: the event id is taken by an event that says something else.
	ErrIDReused = fault.New(fault.Invalid, "event id is taken by a different event")
)
