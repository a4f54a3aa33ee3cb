package mail

import (
	"bytes"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/postgres"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

const visitorsWords = "esto lo escribió quien visita"

// talk appends a conversation with what happened in it, and gives its id.
func talk(t *testing.T, db *postgres.DB, channel string, happened ...event.Payload) string {
	t.Helper()
	id := chat.ConversationID(channel, uuid.NewString())
	at := time.Now().UTC().Truncate(time.Millisecond)
	c := event.Conversation{ConversationID: id, ConversationStartedAt: at}
	payloads := []event.Payload{
		&event.ConversationStarted{Conversation: c, Channel: channel},
		&event.VisitorMessageSent{Conversation: c, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: visitorsWords}, MessageID: "m1"},
	}
	for _, p := range happened {
		switch p := p.(type) {
		case *event.VisitorMessageSent:
			p.Conversation = c
		case *event.ConversationFlagged:
			p.Conversation, p.MessageID = c, "m1"
		case *event.LeadCaptured:
			p.Conversation, p.HasPhone, p.HasEmail = c, p.Phone != "", p.Email != ""
		case *event.ContactGiven:
			p.Conversation, p.HasPhone, p.HasEmail = c, p.Phone != "", p.Email != ""
		}
		payloads = append(payloads, p)
	}
	var drafts []event.Draft
	for _, p := range payloads {
		drafts = append(drafts, event.Draft{ID: uuid.NewString(), OccurredAt: at, Payload: p})
	}
	if _, err := db.Log().Append(t.Context(), event.Append{Stream: chat.Stream(id), ExpectedVersion: event.AnyVersion, Drafts: drafts}); err != nil {
		t.Fatal(err)
	}
	return id
}

// letterIn reads what a mail program shows of a letter.
func letterIn(t *testing.T, raw string) (subject, text, replyTo string) {
	t.Helper()
	l, err := netmail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(l.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(l.Body))
	if err != nil {
		t.Fatal(err)
	}
	return subject, strings.ReplaceAll(string(body), "\r\n", "\n"), l.Header.Get("Reply-To")
}

func TestFlagsReachTheStaff(t *testing.T) {
	db, _ := clinicLog(t)
	o := newSMTPServer(t)
	o.busy = 2
	subjects := map[string]string{
		event.FlagCrisis: "URGENTE: ", event.FlagEmergency: "URGENTE: ", event.FlagUrgency: "Urgencia dental",
		event.FlagComplaint: "Queja", event.FlagCallback: "hablar con una persona",
	}
	var ids []string
	for _, flag := range event.Flags {
		ids = append(ids, talk(t, db, "web", &event.ContactGiven{Phone: "+50761234567", Email: "ana@correo.example"}, &event.ConversationFlagged{Flag: flag}))
		talk(t, db, "demo", &event.ConversationFlagged{Flag: flag})
		talk(t, db, "import", &event.ConversationFlagged{Flag: flag})
	}
	send(t, db, o, time.Now)
	waitThrough(t, db, int64(len(event.Flags)*(4+3+3)))
	letters := o.taken()
	if len(letters) != len(event.Flags) {
		t.Fatalf("%d letters, want %d", len(letters), len(event.Flags))
	}
	for i, flag := range event.Flags {
		subject, text, replyTo := letterIn(t, letters[i])
		if !strings.Contains(subject, subjects[flag]) || replyTo != "" {
			t.Errorf("%s: subject %q", flag, subject)
		}
		for _, part := range []string{"https://clinica.example/dashboard?conversacion=" + ids[i], "desde=", "Cuándo: ", " de ", "no ha dejado ninguno"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is missing in\n%s", flag, part, text)
			}
		}
		if strings.Contains(text, visitorsWords) || strings.Contains(text, "6123") || strings.Contains(text, "Al responder") || strings.Contains(text, "<no value>") {
			t.Errorf("%s: too much is said in\n%s", flag, text)
		}
	}
}

func TestLeadsReachTheStaff(t *testing.T) {
	db, _ := clinicLog(t)
	o := newSMTPServer(t)
	talk(t, db, "web", &event.LeadCaptured{Name: "Ana Ruiz", Phone: "+50761234567", Email: "ana@correo.example"})
	talk(t, db, "web", &event.ConversationFlagged{Flag: event.FlagCallback}, &event.LeadCaptured{Name: "Luis Paz", Phone: "+50761112233"})
	talk(t, db, "import", &event.LeadCaptured{Name: "Eva Sol", Phone: "+50761112233"})
	talk(t, db, "demo", &event.LeadCaptured{Name: "Eva Sol", Phone: "+50761112233"})
	send(t, db, o, time.Now)
	waitThrough(t, db, 13)
	letters := o.taken()
	if len(letters) != 3 {
		t.Fatalf("%d letters, want 3", len(letters))
	}
	subject, text, replyTo := letterIn(t, letters[0])
	if subject != "Contacto nuevo del chat: Ana Ruiz" || !strings.Contains(replyTo, "ana@correo.example") ||
		!strings.Contains(text, "Nombre: Ana Ruiz\nTeléfono: +50761234567\nCorreo: ana@correo.example\n") || strings.Contains(text, visitorsWords) {
		t.Errorf("%s, to %s:\n%s", subject, replyTo, text)
	}
	if subject, text, _ := letterIn(t, letters[1]); !strings.Contains(subject, "hablar con una persona") || !strings.Contains(text, "Luis Paz") {
		t.Errorf("%s:\n%s", subject, text)
	}
	if subject, text, _ := letterIn(t, letters[2]); subject != "Piden que los contacten: Luis Paz" || !strings.Contains(text, "+50761112233") {
		t.Errorf("%s:\n%s", subject, text)
	}
}

func TestLettersAreKeptWithoutAMailServer(t *testing.T) {
	db, _ := clinicLog(t)
	dir := t.TempDir()
	id := talk(t, db, "web", &event.ConversationFlagged{Flag: event.FlagComplaint})
	stop := carry(t, db, NewFolder(dir, "citas@clinica.example", []string{"recepcion@clinica.example"}), time.Now)
	waitThrough(t, db, 3)
	stop()
	kept, err := os.ReadFile(filepath.Join(dir, "complaint-"+id+".eml"))
	if err != nil || !bytes.Contains(kept, []byte("Subject: Queja en el chat")) {
		t.Errorf("%v:\n%s", err, kept)
	}
}

func TestOldFlagsAreNotSent(t *testing.T) {
	db, _ := clinicLog(t)
	o := newSMTPServer(t)
	talk(t, db, "web", &event.ConversationFlagged{Flag: event.FlagCrisis}, &event.LeadCaptured{Name: "Ana", Phone: "+50761234567"})
	stop := send(t, db, o, func() time.Time { return time.Now().Add(stale + time.Minute) })
	waitThrough(t, db, 4)
	stop()
	if letters := o.taken(); len(letters) != 0 {
		t.Errorf("sent %q", letters)
	}
}
