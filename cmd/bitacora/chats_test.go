package main

import (
	"strings"
	"testing"

	"bitacora/adapters/archive/archivetest"
	"bitacora/domain/chat"
)

// people stand where names and numbers were taken out of the chats: what a visitor writes
// there is no mark in brackets.
var people = strings.NewReplacer("[NOMBRE]", "Marta Ruiz", "[NUM]", "8-765-4321", "[HANDLE]", "Marta")

// mostMisses is the share of turns, in percent, that may not be understood. Some of them
// are choices in the other clinic's menus, or nonsense.
const mostMisses = 9

// TestVisitorsOfChatsAreAnswered lets the visitors of recorded chats, who spoke with
// another system, speak with this one. No answer fits them all; what no turn may break
// has to hold of each.
func TestVisitorsOfChatsAreAnswered(t *testing.T) {
	for _, file := range archivetest.Files(t, "../..") {
		t.Run(file.Name, func(t *testing.T) { visitorsAreAnswered(t, file) })
	}
}

func visitorsAreAnswered(t *testing.T, file archivetest.File) {
	turns, unanswered := 0, 0
	for _, recorded := range file.Chats {
		session := recorded.ID
		r := newMemoryStage(t, scripted{})
		for _, m := range recorded.Messages {
			if m.Role != "user" {
				continue
			}
			before, _ := r.stream(session)
			text := people.Replace(m.Text)
			reply, _, err := r.say(session, text)
			if err != nil || reply == "" {
				t.Errorf("%s: %q got %q, %v", session, text, reply, err)
				continue
			}
			turns++
			after, _ := r.stream(session)
			c := chat.Fold(chat.ConversationID("web", session), after)
			trueOfEveryTurn(t, session+": "+text, reply, c, after, len(before))
			if c.Dialogue.Misses > 0 {
				unanswered++
			}
			if testing.Verbose() {
				t.Logf("%s\n  > %s\n  < %s [%s]", session, text, reply, c.Dialogue.Asked)
			}
		}
	}
	if 100*unanswered > mostMisses*turns {
		t.Errorf("%d of %d turns were not understood, at most %d %% may be", unanswered, turns, mostMisses)
	}
	t.Logf("%d turns, %d of them not understood", turns, unanswered)
}
