package staff

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bitacora/domain/event"
)

// AuditQuestion is which of what accounts did, and of what was done to them, is asked for.
type AuditQuestion struct {
	// From is the first instant, To the one after the last.
	From, To time.Time
	// AccountID is who did it, or to whom it was done; empty for everybody.
	AccountID string
	// What is an event type; empty for all.
	What string
	// Before is the entry after which the answer goes on; nil: it begins with the newest.
	Before *AuditCursor
}

// AuditCursor names the place of an entry among others, newest first.
type AuditCursor struct {
	At       time.Time
	Position int64
}

// AuditEntry is one thing that was done.
type AuditEntry struct {
	AuditCursor
	// What is the event type.
	What string
	// Actor did it: an account, [event.ByOperator], [event.ByProgram], or nobody known.
	Actor string
	// AccountID is to whose account it was done, often the actor's own; the actor's where it was
	// done to somebody's data, which Details then name as "subject".
	AccountID string
	// Details are the other fields of the event.
	Details   map[string]any
	RequestID string
}

// EntryOf reads an event of the stream of an account, or of what operators did.
func EntryOf(e event.Recorded) (AuditEntry, error) {
	entry := AuditEntry{
		AuditCursor: AuditCursor{At: e.OccurredAt, Position: e.Position}, What: e.Payload.EventType(),
		AccountID: strings.TrimPrefix(e.Stream, StreamPrefix), RequestID: e.Metadata["requestId"],
	}
	ofAccount := strings.HasPrefix(e.Stream, StreamPrefix)
	ofOperator := strings.HasPrefix(e.Stream, event.OperatorPrefix)
	if ofOperator {
		entry.AccountID = event.ByOperator
	}
	entry.Actor = entry.AccountID
	if by, ok := e.Payload.(event.ByActor); ok {
		entry.Actor = by.Actor()
	}
	if !ofAccount {
		entry.AccountID = entry.Actor
	}
	data, err := json.Marshal(e.Payload)
	if err == nil {
		err = json.Unmarshal(data, &entry.Details)
	}
	if err != nil {
		return entry, fmt.Errorf("read %s: %w", entry.What, err)
	}
	if p, ok := e.Payload.(event.Personal); ok {
		for _, f := range p.PersonalFields() {
			if f.Name == "reason" && *f.Value != "" {
				entry.Details[f.Name] = *f.Value
			}
		}
	}
	if !ofAccount && !ofOperator {
		entry.Details["subject"] = e.Stream
	}
	delete(entry.Details, "staffId")
	delete(entry.Details, "by")
	return entry, nil
}
