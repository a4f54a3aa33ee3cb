package analytics

import "time"

// Contacts are those that came in a period, as far as a kind and a status, empty for any,
// let them through.
type Contacts struct {
	Period
	Kind, Status string
}

// Contact is what is known of a contact without anything personal.
type Contact struct {
	// Kind is "lead" or "message".
	Kind string
	// ID is that of the lead's conversation, or of the message.
	ID string
	// CameAt is when the lead's conversation started, or the message was received.
	CameAt time.Time
	Status string
}

// ContactCounts is what is counted of contacts.
type ContactCounts struct {
	ByStatus map[string]int
	// LastPosition is that of the last event that tells of one of them.
	LastPosition int64
}

// Of is how many have a status; empty: how many there are.
func (c ContactCounts) Of(status string) (n int) {
	for known, count := range c.ByStatus {
		if status == "" || status == known {
			n += count
		}
	}
	return n
}

// ContactCursor is the place after which a page of contacts goes on. They are ordered
// newest first: by time, kind and id, all descending.
type ContactCursor struct {
	CameAt   time.Time
	Kind, ID string
}

// Cursor is the place of the contact in the list.
func (c Contact) Cursor() ContactCursor {
	return ContactCursor{CameAt: c.CameAt, Kind: c.Kind, ID: c.ID}
}
