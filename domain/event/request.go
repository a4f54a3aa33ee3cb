package event

import "time"

// PrivacyRequestReceived says that somebody asked for something about their own data: on the
// stream of the conversation or of the contact message in which they did.
type PrivacyRequestReceived struct {
	Contact
	// RequestID names the request.
	RequestID string `json:"requestId"`
	// Request is "erase", "copy" or "withdraw".
	Request string `json:"request"`
	// DueAt is when it must have been done at the latest.
	DueAt time.Time `json:"dueAt"`
}

// What became of a request.
const (
	// RequestGranted: it was done as it was asked for.
	RequestGranted = "granted"
	// RequestEmpty: there was nothing of that person.
	RequestEmpty = "empty"
	// RequestRefused: nobody could confirm who asked, or the law has something kept.
	RequestRefused = "refused"
)

// RequestOutcomes are all of them.
var RequestOutcomes = []string{RequestGranted, RequestEmpty, RequestRefused}

// PrivacyRequestDone says what became of a request. It holds nothing personal, so that it is
// readable after an erasure, too.
type PrivacyRequestDone struct {
	Contact
	RequestID string `json:"requestId"`
	// Outcome is one of [RequestOutcomes].
	Outcome string `json:"outcome"`
	// By is an account, or [ByVisitor].
	By string `json:"by"`
}

// Actor implements [ByActor].
func (d *PrivacyRequestDone) Actor() string { return d.By }

// ConsentWithdrawn says that the visitor took a consent back: what was given is used no more to
// reach them. It holds until they agree anew.
type ConsentWithdrawn struct {
	Conversation
}

// EventType implements [Payload].
func (*PrivacyRequestReceived) EventType() string { return "PrivacyRequestReceived" }
func (*PrivacyRequestDone) EventType() string     { return "PrivacyRequestDone" }
func (*ConsentWithdrawn) EventType() string       { return "ConsentWithdrawn" }
