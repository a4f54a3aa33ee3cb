package postgres

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"bitacora/domain/event"
)

// row is an event as the table holds it.
type row struct {
	position      int64
	id            pgtype.UUID
	stream        string
	version       int
	eventType     string
	schemaVersion int16
	occurredAt    time.Time
	recordedAt    time.Time
	data          string
	sealed        *string
	metadata      string
	payloadHash   []byte
}

// scan reads the columns of the read queries, in their order.
func (r *row) scan(rows pgx.Rows) error {
	return rows.Scan(&r.position, &r.id, &r.stream, &r.version, &r.eventType, &r.schemaVersion,
		&r.occurredAt, &r.recordedAt, &r.data, &r.sealed, &r.metadata, &r.payloadHash)
}

// read decodes the row with the key among keys that it needs.
func (r *row) read(keys map[string]*subjectKey) (event.Recorded, error) {
	key, known := keys[r.stream]
	if r.sealed != nil && !known {
		return event.Recorded{}, fmt.Errorf("the key of stream %s is missing", r.stream)
	}
	return r.recorded(key)
}

// unreadable is what can be said of a row that cannot be decoded.
func (r *row) unreadable(reason error) event.Recorded {
	return event.Recorded{
		Position:   r.position,
		ID:         r.id.String(),
		Stream:     r.stream,
		Version:    r.version,
		OccurredAt: r.occurredAt.UTC(),
		RecordedAt: r.recordedAt.UTC(),
		Payload:    &event.Unreadable{Type: r.eventType, Version: int(r.schemaVersion), Reason: reason},
	}
}

// recorded decodes the row. A nil key of a sealed row means that the key was destroyed.
func (r *row) recorded(key *subjectKey) (event.Recorded, error) {
	payload, err := event.Decode(r.eventType, int(r.schemaVersion), []byte(r.data))
	if err != nil {
		return event.Recorded{}, err
	}
	e := event.Recorded{
		Position:   r.position,
		ID:         r.id.String(),
		Stream:     r.stream,
		Version:    r.version,
		OccurredAt: r.occurredAt.UTC(),
		RecordedAt: r.recordedAt.UTC(),
		Payload:    payload,
		Erased:     r.sealed != nil && key == nil,
	}
	if r.metadata != "{}" {
		if err := json.Unmarshal([]byte(r.metadata), &e.Metadata); err != nil {
			return event.Recorded{}, fmt.Errorf("decode metadata: %w", err)
		}
	}
	if r.sealed != nil && key != nil {
		if err := key.unsealPayload(payload, *r.sealed, e.ID, r.stream); err != nil {
			return event.Recorded{}, err
		}
	}
	return e, nil
}

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

func (k *subjectKey) unsealPayload(p event.Payload, column, id, stream string) error {
	fields, err := sealedFields(column)
	if err != nil {
		return fmt.Errorf("decode sealed fields: %w", err)
	}
	for _, f := range personalFields(p) {
		for _, sealed := range fields {
			if sealed.name != f.Name {
				continue
			}
			plain, err := unseal(k.aead, sealed.value, boundTo(id, f.Name, stream))
			if err != nil {
				return fmt.Errorf("unseal field %s: %w", f.Name, err)
			}
			*f.Value = string(plain)
		}
	}
	return nil
}

type sealedField struct {
	name  string
	value []byte
}

// sealedFields reads a sealed column: a JSON object of base64. As [subjectKey.sealPayload]
// writes it there is nothing in it to escape or to skip, which is read several times
// faster than JSON in general; a replay spends much of its time here.
func sealedFields(column string) ([]sealedField, error) {
	if fields, ok := plainFields(column); ok {
		return fields, nil
	}
	var object map[string][]byte
	if err := json.Unmarshal([]byte(column), &object); err != nil {
		return nil, err
	}
	var fields []sealedField
	for name, value := range object {
		fields = append(fields, sealedField{name, value})
	}
	return fields, nil
}

func plainFields(column string) (fields []sealedField, ok bool) {
	rest, ok := strings.CutPrefix(column, "{")
	for ok && rest != "}" {
		var name, text string
		if name, rest, ok = plainString(strings.TrimPrefix(rest, ",")); !ok || !strings.HasPrefix(rest, ":") {
			return nil, false
		}
		if text, rest, ok = plainString(rest[1:]); !ok {
			return nil, false
		}
		value, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, false
		}
		fields = append(fields, sealedField{name, value})
	}
	return fields, ok
}

// plainString takes a JSON string without escapes off the front.
func plainString(s string) (text, rest string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	text, rest, ok = strings.Cut(s, `"`)
	return text, rest, ok && !strings.Contains(text, `\`)
}

// boundTo keeps a sealed field from being moved to another event, field or stream.
func boundTo(id, field, stream string) string { return id + "\n" + field + "\n" + stream }

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
	stream   string
	expected int
	quota    *event.Quota
	// claim and release are in the form of take_place.
	claim, release *string
	// newKey is set where the request brings its stream's key along.
	newKey []byte
	sealed bool
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
// personal.
func encode(a event.Append, key *subjectKey) (*request, error) {
	if a.Stream == "" || len(a.Drafts) == 0 {
		return nil, errors.New("an append needs a stream and at least one event")
	}
	r := &request{stream: a.Stream, expected: a.ExpectedVersion, quota: a.Quota}
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
// cannot be read any more is not held against it.
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
