package mail

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"text/template"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/newsletter"
)

//go:embed letters.tmpl
var lettersFile string

var letters = template.Must(template.New("letters").Parse(lettersFile))

// conversation is one as the templates of letters see it.
type conversation struct {
	*chat.Conversation
	site string
	zone *time.Location
	at   time.Time
}

// When is the time of what happened, in words.
func (c conversation) When() string { return clinic.DayAndTime(c.at.In(c.zone)) }

// Reachable says that the visitor left a contact, and agreed to that.
func (c conversation) Reachable() bool { return c.Lead }

// Callback says that the visitor asks to be called, or to speak with a person.
func (c conversation) Callback() bool { return slices.Contains(c.Flags, event.FlagCallback) }

// Link is the conversation on the dashboard, among those of its day.
func (c conversation) Link() string {
	day := c.StartedAt.In(c.zone).Format(time.DateOnly)
	return strings.TrimSuffix(c.site, "/") + "/dashboard?" + url.Values{"desde": {day}, "hasta": {day}, "conversacion": {c.ID}}.Encode()
}

// letter reports what happened in a conversation: a flag, or "lead".
func (c conversation) letter(what string) (Letter, error) {
	l := Letter{ID: what + "-" + c.ID, At: c.at}
	if c.Reachable() {
		l.ReplyTo = c.Contact.Email
	}
	for name, into := range map[string]*string{"subject-" + what: &l.Subject, what: &l.Text} {
		text, err := render(name, c)
		if err != nil {
			return Letter{}, err
		}
		*into = text
	}
	details, err := render("details", c)
	l.Text += "\n" + details
	return l, err
}

// request is one about somebody's own data as the templates of letters see it.
type request struct {
	*event.PrivacyRequestReceived
	site   string
	clinic clinic.Clinic
	at     time.Time
}

// When is the time of the request, in words, and Due the day by which it must have been done.
func (r request) When() string { return clinic.DayAndTime(r.at.In(r.clinic.Zone)) }
func (r request) Due() string  { return clinic.Day(r.DueAt.In(r.clinic.Zone)) }

// Law is what asks for it.
func (r request) Law() string { return r.clinic.LawInWords() }

// Link is where the dashboard shows all requests.
func (r request) Link() string { return strings.TrimSuffix(r.site, "/") + "/dashboard?vista=contactos" }

func (r request) letter() (Letter, error) {
	subject, err := render("subject-request", r)
	if err != nil {
		return Letter{}, err
	}
	text, err := render("request", r)
	return Letter{ID: "request-" + r.RequestID, Subject: subject, Text: text, At: r.at}, err
}

// SubscriptionLetter asks whoever reads a mailbox whether they want the newsletter.
func SubscriptionLetter(s newsletter.Subscription, c clinic.Clinic, site string, at time.Time) (Letter, error) {
	link := SubscriptionLink(site, s.ID)
	l := Letter{ID: "subscription-" + s.ID, To: s.Email, At: at, Unsubscribe: link}
	for name, into := range map[string]*string{"subject-subscription": &l.Subject, "subscription": &l.Text} {
		text, err := render(name, map[string]string{"Clinic": c.Name, "Link": link + "#boletin"})
		if err != nil {
			return Letter{}, err
		}
		*into = c.FormOfAddress.In(text)
	}
	return l, nil
}

// SubscriptionLink is where a subscription is confirmed and ended.
func SubscriptionLink(site, id string) string {
	return strings.TrimSuffix(site, "/") + "/blog?boletin=" + id
}

func render(name string, data any) (string, error) {
	var b strings.Builder
	err := letters.ExecuteTemplate(&b, name, data)
	return b.String(), fault.Wrap(err, "write letter")
}
