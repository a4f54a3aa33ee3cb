package analytics

import "time"

// Conversation is a line of the conversation list, with its flags as of now.
type Conversation struct {
	ID            string
	StartedAt     time.Time
	LastMessageAt time.Time
	Messages      int
	Lead          bool
	Appointment   bool
	// Cancelled says that the booking was taken back, and that none followed.
	Cancelled bool
	Channel   string
	Referrer  string
	Consent   bool
	// VisitorMessages are those of the Messages that the visitor wrote.
	VisitorMessages int
	// Unanswered are replies that knew no answer, Failures messages without a reply.
	Unanswered, Failures int
	// Active is the time between messages, each gap counted up to 30 minutes.
	Active time.Duration
	// Topics and BookingSources are sorted.
	Topics, BookingSources []string
	// Flags are what asks for the staff's attention, see [event.ConversationFlagged]; sorted.
	Flags []string
	// OutOfHours says that it began while the clinic was closed.
	OutOfHours bool
}

// Cursor is the place after which a page of the list goes on. The list is ordered newest
// first: by start, then by id, both descending.
type Cursor struct {
	StartedAt time.Time
	ID        string
}

// Cursor is the place of the conversation in the list.
func (c Conversation) Cursor() Cursor { return Cursor{StartedAt: c.StartedAt, ID: c.ID} }

// Page is a part of the list.
type Page struct {
	// After is the place that it comes after; nil is the list's beginning.
	After *Cursor
	// Offset is how many conversations are passed over from there.
	Offset int
	// Limit is the most that it holds.
	Limit int
}

// Message is a line of a transcript.
type Message struct {
	ID      string
	Ordinal int
	// Visitor is true for the visitor's messages, false for the assistant's.
	Visitor bool
	// Text has contact details masked. It is empty once the person was erased.
	Text string
	// Model is the AI model of a reply; empty if unknown.
	Model  string
	SentAt time.Time
}

// Line is a message with what is known of it.
type Line struct {
	ConversationID        string
	ConversationStartedAt time.Time
	Ordinal               int
	SentAt                time.Time
	// Visitor is true for the visitor's messages, false for the assistant's.
	Visitor bool
	// Text has contact details masked. It is empty once the person was erased.
	Text                   string
	Topic, Provider, Model string
	// What is not known is nil.
	LatencyMillis, TokensIn, TokensOut *uint32
	// Answered is nil for the visitor's messages.
	Answered *bool
	// Intent is what the message that a reply answers was taken for, or the label of an imported one.
	Intent, RunnerUp string
	// Answer is the slug of the clinic's answer that a reply gave, NextAnswer that of the next one.
	Answer, NextAnswer string
	// Confidences and likelihoods are from 0 to 1; nil where they are not known.
	Confidence, RunnerUpConfidence, Likelihood, NextLikelihood *float32
}
