package event

// SubscriptionRequested says that an e-mail address was given for the clinic's newsletter. Each is a
// stream, and so a subject, of its own, whose id only whoever reads that mailbox is told.
type SubscriptionRequested struct {
	SubscriptionID string `json:"subscriptionId"`
	Email          string `json:"-"`
}

// PersonalFields implements [Personal].
func (s *SubscriptionRequested) PersonalFields() []Field { return []Field{{"email", &s.Email}} }

// SubscriptionConfirmed says that whoever reads the mailbox wants the newsletter.
type SubscriptionConfirmed struct {
	SubscriptionID string `json:"subscriptionId"`
	// NoticeVersion is that of the notice about personal data at that time.
	NoticeVersion string `json:"noticeVersion"`
}

// SubscriptionStream is the stream of a subscription.
func SubscriptionStream(id string) string { return "subscription/" + id }

// EventType implements [Payload].
func (*SubscriptionRequested) EventType() string { return "SubscriptionRequested" }
func (*SubscriptionConfirmed) EventType() string { return "SubscriptionConfirmed" }
