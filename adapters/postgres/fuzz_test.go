package postgres

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"bitacora/domain/event"
)

// FuzzSealedColumn: a sealed column that was not written by us opens nothing, and one that was
// gives its text only for its own event and stream.
func FuzzSealedColumn(f *testing.F) {
	key, err := newEpochKey(0, EpochKey{1})
	if err != nil {
		f.Fatal(err)
	}
	subject, err := key.newSubjectKey("chat-1")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"text":""}`, "mi teléfono es 6123-4567", 0)
	f.Add(`{"text":"AAAA","masked":"!"}`, "x", 12)
	f.Add(`{"text":1}`, "", 40)
	f.Fuzz(func(t *testing.T, foreign, text string, damaged int) {
		open := func(column, stream string) (string, error) {
			p := new(event.VisitorMessageSent)
			r := row{stream: stream}
			r.sealed.String, r.sealed.Valid = column, true
			err := r.unseal(subject, p)
			return p.Text.Text, err
		}
		if read, _ := open(foreign, "chat-1"); read != "" {
			t.Errorf("%q was opened as %q", foreign, read)
		}
		p := &event.VisitorMessageSent{}
		if p.Text.Text = text; text == "" {
			return
		}
		column, err := subject.sealPayload(p, (&row{}).id.String(), "chat-1")
		if err != nil {
			t.Fatal(err)
		}
		if read, err := open(*column, "chat-1"); err != nil || read != text {
			t.Errorf("%q became %q, %v", text, read, err)
		}
		if read, err := open(*column, "chat-2"); err == nil || read != "" {
			t.Errorf("another stream's text was read: %q", read)
		}
		var fields map[string][]byte
		if err := json.Unmarshal([]byte(*column), &fields); err != nil {
			t.Fatal(err)
		}
		for _, sealed := range fields {
			sealed[uint(damaged)%uint(len(sealed))] ^= 1
		}
		changed, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := open(string(changed), "chat-1"); err == nil || read != "" {
			t.Errorf("a changed text was read: %q", read)
		}
	})
}

// FuzzScanBinary: a row is read as Postgres sent it, and keeps nothing of the connection's memory.
func FuzzScanBinary(f *testing.F) {
	f.Add(int64(1), "chat-1", int32(1), "VisitorMessageSent", int16(1), int64(842_000_000_000_000), `{}`, `{"text":"x"}`, true, `{}`, []byte("hash"))
	f.Add(int64(-1), "", int32(-1), "ñ\xff", int16(-1), int64(-1), "", "", false, "", []byte(nil))
	f.Fuzz(func(t *testing.T, position int64, stream string, version int32, eventType string, schema int16, micros int64, data, sealed string, isSealed bool, metadata string, hash []byte) {
		number := func(n, size int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n))[8-size:] }
		values := [][]byte{
			number(int(position), 8), bytes.Repeat([]byte{7}, 16), []byte(stream), number(int(version), 4), []byte(eventType), number(int(schema), 2),
			number(int(micros), 8), number(int(micros), 8), []byte(data), nil, []byte(metadata), slices.Clone(hash),
		}
		if isSealed {
			values[9] = append([]byte{}, sealed...)
		}
		var r row
		r.scanBinary(values)
		for _, v := range values {
			clear(v)
		}
		if r.position != position || r.stream != stream || r.version != version || r.eventType != eventType || r.schemaVersion != schema ||
			r.data != data || r.metadata != metadata || !bytes.Equal(r.payloadHash, hash) || r.sealed.Valid != isSealed || isSealed && r.sealed.String != sealed {
			t.Errorf("read as %+v", r)
		}
		if year2000 := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(); micros > -1<<60 && micros < 1<<60 && r.occurredAt.UnixMicro() != year2000+micros {
			t.Errorf("%d microseconds are %v", micros, r.occurredAt)
		}
	})
}
