package postgres

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"bitacora/domain/event"
)

// row is an event as the table stores it.
type row struct {
	position      int64
	id            pgtype.UUID
	stream        string
	version       int32
	eventType     string
	schemaVersion int16
	occurredAt    time.Time
	recordedAt    time.Time
	data          string
	sealed        pgtype.Text
	metadata      string
	payloadHash   []byte
}

// bytes is the size of the row's texts, as the query of [Log.Scan] counts it.
func (r *row) bytes() int { return len(r.data) + len(r.sealed.String) + len(r.metadata) }

// scan reads the columns of the read queries, in their order.
func (r *row) scan(rows pgx.Rows) error {
	if rows.FieldDescriptions()[0].Format == pgtype.BinaryFormatCode {
		r.scanBinary(rows.RawValues())
		return nil
	}
	return r.scanAny(rows)
}

// scanAny reads the columns in any format.
func (r *row) scanAny(rows pgx.Rows) error {
	return rows.Scan(&r.position, &r.id, &r.stream, &r.version, &r.eventType, &r.schemaVersion,
		&r.occurredAt, &r.recordedAt, &r.data, &r.sealed, &r.metadata, &r.payloadHash)
}

// scanBinary reads the values as Postgres sends them. What is text shares one piece of memory,
// but for the data, parts of which a decoded payload keeps.
//
// It is there for replays: BenchmarkScan finds it about 3 times as fast as [row.scanAny].
func (r *row) scanBinary(v [][]byte) {
	r.position = int64(binary.BigEndian.Uint64(v[0]))
	r.id = pgtype.UUID{Bytes: [16]byte(v[1]), Valid: true}
	r.version = int32(binary.BigEndian.Uint32(v[3]))
	r.schemaVersion = int16(binary.BigEndian.Uint16(v[5]))
	r.occurredAt, r.recordedAt = instant(v[6]), instant(v[7])
	var text strings.Builder
	text.Grow(len(v[2]) + len(v[4]) + len(v[9]) + len(v[10]))
	for _, column := range []int{2, 4, 9, 10} {
		text.Write(v[column])
	}
	rest := text.String()
	next := func(column int) (value string) {
		value, rest = rest[:len(v[column])], rest[len(v[column]):]
		return value
	}
	r.stream, r.eventType, r.data = next(2), next(4), string(v[8])
	r.sealed = pgtype.Text{String: next(9), Valid: v[9] != nil}
	r.metadata = next(10)
	r.payloadHash = append([]byte(nil), v[11]...)
}

// year2000 is where Postgres counts from, in Unix microseconds.
const year2000 = 946_684_800_000_000

// instant reads a timestamptz: microseconds since the year 2000.
func instant(value []byte) time.Time {
	return time.UnixMicro(year2000 + int64(binary.BigEndian.Uint64(value)))
}

// read decodes a row with the key that it needs.
func (r *row) read(keys map[string]*subjectKey) (event.Recorded, error) {
	key, known := keys[r.stream]
	if r.sealed.Valid && !known {
		return event.Recorded{}, fmt.Errorf("the key of stream %s is missing", r.stream)
	}
	e, err := r.clear()
	if err != nil || !r.sealed.Valid {
		return e, err
	}
	if e.Erased = key == nil; e.Erased {
		return e, nil
	}
	if err := r.unseal(key, e.Payload); err != nil {
		return event.Recorded{}, err
	}
	return e, nil
}

// readOrUnreadable is read for those who go on where it fails.
func (r *row) readOrUnreadable(keys map[string]*subjectKey) event.Recorded {
	e, err := r.read(keys)
	if err == nil {
		return e
	}
	e = r.unreadable(err)
	key, known := keys[r.stream]
	e.Erased = r.sealed.Valid && known && key == nil
	if nearest := event.Nearest(e.Payload); nearest != nil && r.sealed.Valid && key != nil {
		// As far as it goes: the fields that are known here.
		_ = r.unseal(key, nearest)
	}
	return e
}

// unreadable is what can be said of a row that cannot be decoded.
func (r *row) unreadable(reason error) event.Recorded {
	return r.recorded(&event.Unreadable{
		Type: r.eventType, Version: int(r.schemaVersion), Reason: reason, Data: r.data, Nearest: r.nearest(),
	})
}

// recorded is a payload with the row's position in the log; its metadata are not read.
func (r *row) recorded(p event.Payload) event.Recorded {
	return event.Recorded{
		Position:   r.position,
		ID:         r.id.String(),
		Stream:     r.stream,
		Version:    int(r.version),
		OccurredAt: r.occurredAt.UTC(),
		RecordedAt: r.recordedAt.UTC(),
		Payload:    p,
	}
}

// nearest is the clear part of a row that cannot be read as a whole, see [event.Unreadable].
func (r *row) nearest() event.Payload {
	if p, err := event.Decode(r.eventType, int(r.schemaVersion), r.data); err == nil {
		return p
	}
	return event.DecodeNearest(r.eventType, int(r.schemaVersion), r.data)
}

// clear decodes what is not sealed.
func (r *row) clear() (event.Recorded, error) {
	payload, err := event.Decode(r.eventType, int(r.schemaVersion), r.data)
	if err != nil {
		return event.Recorded{}, err
	}
	e := r.recorded(payload)
	if r.metadata != "{}" {
		if err := json.Unmarshal([]byte(r.metadata), &e.Metadata); err != nil {
			return event.Recorded{}, fmt.Errorf("decode metadata: %w", err)
		}
	}
	return e, nil
}

// unseal fills in the personal fields of the row's payload.
func (r *row) unseal(key *subjectKey, p event.Payload) error {
	fields, err := sealedFields(r.sealed.String)
	if err != nil {
		return fmt.Errorf("decode sealed fields: %w", err)
	}
	id := r.id.String()
	for _, f := range personalFields(p) {
		for _, sealed := range fields {
			if sealed.name != f.Name {
				continue
			}
			bytes, err := base64.StdEncoding.DecodeString(sealed.value)
			if err != nil {
				return fmt.Errorf("decode sealed field %s: %w", f.Name, err)
			}
			text, err := key.aead.Open(bytes[:0], nil, bytes, []byte(boundTo(id, f.Name, r.stream))) // in place, as texts are long
			if err != nil {
				return fmt.Errorf("unseal field %s: %w", f.Name, err)
			}
			*f.Value = string(text)
		}
	}
	return nil
}

// sealedFields reads a sealed column: a JSON object of base64 by the names of fields.
func sealedFields(column string) (fields []sealedField, err error) {
	flat := event.ReadFlat(column, func(name, value string, quoted bool) bool {
		fields = append(fields, sealedField{name, value})
		return quoted
	})
	if flat {
		return fields, nil
	}
	var object map[string]string
	if err := json.Unmarshal([]byte(column), &object); err != nil {
		return nil, err
	}
	fields = nil
	for name, value := range object {
		fields = append(fields, sealedField{name, value})
	}
	return fields, nil
}

// sealedField is a field of a sealed column, in base64.
type sealedField struct{ name, value string }

// boundTo keeps a sealed field from being moved to another event, field or stream.
func boundTo(id, field, stream string) string { return id + "\n" + field + "\n" + stream }
