package assistant

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

var (
	// offers are the words in which a booking is offered, to somebody who did not ask for one.
	offers = regexp.MustCompile(`¿Te busco una cita|«quiero una cita»|la buscamos|puedo buscarte|Te busco`)
	// offersSlot offers the first free time to somebody in need, also after another offer.
	offersSlot = regexp.MustCompile(`¿Te ayudo a reservarlo\?`)
)

// Visitors who ask one thing after the other, and decline what is offered, are offered a booking
// once, by the dialogue or by an answer of the clinic.
func TestABookingIsOfferedOnce(t *testing.T) {
	const questions = 12
	asked := sentencesOf(t, "frozen", "fresh")
	service, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	offered := 0
	for conversation := range slices.Chunk(asked, questions) {
		own := StageOf(service)(time.Date(2026, 11, 24, 10, 0, 0, 0, service.Clinic.Zone))
		for _, text := range conversation {
			state := sayTo(t, own, text)
			if state.Dialogue.Asked == string(chat.StepOffer) {
				sayTo(t, own, "no, gracias")
			} else if state.Dialogue.Asked != string(chat.StepIdle) {
				sayTo(t, own, "déjalo")
			}
		}
		var byOffer, bySlot []string
		for _, events := range own.Log.(*Memory).Streams {
			for _, e := range events {
				reply, ok := e.Payload.(*event.AssistantReplied)
				if !ok || reply.Topic == "citas" && reply.Dialogue == nil {
					continue // asked how to book
				}
				if offers.MatchString(reply.Text.Text) {
					byOffer = append(byOffer, reply.Text.Text)
				}
				if offersSlot.MatchString(reply.Text.Text) {
					bySlot = append(bySlot, reply.Text.Text)
				}
			}
		}
		offered += len(byOffer)
		for _, found := range [][]string{byOffer, bySlot} {
			if len(found) > 1 {
				t.Errorf("offered %d times:\n%s", len(found), strings.Join(found, "\n---\n"))
			}
		}
	}
	if offered < 10 {
		t.Errorf("only %d offers", offered)
	}
}

func sayTo(t *testing.T, s *chat.Service, text string) *chat.Conversation {
	t.Helper()
	const session = "offers"
	if _, err := s.Receive(t.Context(), chat.Message{SessionID: session, Text: text}); err != nil {
		t.Fatal(err)
	}
	id := chat.ConversationID("web", session)
	events, err := s.Log.ReadStream(t.Context(), chat.Stream(id))
	if err != nil {
		t.Fatal(err)
	}
	return chat.Fold(id, events)
}

// sentencesOf are what visitors say first in the sentences of test sets.
func sentencesOf(t *testing.T, sets ...string) []string {
	t.Helper()
	var said []string
	for _, set := range sets {
		f, err := os.Open(fmt.Sprintf("../../../adapters/assistant/testdata/%s/sentences.txt", set))
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			word, _, _ := strings.Cut(lines.Text(), " ")
			if !slices.Contains([]string{"", "#", "##", "+", "-", "let", "now"}, word) {
				first, _, _ := strings.Cut(lines.Text(), " // ")
				said = append(said, first)
			}
		}
		f.Close()
	}
	return said
}
