package clinic

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a contact message, in runes.
const (
	MinContactName    = 2
	MinContactMessage = 10
	MaxContactMessage = 5000
	maxContactName    = 200
	maxContactEmail   = 320
	maxContactPhone   = 50
)

// ContactMessage is what a visitor writes to the clinic.
type ContactMessage struct {
	Name, Email string
	// Phone is kept as it was typed; it may be empty.
	Phone   string
	Message string
}

// InvalidFields says what is wrong with a form: a Spanish sentence for the visitor, by
// the name of the field.
type InvalidFields map[string]string

func (f InvalidFields) Error() string { return "Revisa los datos del formulario." }

// Checked gives the message in the form in which it is kept, or [InvalidFields].
func (m ContactMessage) Checked() (ContactMessage, error) {
	m = ContactMessage{Name: line(m.Name), Email: line(m.Email), Phone: line(m.Phone), Message: Visible(m.Message)}
	wrong := InvalidFields{}
	switch n := utf8.RuneCountInString(m.Name); {
	case n < MinContactName:
		wrong["name"] = "El nombre debe tener al menos 2 caracteres."
	case n > maxContactName:
		wrong["name"] = "El nombre puede tener como máximo 200 caracteres."
	}
	if !IsEmail(m.Email) {
		wrong["email"] = WrongEmail
	}
	if utf8.RuneCountInString(m.Phone) > maxContactPhone {
		wrong["phone"] = "El teléfono puede tener como máximo 50 caracteres."
	}
	switch n := utf8.RuneCountInString(m.Message); {
	case n < MinContactMessage:
		wrong["message"] = "El mensaje debe tener al menos 10 caracteres."
	case n > MaxContactMessage:
		wrong["message"] = "El mensaje puede tener como máximo 5.000 caracteres."
	}
	if len(wrong) > 0 {
		return ContactMessage{}, wrong
	}
	return m, nil
}

// WrongEmail is what is said of a text that is no e-mail address.
const WrongEmail = "Escribe una dirección de correo electrónico válida."

// IsEmail says whether a text is one bare address with a domain that can be on the
// internet.
func IsEmail(text string) bool {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || utf8.RuneCountInString(text) > maxContactEmail {
		return false
	}
	domain := text[strings.LastIndexByte(text, '@')+1:]
	return strings.Contains(domain, ".") && !strings.HasPrefix(domain, "[")
}

// Visible is a text without what nobody can see: control characters but line breaks,
// zero-width and direction marks, and the tag characters that hide text from a reader. The
// joiner that builds one emoji of several stays.
func Visible(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200d':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text))
}

// line is a visible text on one line.
func line(text string) string { return strings.Join(strings.Fields(Visible(text)), " ") }
