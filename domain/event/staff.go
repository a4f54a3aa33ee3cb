package event

import "time"

// StaffSignedIn records a successful login to the dashboard.
type StaffSignedIn struct {
	StaffID string `json:"staffId"`
}

// StaffSignInFailed records that somebody showed a wrong password or a wrong code; one is kept for each
// account and minute, so that guessing does not fill the log.
type StaffSignInFailed struct {
	// StaffID is the account whose name was given; empty where there is none of that name.
	StaffID string `json:"staffId,omitempty"`
}

// StaffSignedOut records that somebody ended their session.
type StaffSignedOut struct {
	StaffID string `json:"staffId"`
}

// TranscriptOpened records who read which conversation.
type TranscriptOpened struct {
	StaffID        string `json:"staffId"`
	ConversationID string `json:"conversationId"`
}

// VisitorTextsRead records that somebody of the staff was given texts of visitors beside those that have an
// event of their own, or asked which conversations or contacts hold some words. It is recorded before the
// answer is sent. The same answer to the same question within an hour is recorded once: the dashboard
// repeats its questions by itself.
type VisitorTextsRead struct {
	StaffID string `json:"staffId"`
	// List is what was read: "questions", "person" or "waiting", in earlier logs "unanswered", "displeasing" or "labels" too; or what was searched:
	// "conversations" or "contacts".
	List string `json:"list"`
	// From and To bound the period that was asked about; zero for a person and who waits.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// Words is a keyed hash of what was searched: the same for the same words within a key epoch.
	Words string `json:"words,omitempty"`
	// Rows is how many texts, or records of a person, were given; 0 for a search.
	Rows int `json:"rows,omitempty"`
	// ConversationIDs and ContactIDs are those that the rows name.
	ConversationIDs []string `json:"conversationIds,omitempty"`
	ContactIDs      []string `json:"contactIds,omitempty"`
}

// ExportTaken records who took data of people away as a file.
type ExportTaken struct {
	// StaffID is an account, or [ByOperator].
	StaffID string `json:"staffId"`
	// Rows are conversations, messages, contacts or views, in earlier logs labels too.
	Rows   string `json:"rows"`
	Format string `json:"format"`
}

// AccountChange is what events about an account have in common.
type AccountChange struct {
	StaffID string `json:"staffId"`
	// By is the account that made the change, or [ByOperator].
	By string `json:"by"`
}

// ByActor is an event that names who did it beside whom it was done to.
type ByActor interface{ Actor() string }

// Actor implements [ByActor].
func (c AccountChange) Actor() string { return c.By }

// ByOperator stands for an account where somebody works on the command line.
const ByOperator = "operator"

// StaffAccountAdded records a new account.
type StaffAccountAdded struct {
	AccountChange
	Role string `json:"role"`
}

// StaffRoleChanged records that an account may do something else from then on.
type StaffRoleChanged struct {
	AccountChange
	Role string `json:"role"`
}

// StaffPasswordChanged records a new password, which ended other sessions.
type StaffPasswordChanged struct {
	AccountChange
}

// StaffSecondFactorChanged records that an account is asked for codes beside its password, or no
// longer. It ended other sessions.
type StaffSecondFactorChanged struct {
	AccountChange
	On bool `json:"on"`
}

// StaffRecoveryCodeUsed records a sign-in, or a change of the second factor, with a recovery code
// in the place of the app's.
type StaffRecoveryCodeUsed struct {
	StaffID string `json:"staffId"`
	// Left is how many the account has yet.
	Left int `json:"left"`
}

// StaffCodeBudgetSpent records that an account may be shown no more wrong codes for now, from browsers in
// which it did not sign in before, or from one in which it did: somebody knows its password. One is kept
// for each account and day.
type StaffCodeBudgetSpent struct {
	StaffID string `json:"staffId"`
}

// StaffSessionsEnded records that sessions were ended before their time.
type StaffSessionsEnded struct {
	AccountChange
	Sessions int `json:"sessions"`
}

// StaffAccountRemoved records that an account is gone, with its sessions.
type StaffAccountRemoved struct {
	AccountChange
}

// EventType implements [Payload].
func (*StaffSignedIn) EventType() string            { return "StaffSignedIn" }
func (*StaffSignInFailed) EventType() string        { return "StaffSignInFailed" }
func (*StaffSignedOut) EventType() string           { return "StaffSignedOut" }
func (*TranscriptOpened) EventType() string         { return "TranscriptOpened" }
func (*VisitorTextsRead) EventType() string         { return "VisitorTextsRead" }
func (*ExportTaken) EventType() string              { return "ExportTaken" }
func (*StaffAccountAdded) EventType() string        { return "StaffAccountAdded" }
func (*StaffRoleChanged) EventType() string         { return "StaffRoleChanged" }
func (*StaffPasswordChanged) EventType() string     { return "StaffPasswordChanged" }
func (*StaffSecondFactorChanged) EventType() string { return "StaffSecondFactorChanged" }
func (*StaffRecoveryCodeUsed) EventType() string    { return "StaffRecoveryCodeUsed" }
func (*StaffCodeBudgetSpent) EventType() string     { return "StaffCodeBudgetSpent" }
func (*StaffSessionsEnded) EventType() string       { return "StaffSessionsEnded" }
func (*StaffAccountRemoved) EventType() string      { return "StaffAccountRemoved" }
