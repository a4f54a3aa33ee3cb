package event

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestClearPartHoldsNoPersonalData(t *testing.T) {
	at := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	for _, p := range []Payload{
		&VisitorMessageSent{Conversation: Conversation{"c", at}, Text: Text{"secreto", "secreto"}},
		&AssistantReplied{Text: Text{"secreto", "secreto"}},
		&LeadCaptured{Name: "secreto", Phone: "secreto", Email: "secreto"},
	} {
		data, version, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "secreto") {
			t.Errorf("%s: personal data in the clear part: %s", p.EventType(), data)
		}
		if _, err := Decode(p.EventType(), version, string(data)); err != nil {
			t.Error(err)
		}
	}
}

func TestDecodeUpcastsEveryOlderVersion(t *testing.T) {
	k := Kind{
		Version: 3,
		New:     func() Payload { return new(ChatRefused) },
		Upcast: []Upcast{
			func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{"month":"2026-01"}`), nil },
			func(d json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(strings.Replace(string(d), "}", `,"limit":7}`, 1)), nil
			},
		},
	}
	p, err := k.decode("ChatRefused", 1, `{"m":1}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := *p.(*ChatRefused); got != (ChatRefused{Month: "2026-01", Limit: 7}) {
		t.Errorf("upcast from version 1: got %+v", got)
	}
	if _, err := k.decode("ChatRefused", 4, ""); err == nil {
		t.Error("a version from the future was decoded")
	}
}

func TestWhatIsReadFlatIsUpcastFirst(t *testing.T) {
	k := Kind{
		Version: 3, New: func() Payload { return new(VisitorMessageSent) },
		Upcast: []Upcast{nil, func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{"ordinal":2}`), nil }},
	}
	for version, want := range map[int]int{1: 2, 2: 2, 3: 1} {
		if p, err := k.decode("VisitorMessageSent", version, `{"ordinal":1}`); err != nil || p.(*VisitorMessageSent).Ordinal != want {
			t.Errorf("version %d: %+v, %v", version, p, err)
		}
	}
}

func TestEveryKindCanUpcastFromItsFirstVersion(t *testing.T) {
	for name, k := range kinds {
		if len(k.Upcast) != k.Version-1 {
			t.Errorf("%s: version %d needs %d upcasts, has %d", name, k.Version, k.Version-1, len(k.Upcast))
		}
	}
}

func TestDerivedIDIsStableAndDistinct(t *testing.T) {
	a, b := DerivedID("import", "ws-001", "1"), DerivedID("import", "ws-001", "1")
	if a != b {
		t.Errorf("the same parts gave %s and %s", a, b)
	}
	if a == DerivedID("import", "ws-0011", "") {
		t.Error("other parts gave the same id")
	}
}
