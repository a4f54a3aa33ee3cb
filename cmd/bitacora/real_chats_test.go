package main

import (
	"os"
	"path/filepath"
	"testing"

	"bitacora/adapters/archive"
	"bitacora/domain/chat"
)

// TestRealVisitorsAreAnswered lets the visitors of real appointment chats, who spoke with
// another clinic's system, speak with this one. No answer fits them all; what no turn may
// break has to hold of each.
func TestRealVisitorsAreAnswered(t *testing.T) {
	file, err := os.Open(filepath.Join("../..", realChats))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	turns, unanswered := 0, 0
	for line, err := range archive.Read(file) {
		if err != nil || line.Bad != nil {
			t.Fatal(err, line.Bad)
		}
		session := line.Past.Key
		r := newRehearsal(t, scripted{})
		for _, m := range line.Past.Messages {
			if !m.FromVisitor {
				continue
			}
			before, _ := r.stream(session)
			reply, _, err := r.say(session, m.Text)
			if err != nil || reply == "" {
				t.Errorf("%s: %q got %q, %v", session, m.Text, reply, err)
				continue
			}
			turns++
			after, _ := r.stream(session)
			c := chat.Fold(chat.ConversationID("web", session), after)
			holdsOfEveryTurn(t, session+": "+m.Text, reply, c, after, len(before))
			if c.Dialogue.Misses > 0 {
				unanswered++
			}
			if testing.Verbose() {
				t.Logf("%s\n  > %s\n  < %s [%s]", session, m.Text, reply, c.Dialogue.Asked)
			}
		}
	}
	const least = 400
	if turns < least {
		t.Errorf("%d turns, want %d", turns, least)
	}
	t.Logf("%d turns, %d of them not understood", turns, unanswered)
}
