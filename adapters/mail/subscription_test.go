package mail

import (
	"bytes"
	"net/mail"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/newsletter"
)

func TestALetterAsksWhoeverReadsTheMailbox(t *testing.T) {
	facts := clinic.Default()
	for form, words := range map[clinic.FormOfAddress]string{clinic.Tu: "Confirma tu suscripción", clinic.Usted: "Confirme su suscripción"} {
		facts.FormOfAddress = form
		l, err := SubscriptionLetter(newsletter.Subscription{ID: "s1", Email: "ana@correo.example"}, facts, "https://clinica.example/", time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		const link = "https://clinica.example/blog?boletin=s1"
		if !strings.HasPrefix(l.Subject, words) || !strings.Contains(l.Text, link+"#boletin\n") || strings.ContainsAny(l.Text, "{}|") {
			t.Errorf("%s: %s\n%s", form, l.Subject, l.Text)
		}
		m, err := addressed{from: "citas@clinica.example", to: []string{"equipo@clinica.example"}, domain: "x"}.message(l)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		read, err := mail.ReadMessage(&b)
		if err != nil {
			t.Fatal(err)
		}
		head := read.Header
		if head.Get("To") != "<ana@correo.example>" || head.Get("List-Unsubscribe") != "<"+link+">" || head.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
			t.Errorf("%v", head)
		}
	}
}
