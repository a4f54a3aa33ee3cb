package event

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"

	"bitacora/schema"
)

// FuzzDecode: whatever lies in the log, decoding it is an error or gives a payload that is
// written and read as the same again.
func FuzzDecode(f *testing.F) {
	for _, eventType := range Types() {
		kind, _ := KindOf(eventType)
		for version := 1; version <= kind.Version; version++ {
			data, err := schema.EventExample(eventType, version)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(eventType, version, data)
		}
	}
	f.Add("VisitorMessageSent", 1, `{"ordinal":1,"intent":"precios","conversationStartedAt":"2026-11-03T17:00:00Z"}`)
	f.Add("ConversationStarted", 3, `{}`)
	f.Add("Nothing", 1, `{}`)
	f.Fuzz(func(t *testing.T, eventType string, version int, data string) {
		DecodeNearest(eventType, version, data)
		p, err := Decode(eventType, version, data)
		if err != nil {
			return
		}
		text, written, err := Encode(p)
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		again, err := Decode(eventType, written, string(text))
		if err != nil {
			t.Fatalf("%s cannot be decoded: %v", text, err)
		}
		if same, _, err := Encode(again); err != nil || string(same) != string(text) {
			t.Errorf("%s became %s (%v)", text, same, err)
		}
	})
}

// FuzzReadFlat: the quick reader gives what encoding/json gives, or leaves it to that.
func FuzzReadFlat(f *testing.F) {
	for _, object := range []string{
		`{"a":"b","c":1,"d":true}`, `{}`, `{"a":"b"`, `{"a":"\u00e9"}`, `{"a":"ñ"}`, `{"a":01}`, `{"a":"b",}`, `{"a":1}}`, `{"a":"b","a":"c"}`, `{"":""}`,
	} {
		f.Add(object)
	}
	f.Fuzz(func(t *testing.T, object string) {
		quick := map[string]string{}
		if !ReadFlat(object, func(name, value string, quoted bool) bool {
			quick[name] = value
			return quoted
		}) {
			return
		}
		var slow map[string]string
		if err := json.Unmarshal([]byte(object), &slow); err != nil || !maps.Equal(quick, slow) {
			t.Errorf("%q is %v, and was read as %v (%v)", object, slow, quick, err)
		}
	})
}

// FuzzFlatPayloads: the payloads that are read quickly are those that encoding/json reads.
func FuzzFlatPayloads(f *testing.F) {
	f.Add(`{"conversationId":"c","conversationStartedAt":"2026-11-03T17:00:00Z","ordinal":1,"activeMillis":0,"messageId":"m","intent":"i"}`)
	f.Add(`{"ordinal":2,"answered":true,"latencyMillis":-0,"tokensIn":12,"provider":"p"}`)
	f.Add(`{"ordinal":9223372036854775808}`)
	f.Add(`{"conversationStartedAt":"2026-11-03T17:00:00+24:00"}`)
	f.Fuzz(func(t *testing.T, object string) {
		for _, pair := range [][2]Payload{
			{new(VisitorMessageSent), new(VisitorMessageSent)}, {new(AssistantReplied), new(AssistantReplied)},
		} {
			if !ReadFlat(object, pair[0].(flat).take) {
				continue
			}
			if err := json.Unmarshal([]byte(object), pair[1]); err != nil || !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%q is %+v, and was read as %+v (%v)", object, pair[1], pair[0], err)
			}
		}
	})
}
