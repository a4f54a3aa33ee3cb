package chat

import (
	"strings"
	"unicode/utf8"

	"bitacora/domain/clinic"
)

// Bounds of what a visitor may send, in runes.
const (
	MaxText = 1000
	MaxID   = 200
)

// Message is what a visitor sends.
type Message struct {
	// SessionID is drawn by the client and names the conversation.
	SessionID string
	// MessageID is drawn by the client and makes a retry safe; empty if the client
	// draws none.
	MessageID string
	Text      string
	// Referrer is the kind of visit: "direct", "search", "social"; empty if unknown.
	Referrer string
	// ResumeToken is the secret in the visitor's cookie; empty if it showed none. NewToken is
	// the one that the browser then gets for a conversation that begins, see [Answer.Token].
	ResumeToken, NewToken string
	// Accepted, if not nil, is called with what is known of the answer once the message is stored.
	Accepted func(Answer)
	// Address is the client's address or network; empty if unknown. It is not stored.
	Address string
	// Channel is where the message came in, "web" unless said otherwise.
	Channel string
}

// Invalid is a message that cannot be accepted; it says why, in Spanish, to the visitor.
type Invalid string

func (i Invalid) Error() string { return string(i) }

// checked gives the message in the form in which it is stored.
func (m Message) checked() (Message, error) {
	m.Text = CleanText(m.Text)
	if m.Channel == "" {
		m.Channel = "web"
	}
	switch {
	case strings.TrimSpace(m.SessionID) == "":
		return m, Invalid("Falta el identificador de la sesión.")
	case utf8.RuneCountInString(m.SessionID) > MaxID, utf8.RuneCountInString(m.MessageID) > MaxID:
		return m, Invalid("El identificador es demasiado largo.")
	case !utf8.ValidString(m.MessageID), strings.ContainsRune(m.MessageID, 0):
		return m, Invalid("El identificador del mensaje no es válido.")
	case m.Text == "":
		return m, Invalid("El mensaje está vacío.")
	case utf8.RuneCountInString(m.Text) > MaxText:
		return m, Invalid("El mensaje es demasiado largo: el máximo es de 1.000 caracteres.")
	}
	switch m.Referrer {
	case "direct", "search", "social":
	default:
		m.Referrer = ""
	}
	return m, nil
}

// CleanText removes what nobody can see, as [clinic.Visible] does, and the joiner of emoji too.
func CleanText(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(clinic.Visible(text), "\u200d", ""))
}
