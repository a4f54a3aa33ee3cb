package event

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Kind declares one event type: how it is named, which version of its clear part this
// program writes, and how older versions become the current one.
type Kind struct {
	Version int
	New     func() Payload
	// Upcast[v-1] turns the clear JSON of version v into that of version v+1; nil where that only
	// adds fields which may be missing.
	Upcast []Upcast
}

// Upcast turns the clear JSON of one version of an event type into that of the next.
type Upcast func(json.RawMessage) (json.RawMessage, error)

var kinds = byType(
	Kind{Version: 1, New: func() Payload { return new(VisitStarted) }},
	Kind{Version: 1, New: func() Payload { return new(WidgetOpened) }},
	Kind{Version: 2, New: func() Payload { return new(ConversationStarted) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(VisitorMessageSent) }},
	Kind{Version: 2, New: func() Payload { return new(AssistantReplied) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(AssistantFailed) }},
	Kind{Version: 1, New: func() Payload { return new(ChatRefused) }},
	Kind{Version: 1, New: func() Payload { return new(ConsentGiven) }},
	Kind{Version: 1, New: func() Payload { return new(ContactGiven) }},
	Kind{Version: 1, New: func() Payload { return new(LeadCaptured) }},
	Kind{Version: 2, New: func() Payload { return new(ReplyRated) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(QuestionLabelled) }},
	Kind{Version: 1, New: func() Payload { return new(BookingLinkShown) }},
	Kind{Version: 1, New: func() Payload { return new(BookingLinkOpened) }},
	Kind{Version: 3, New: func() Payload { return new(AppointmentBooked) }, Upcast: []Upcast{nil, nil}},
	Kind{Version: 2, New: func() Payload { return new(AppointmentCancelled) }, Upcast: []Upcast{nil}},
	Kind{Version: 2, New: func() Payload { return new(AppointmentOutcomeRecorded) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(ConversationFlagged) }},
	Kind{Version: 1, New: func() Payload { return new(ConversationBound) }},
	Kind{Version: 2, New: func() Payload { return new(TextsMasked) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(ContactMessageReceived) }},
	Kind{Version: 2, New: func() Payload { return new(ContactMessagesOpened) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(ContactStatusChanged) }},
	Kind{Version: 1, New: func() Payload { return new(ContactNoteAdded) }},
	Kind{Version: 1, New: func() Payload { return new(ContactAttempted) }},
	Kind{Version: 1, New: func() Payload { return new(ContactAttemptUndone) }},
	Kind{Version: 1, New: func() Payload { return new(SubscriptionRequested) }},
	Kind{Version: 1, New: func() Payload { return new(SubscriptionConfirmed) }},
	Kind{Version: 1, New: func() Payload { return new(PrivacyRequestReceived) }},
	Kind{Version: 1, New: func() Payload { return new(PrivacyRequestDone) }},
	Kind{Version: 1, New: func() Payload { return new(ConsentWithdrawn) }},
	Kind{Version: 2, New: func() Payload { return new(AnswerTaught) }, Upcast: []Upcast{nil}},
	Kind{Version: 2, New: func() Payload { return new(AnswerUndone) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(QuestionsReplayed) }},
	Kind{Version: 1, New: func() Payload { return new(ChartNoted) }},
	Kind{Version: 1, New: func() Payload { return new(StaffSignedIn) }},
	Kind{Version: 1, New: func() Payload { return new(TranscriptOpened) }},
	Kind{Version: 1, New: func() Payload { return new(VisitorTextsRead) }},
	Kind{Version: 1, New: func() Payload { return new(StaffSignInFailed) }},
	Kind{Version: 1, New: func() Payload { return new(StaffSignedOut) }},
	Kind{Version: 3, New: func() Payload { return new(ExportTaken) }, Upcast: []Upcast{nil, nil}},
	Kind{Version: 1, New: func() Payload { return new(StaffAccountAdded) }},
	Kind{Version: 1, New: func() Payload { return new(StaffRoleChanged) }},
	Kind{Version: 1, New: func() Payload { return new(StaffPasswordChanged) }},
	Kind{Version: 1, New: func() Payload { return new(StaffSessionsEnded) }},
	Kind{Version: 1, New: func() Payload { return new(StaffSecondFactorChanged) }},
	Kind{Version: 1, New: func() Payload { return new(StaffRecoveryCodeUsed) }},
	Kind{Version: 1, New: func() Payload { return new(StaffCodeBudgetSpent) }},
	Kind{Version: 1, New: func() Payload { return new(StaffAccountRemoved) }},
	Kind{Version: 1, New: func() Payload { return new(SubjectErased) }},
	Kind{Version: 1, New: func() Payload { return new(SubjectExported) }},
	Kind{Version: 1, New: func() Payload { return new(SubjectRestricted) }},
	Kind{Version: 1, New: func() Payload { return new(NoticeSent) }},
	Kind{Version: 2, New: func() Payload { return new(EventSkipped) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(KeysRotated) }},
	Kind{Version: 1, New: func() Payload { return new(TablesRebuilt) }},
	Kind{Version: 1, New: func() Payload { return new(BuildSwitched) }},
	Kind{Version: 1, New: func() Payload { return new(ParkedRetried) }},
	Kind{Version: 1, New: func() Payload { return new(EpochAdopted) }},
	Kind{Version: 1, New: func() Payload { return new(LogExported) }},
	Kind{Version: 1, New: func() Payload { return new(RetentionApplied) }},
)

func byType(declared ...Kind) map[string]Kind {
	m := make(map[string]Kind, len(declared))
	for _, k := range declared {
		m[k.New().EventType()] = k
	}
	return m
}

// Types lists every event type this program knows, sorted.
func Types() []string { return slices.Sorted(maps.Keys(kinds)) }

// KindOf is the declaration of an event type; ok is false for an unknown one.
func KindOf(eventType string) (k Kind, ok bool) {
	k, ok = kinds[eventType]
	return k, ok
}

// Encode gives the clear part of a payload as JSON and the version it is written in.
func Encode(p Payload) (data []byte, version int, err error) {
	k, ok := kinds[p.EventType()]
	if !ok {
		return nil, 0, fmt.Errorf("encode event: unknown type %q", p.EventType())
	}
	data, err = json.Marshal(p)
	if err != nil {
		return nil, 0, fmt.Errorf("encode %s: %w", p.EventType(), err)
	}
	return data, k.Version, nil
}

// Decode reads the clear part of any version of an event type as the current one. The
// personal fields are left empty: filling them is the log's work.
func Decode(eventType string, version int, data string) (Payload, error) {
	k, ok := kinds[eventType]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown type %q: %w", eventType, ErrUnknown)
	}
	return k.decode(eventType, version, data)
}

// DecodeNearest reads the clear part of a later version as the latest one that is known here:
// what that does not know is left out. It gives nil where there is nothing to go by.
func DecodeNearest(eventType string, version int, data string) Payload {
	k, ok := kinds[eventType]
	if !ok || version <= k.Version {
		return nil
	}
	p := k.New()
	if err := json.Unmarshal([]byte(data), p); err != nil {
		return nil
	}
	return p
}

func (k Kind) decode(eventType string, version int, data string) (Payload, error) {
	if version < 1 || version > k.Version {
		return nil, fmt.Errorf("decode %s: version %d is not among the known 1 to %d: %w", eventType, version, k.Version, ErrUnknown)
	}
	if !slices.ContainsFunc(k.Upcast[version-1:], func(u Upcast) bool { return u != nil }) {
		p := k.New()
		if f, ok := p.(flat); ok && ReadFlat(data, f.take) {
			return p, nil
		}
	}
	current := json.RawMessage(data)
	for v := version; v < k.Version; v++ {
		if k.Upcast[v-1] == nil {
			continue
		}
		var err error
		if current, err = k.Upcast[v-1](current); err != nil {
			return nil, fmt.Errorf("upcast %s from version %d: %w", eventType, v, err)
		}
	}
	p := k.New()
	if err := json.Unmarshal(current, p); err != nil {
		return nil, fmt.Errorf("decode %s version %d: %w", eventType, version, err)
	}
	return p, nil
}

// EventType implements [Payload].
func (*ConversationStarted) EventType() string  { return "ConversationStarted" }
func (*VisitorMessageSent) EventType() string   { return "VisitorMessageSent" }
func (*AssistantReplied) EventType() string     { return "AssistantReplied" }
func (*AssistantFailed) EventType() string      { return "AssistantFailed" }
func (*ChatRefused) EventType() string          { return "ChatRefused" }
func (*ConsentGiven) EventType() string         { return "ConsentGiven" }
func (*LeadCaptured) EventType() string         { return "LeadCaptured" }
func (*AppointmentBooked) EventType() string    { return "AppointmentBooked" }
func (*AppointmentCancelled) EventType() string { return "AppointmentCancelled" }
