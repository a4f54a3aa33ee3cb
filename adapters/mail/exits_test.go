package mail

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/privacy/privacytest"
)

// TestTheCorpusStaysOutOfLetters: a letter about a conversation holds nothing of what was said in it.
// Letters about a lead hold the contact that was left, which is what they are for; the questions of
// the weekly letter come masked from the tables, see TestTheCorpusBehindTheTables.
func TestTheCorpusStaysOutOfLetters(t *testing.T) {
	db, _ := clinicLog(t)
	o := newSMTPServer(t)
	samples := privacytest.Corpus(t)
	events := 0
	for i := 0; i < len(samples); i += 40 {
		var said []event.Payload
		for n, s := range samples[i:min(i+40, len(samples))] {
			said = append(said, &event.VisitorMessageSent{Progress: event.Progress{Ordinal: n + 2}, Text: event.Text{Text: s.Text}})
		}
		talk(t, db, "web", append(said, &event.ConversationFlagged{Flag: event.Flags[i/40%len(event.Flags)]}, &event.LeadCaptured{Name: "Contacto Dejado", Phone: "+50769990000"})...)
		events += len(said) + 4
	}
	send(t, db, o, time.Now)
	waitThrough(t, db, int64(events))
	letters := o.taken()
	if want := (len(samples) + 39) / 40 * 2; len(letters) != want {
		t.Fatalf("%d letters, want %d", len(letters), want)
	}
	var all strings.Builder
	contacts := 0
	for _, raw := range letters {
		subject, text, replyTo := letterIn(t, raw)
		all.WriteString(strings.Join([]string{subject, text, replyTo}, "\n"))
		if strings.Contains(text, "+50769990000") {
			contacts++
		}
	}
	if contacts == 0 {
		t.Error("no letter holds the contact that was left")
	}
	privacytest.MustTellNothing(t, samples, all.String())
}
