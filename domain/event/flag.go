package event

// What in a conversation asks for the staff's attention.
const (
	// FlagCrisis: the visitor speaks of ending or harming their own life.
	FlagCrisis = "crisis"
	// FlagEmergency: the visitor writes of a danger to life that no dental clinic treats.
	FlagEmergency = "emergency"
	// FlagUrgency: the visitor writes of a dental urgency.
	FlagUrgency = "urgency"
	// FlagComplaint: the visitor complains about the clinic.
	FlagComplaint = "complaint"
	// FlagCallback: the visitor asks to be called, or to speak with a person.
	FlagCallback = "callback"
)

// Flags are all of them, the gravest first.
var Flags = []string{FlagCrisis, FlagEmergency, FlagUrgency, FlagComplaint, FlagCallback}

// ConversationFlagged says that a visitor's message asks for the staff's attention. It is
// appended with the reply to that message, once for each flag of a conversation.
type ConversationFlagged struct {
	Conversation
	// Flag is one of the constants of this file.
	Flag string `json:"flag"`
	// MessageID is the visitor's message that raised it.
	MessageID string `json:"messageId"`
}

// EventType implements [Payload].
func (*ConversationFlagged) EventType() string { return "ConversationFlagged" }
