package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/privacy"
)

// source is where imported conversations come from, as their events say it.
const source = "import"

// Bounds of what is taken for a conversation, so that a damaged file is told from an
// unusual one.
const (
	maxMessages = 5_000
	maxText     = 100_000
	maxIntent   = 200
	minYear     = 2000
	maxYear     = 2100
)

// conversation is one line of the import format.
type conversation struct {
	ID          string       `json:"id"`
	StartedAt   *time.Time   `json:"startedAt"`
	Messages    []message    `json:"messages"`
	Lead        *lead        `json:"lead"`
	Appointment *appointment `json:"appointment"`
}

type message struct {
	Role   string    `json:"role"`
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
	Intent string    `json:"intent,omitempty"`
}

type lead struct {
	At      time.Time `json:"at"`
	Name    string    `json:"name"`
	Phone   string    `json:"phone"`
	Email   string    `json:"email"`
	Consent bool      `json:"consent"`
}

type appointment struct {
	At          time.Time  `json:"at"`
	Slot        time.Time  `json:"slot"`
	Source      string     `json:"source"`
	CancelledAt *time.Time `json:"cancelledAt"`
}

// parse reads a line as a conversation that took place. Its errors name fields, never
// what a person wrote in them.
func parse(line []byte, plan phones.Plan) (chat.Past, error) {
	var c conversation
	if err := json.Unmarshal(line, &c); err != nil {
		return chat.Past{}, jsonMistake(err)
	}
	if err := c.normalise(plan); err != nil {
		return chat.Past{}, err
	}
	hash, err := c.hash()
	if err != nil {
		return chat.Past{}, err
	}
	var known privacy.Known
	if l := c.Lead; l != nil {
		known = privacy.Known{Names: []string{l.Name}, Contacts: []string{l.Phone, l.Email}}
	}
	p := chat.Past{Source: source, Key: c.ID, ContentHash: hash, Messages: make([]chat.PastMessage, len(c.Messages))}
	for i, m := range c.Messages {
		label := privacy.Mask(m.Intent, known) // recorded in the clear
		p.Messages[i] = chat.PastMessage{
			FromVisitor: m.Role == "user", Text: m.Text, At: m.At, Intent: label,
			Reply: chat.Reply{Topic: label, Answered: true},
		}
		if p.Messages[i].FromVisitor {
			p.Messages[i].Reply = chat.Reply{}
		}
	}
	if l := c.Lead; l != nil {
		p.Lead = &chat.PastLead{At: l.At, Contact: chat.Contact{Name: l.Name, Phone: l.Phone, Email: l.Email}}
	}
	if a := c.Appointment; a != nil {
		p.Appointment = &chat.PastAppointment{At: a.At, Slot: a.Slot, Source: a.Source}
		if a.CancelledAt != nil {
			p.Appointment.CancelledAt = *a.CancelledAt
		}
	}
	return p, nil
}

// jsonMistake says what is wrong with a line without quoting it.
func jsonMistake(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var at *time.ParseError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a JSON %s where a %s belongs", kind.Field, kind.Value, kind.Type)
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON object (byte %d)", syntax.Offset)
	case errors.As(err, &at):
		return errors.New("a time is not in RFC 3339")
	}
	return errors.New("no JSON object")
}

// normalise gives the conversation the form in which it is hashed and stored.
func (c *conversation) normalise(plan phones.Plan) error {
	if strings.TrimSpace(c.ID) == "" {
		return errors.New("id: is missing")
	}
	if utf8.RuneCountInString(c.ID) > chat.MaxID {
		return fmt.Errorf("id: is longer than %d characters", chat.MaxID)
	}
	if c.StartedAt != nil {
		if err := instant(c.StartedAt); err != nil {
			return fmt.Errorf("startedAt: %w", err)
		}
	}
	if len(c.Messages) > maxMessages {
		return fmt.Errorf("messages: more than %d", maxMessages)
	}
	fromVisitor := false
	for i := range c.Messages {
		if err := c.Messages[i].normalise(); err != nil {
			return fmt.Errorf("messages[%d].%w", i, err)
		}
		fromVisitor = fromVisitor || c.Messages[i].Role == "user"
	}
	if !fromVisitor {
		return errors.New("messages: none of role user")
	}
	if c.Lead != nil {
		if err := c.Lead.normalise(plan); err != nil {
			return fmt.Errorf("lead.%w", err)
		}
	}
	if c.Appointment != nil {
		if err := c.Appointment.normalise(); err != nil {
			return fmt.Errorf("appointment.%w", err)
		}
	}
	return nil
}

func (m *message) normalise() error {
	if m.Role != "user" && m.Role != "assistant" {
		return errors.New(`role: is neither "user" nor "assistant"`)
	}
	if err := instant(&m.At); err != nil {
		return fmt.Errorf("at: %w", err)
	}
	m.Text = strings.TrimSpace(strings.ReplaceAll(m.Text, "\r\n", "\n"))
	if strings.IndexFunc(m.Text, visible) < 0 {
		return errors.New("text: is empty")
	}
	if utf8.RuneCountInString(m.Text) > maxText {
		return fmt.Errorf("text: is longer than %d characters", maxText)
	}
	m.Intent = strings.TrimSpace(m.Intent)
	if utf8.RuneCountInString(m.Intent) > maxIntent || strings.ContainsFunc(m.Intent, unicode.IsControl) {
		return fmt.Errorf("intent: is no label of at most %d characters", maxIntent)
	}
	return nil
}

func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
}

func (l *lead) normalise(plan phones.Plan) error {
	if err := instant(&l.At); err != nil {
		return fmt.Errorf("at: %w", err)
	}
	if !l.Consent {
		return errors.New("consent: was not given")
	}
	l.Name, l.Phone, l.Email = strings.TrimSpace(l.Name), strings.TrimSpace(l.Phone), strings.TrimSpace(l.Email)
	if l.Phone == "" && l.Email == "" {
		return errors.New("phone: is missing, and so is the e-mail address")
	}
	if l.Phone != "" {
		number, ok := plan.Parse(l.Phone)
		if !ok {
			return errors.New("phone: is no telephone number")
		}
		l.Phone = number
	}
	if l.Email != "" {
		address, err := mail.ParseAddress(l.Email)
		if err != nil || address.Address != l.Email || !strings.Contains(l.Email[strings.LastIndex(l.Email, "@"):], ".") {
			return errors.New("email: is no e-mail address")
		}
	}
	return nil
}

func (a *appointment) normalise() error {
	if err := instant(&a.At); err != nil {
		return fmt.Errorf("at: %w", err)
	}
	if err := instant(&a.Slot); err != nil {
		return fmt.Errorf("slot: %w", err)
	}
	if a.CancelledAt != nil {
		if err := instant(a.CancelledAt); err != nil {
			return fmt.Errorf("cancelledAt: %w", err)
		}
	}
	return nil
}

// instant checks a time and gives it the log's precision and zone.
func instant(t *time.Time) error {
	if t.IsZero() {
		return errors.New("is missing")
	}
	if t.Year() < minYear || t.Year() > maxYear {
		return fmt.Errorf("is not between the years %d and %d", minYear, maxYear)
	}
	*t = t.UTC().Truncate(time.Millisecond)
	return nil
}

// hash identifies the normalised content: spaces, the order of keys, unknown keys and
// the way a time or a phone number is written make no difference.
func (c conversation) hash() (string, error) {
	content, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("hash content: %w", err)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), nil
}
