package event

// StaffSignedIn records a successful login to the dashboard.
type StaffSignedIn struct {
	StaffID string `json:"staffId"`
}

// TranscriptOpened records who read which conversation.
type TranscriptOpened struct {
	StaffID        string `json:"staffId"`
	ConversationID string `json:"conversationId"`
}
