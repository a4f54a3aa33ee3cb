package mail

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

func TestRequestsReachTheStaff(t *testing.T) {
	db, mailbox := clinicLog(t)
	o := newSMTPServer(t)
	due := time.Date(2026, 12, 8, 4, 59, 59, 0, time.UTC)
	talk(t, db, "web", &event.ContactGiven{Phone: "+50761234567"}, &event.PrivacyRequestReceived{
		Contact: event.Contact{Kind: "lead", ContactID: "c"}, RequestID: "r1", Request: "erase", DueAt: due,
	})
	talk(t, db, "demo", &event.PrivacyRequestReceived{Contact: event.Contact{Kind: "lead", ContactID: "c"}, RequestID: "r2", Request: "copy", DueAt: due})
	err := mailbox.Receive(t.Context(), clinic.ContactMessage{Name: "Ana Ruiz", Email: "ana@correo.example", Message: "Quiero una copia de mis datos, gracias."}, "web")
	if err != nil {
		t.Fatal(err)
	}
	send(t, db, o, time.Now)
	waitThrough(t, db, 4+3+2)
	letters := o.taken()
	if len(letters) != 3 { // the message itself is one
		t.Fatalf("%d letters", len(letters))
	}
	subject, text, replyTo := letterIn(t, letters[0])
	if subject != "Piden que se borren sus datos: vence el lunes 7 de diciembre" || replyTo != "" ||
		!strings.Contains(text, "en el chat") || !strings.Contains(text, "a más tardar el lunes 7 de diciembre (Ley 81 de 2019)") || !strings.Contains(text, "https://clinica.example/dashboard?vista=contactos") {
		t.Errorf("%s, %s:\n%s", subject, replyTo, text)
	}
	if strings.Contains(text, "6123") || strings.Contains(text, visitorsWords) || strings.Contains(text, "<no value>") {
		t.Errorf("too much is said in\n%s", text)
	}
	if subject, text, _ := letterIn(t, letters[2]); !strings.HasPrefix(subject, "Piden una copia de sus datos: vence el ") || !strings.Contains(text, "con el formulario de contacto") || strings.Contains(text, "Ana") {
		t.Errorf("%s:\n%s", subject, text)
	}
}
