package event

// Unreadable stands in for the payload of an event that this program cannot read: its type
// or version is not known here, or its data is damaged. It is never written.
type Unreadable struct {
	Type    string
	Version int
	Reason  error
}

// EventType implements [Payload].
func (u *Unreadable) EventType() string { return u.Type }
