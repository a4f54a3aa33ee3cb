package chat

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMessage: a message is refused with a sentence, or bounded and visible, and is then
// accepted as it is. The conversation's id is fit for an address, whatever the session is called.
func FuzzMessage(f *testing.F) {
	f.Add("s-1", "m-1", "hola", "search")
	f.Add("\xff", "\x00", "a\u200db\u200d", "")
	f.Add(" ", "", "\u200d \u200d", "x")
	f.Add("s", "m", "\u200d\r\u200d\n", "direct")
	f.Fuzz(func(t *testing.T, session, id, text, referrer string) {
		m, err := Message{SessionID: session, MessageID: id, Text: text, Referrer: referrer}.checked()
		var invalid Invalid
		if err != nil {
			if !errors.As(err, &invalid) {
				t.Error(err)
			}
			return
		}
		if !utf8.ValidString(m.Text) || m.Text == "" || utf8.RuneCountInString(m.Text) > MaxText || strings.ContainsAny(m.Text, "\x00\r\u200d") {
			t.Errorf("accepted %q", m.Text)
		}
		if same, err := m.checked(); err != nil || !reflect.DeepEqual(same, m) {
			t.Errorf("%+v became %+v, %v", m, same, err)
		}
		if name := ConversationID("web", m.SessionID); strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyz", r) }) {
			t.Errorf("%q is called %q", session, name)
		}
	})
}
