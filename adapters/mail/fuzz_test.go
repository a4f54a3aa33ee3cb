package mail

import (
	"bytes"
	"maps"
	"mime"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzMessage: whatever a visitor calls themselves, a letter goes to those who were configured,
// with the headers that every letter has.
func FuzzMessage(f *testing.F) {
	f.Add("Contacto nuevo del chat: Ana", "ana@example.com", "Hola\n\nQuisiera una cita.")
	f.Add("x\r\nBcc: todos@example.com", "ana@example.com\r\nBcc: x@example.com", ".\r\nMAIL FROM:<x@example.com>\r\n")
	f.Add("=?utf-8?q?x=0D=0ABcc:_y?=", "\"a\r\nb\"@example.com", "\r\n.\r\n")
	f.Add(strings.Repeat("ñ", 300), "Ana <ana@example.com>, b@example.com", "\x00\xff")
	from := addressed{"citas@clinica.example", []string{"recepcion@clinica.example"}, "clinica.example"}
	headers := []string{"Content-Transfer-Encoding", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Reply-To", "Subject", "To"}
	f.Fuzz(func(t *testing.T, subject, replyTo, text string) {
		m, err := from.message(Letter{ID: "lead-1", Subject: subject, ReplyTo: replyTo, Text: text, At: time.Unix(1_760_000_000, 0)})
		if err != nil {
			t.Fatal(err)
		}
		var raw bytes.Buffer
		if _, err := m.WriteTo(&raw); err != nil {
			t.Fatal(err)
		}
		sent, err := netmail.ReadMessage(&raw)
		if err != nil {
			t.Fatalf("no letter: %v", err)
		}
		for _, name := range slices.Sorted(maps.Keys(sent.Header)) {
			if !slices.Contains(headers, name) || len(sent.Header[name]) != 1 {
				t.Errorf("header %s: %q", name, sent.Header[name])
			}
		}
		if to := sent.Header.Get("To"); to != "<recepcion@clinica.example>" || sent.Header.Get("From") != "<citas@clinica.example>" {
			t.Errorf("from %q to %q", sent.Header.Get("From"), to)
		}
		if answers := sent.Header.Get("Reply-To"); answers != "" {
			if list, err := netmail.ParseAddressList(answers); err != nil || len(list) != 1 {
				t.Errorf("answers go to %q: %v", answers, err)
			}
		}
		if shown, err := new(mime.WordDecoder).DecodeHeader(sent.Header.Get("Subject")); err != nil || strings.ContainsAny(shown, "\r\n") && !strings.ContainsAny(subject, "\r\n") {
			t.Errorf("subject %q is shown as %q: %v", subject, shown, err)
		}
	})
}
