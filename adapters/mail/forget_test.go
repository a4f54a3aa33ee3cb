package mail

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

func TestLettersAboutSomebodyAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "outbox")
	f := NewFolder(dir, "clinica@correo.example", []string{"equipo@correo.example"})
	if n, err := f.Forget(t.Context(), []string{"c0", "c1"}); n != 0 || err != nil {
		t.Errorf("without an outbox: %d, %v", n, err)
	}
	for _, id := range []string{"lead-c1", "crisis-c1", "c1", "lead-c11", "c1-lead", "resumen-2026-11-09"} {
		if err := f.Send(t.Context(), Letter{ID: id, Subject: "x", Text: "x", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "lead-c1.eml.draft"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := f.Forget(t.Context(), []string{"c0", "c1"}); n != 4 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 {
		t.Errorf("left %v, %v", left, err)
	}
}

// streams is a log of one stream.
type streams []event.Recorded

func (s streams) ReadStream(context.Context, string) ([]event.Recorded, error) { return s, nil }

// TestNoLetterIsAboutSomebodyErasedOrRestricted sends what waited while the mail server was away.
func TestNoLetterIsAboutSomebodyErasedOrRestricted(t *testing.T) {
	message := event.Recorded{Stream: event.ContactStream("m1"), Payload: &event.ContactMessageReceived{ContactID: "m1", Channel: "web", Name: "Ana", Message: "Hola"}}
	lead := event.Recorded{Stream: "conversation/c1", Payload: &event.LeadCaptured{Conversation: event.Conversation{ConversationID: "c1"}, Name: "Ana", Phone: "+50769001234"}}
	for name, since := range map[string]struct {
		payloads []event.Payload
		worth    bool
	}{
		"nothing happened since": {nil, true},
		"erased":                 {[]event.Payload{&event.SubjectErased{}}, false},
		"restricted":             {[]event.Payload{&event.SubjectRestricted{On: true}}, false},
		"restricted and lifted":  {[]event.Payload{&event.SubjectRestricted{On: true}, &event.SubjectRestricted{}}, true},
	} {
		for _, about := range []event.Recorded{message, lead} {
			all := streams{about}
			for _, p := range since.payloads {
				all = append(all, event.Recorded{Stream: about.Stream, Payload: p})
			}
			m := &Mailer{Log: all, Clinic: clinic.Default(), Now: time.Now}
			if _, worth, err := m.letter(t.Context(), about); worth != since.worth || err != nil {
				t.Errorf("%s, %s: worth a letter: %v, %v", name, about.Payload.EventType(), worth, err)
			}
		}
	}
}

// TestOldContactMessagesBringNoLetters: an update sends nothing about messages of which nobody noted
// where they came from.
func TestOldContactMessagesBringNoLetters(t *testing.T) {
	for channel, worth := range map[string]bool{"web": true, "form": true, "": false, "import": false, "demo": false} {
		message := event.Recorded{Stream: event.ContactStream("m1"), Payload: &event.ContactMessageReceived{ContactID: "m1", Channel: channel, Name: "Ana", Message: "Hola"}}
		m := &Mailer{Log: streams{message}, Clinic: clinic.Default(), Now: time.Now}
		if _, is, err := m.letter(t.Context(), message); is != worth || err != nil {
			t.Errorf("channel %q: worth a letter: %v, %v", channel, is, err)
		}
	}
}
