package postgres

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"bitacora/domain/event"
)

// sealPayload gives the sealed column of a payload; nil where it holds nothing personal.
func (k *subjectKey) sealPayload(p event.Payload, id, stream string) (*string, error) {
	fields := map[string][]byte{}
	for _, f := range personalFields(p) {
		if *f.Value != "" {
			fields[f.Name] = seal(k.aead, []byte(*f.Value), boundTo(id, f.Name, stream))
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("encode sealed fields: %w", err)
	}
	column := string(text)
	return &column, nil
}

func personalFields(p event.Payload) []event.Field {
	if personal, ok := p.(event.Personal); ok {
		return personal.PersonalFields()
	}
	return nil
}

func hasPersonalData(p event.Payload) bool {
	for _, f := range personalFields(p) {
		if *f.Value != "" {
			return true
		}
	}
	return false
}

// request is an [event.Append] in the form that append_events takes.
type request struct {
	stream       string
	expected     int
	monthlyLimit *event.MonthlyLimit
	// claim and release are in the form of take_place.
	claim, release *string
	// key is the wrapped key that the request is sealed under, keyEpoch the epoch whose key wraps
	// it; nil where nothing is sealed.
	key      []byte
	keyEpoch int
	sealed   bool
	// epoch is the newest one that is known here, of which terms are.
	epoch  int
	terms  []term
	events []encoded
	bytes  int
}

type encoded struct {
	id            pgtype.UUID
	eventType     string
	schemaVersion int16
	occurredAt    time.Time
	data          string
	sealed        *string
	metadata      string
}

// encode checks a request and writes its drafts down; the key may be nil where nothing is
// personal, and otherwise the newest epoch's makes the terms by which the subject is found.
func encode(a event.Append, key *subjectKey, newest *epochKey) (*request, error) {
	if a.Stream == "" || len(a.Drafts) == 0 {
		return nil, errors.New("an append needs a stream and at least one event")
	}
	r := &request{stream: a.Stream, expected: a.ExpectedVersion, monthlyLimit: a.MonthlyLimit}
	if a.Release != "" {
		r.release = &a.Release
	}
	if a.Claim != nil {
		text, err := json.Marshal(a.Claim)
		if err != nil {
			return nil, fmt.Errorf("encode claim: %w", err)
		}
		claim := string(text)
		r.claim = &claim
	}
	seen := make(map[pgtype.UUID]bool, len(a.Drafts))
	for _, draft := range a.Drafts {
		e, err := encodeDraft(draft, a.Stream, key)
		if err != nil {
			return nil, err
		}
		if seen[e.id] {
			return nil, fmt.Errorf("event id %s: %w", draft.ID, event.ErrIDReused)
		}
		seen[e.id] = true
		r.sealed = r.sealed || e.sealed != nil
		r.bytes += len(e.data) + len(e.metadata)
		if e.sealed != nil {
			r.bytes += len(*e.sealed)
		}
		r.events = append(r.events, e)
	}
	if r.sealed {
		r.key, r.keyEpoch = key.wrapped, key.epoch
		r.epoch = newest.epoch
		r.terms = termsOf(a.Drafts, a.Stream, key, newest)
	}
	return r, nil
}

func encodeDraft(draft event.Draft, stream string, key *subjectKey) (encoded, error) {
	id, err := uuid.Parse(draft.ID)
	if err != nil {
		return encoded{}, fmt.Errorf("event id %q: %w", draft.ID, err)
	}
	data, version, err := event.Encode(draft.Payload)
	if err != nil {
		return encoded{}, err
	}
	e := encoded{
		id:            pgtype.UUID{Bytes: id, Valid: true},
		eventType:     draft.Payload.EventType(),
		schemaVersion: int16(version),
		occurredAt:    draft.OccurredAt.UTC().Truncate(time.Millisecond),
		data:          string(data),
		metadata:      "{}",
	}
	if len(draft.Metadata) > 0 {
		text, err := json.Marshal(draft.Metadata)
		if err != nil {
			return encoded{}, fmt.Errorf("encode metadata: %w", err)
		}
		e.metadata = string(text)
	}
	if hasPersonalData(draft.Payload) {
		e.sealed, err = key.sealPayload(draft.Payload, e.id.String(), stream)
	}
	return e, err
}

// sameFact says whether a stored event is the one that a draft wants to append. What
// cannot be read any more is not compared.
func sameFact(stored event.Recorded, draft event.Draft, stream string) bool {
	if stored.Stream != stream || stored.Payload.EventType() != draft.Payload.EventType() {
		return false
	}
	was, _, errWas := event.Encode(stored.Payload)
	is, _, errIs := event.Encode(draft.Payload)
	if errWas != nil || errIs != nil || string(was) != string(is) {
		return false
	}
	if stored.Erased {
		return true
	}
	fields := personalFields(draft.Payload)
	for i, f := range personalFields(stored.Payload) {
		if *f.Value != *fields[i].Value {
			return false
		}
	}
	return true
}
