package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/mail"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

// mix is what people do at the clinic's doors, all at once, and how often each in a deck of
// scripts. A new event type asks for a script that brings it about.
var mix = []script{
	{"asks", 4, []step{comes(""), comes(event.OpenedByVisitor), say("¿A qué hora abren?"), say("¿Cuánto cuesta una limpieza?"), rate(event.RatedPositive, ""), rate(event.RatedNegative, ""), rate(event.RatedNegative, event.ReasonIncomplete), say("gracias")}},
	{"asks what nobody knows", 1, []step{say("¿venden repuestos para motores diésel?"), rate(event.RatedNegative, event.ReasonUnrelated), rate(event.RatedNone, "")}},
	{"asks what the second assistant cannot tell", 2, []step{say("¿Dónde están?"), say("gracias")}},
	{"looks around", 2, []step{comes(""), comes(event.OpenedByItself), comes(event.OpenedByVisitor)}},
	{"is greeted unasked", 1, []step{comes(""), comes(event.OpenedByItself)}},
	{"gives up", 1, []step{say("quiero una cita de limpieza"), say("sí"), sayName}},
	{"leaves a contact and no more", 1, []step{say("¿atienden a los Ruiz, a los Mora y a los Vega?"), say("quiero una cita de limpieza"), say("sí"), sayName, sayPhone}},
	{"books", 4, []step{comes(event.OpenedByVisitor), say("quiero una cita de limpieza"), say("sí"), sayName, sayPhone, sayWhen, settle}},
	{"moves the appointment", 2, []step{say("quiero una cita de ortodoncia"), say("sí"), sayName, sayPhone, sayWhen, settle, say("quiero cambiar mi cita"), sayWhen, settle}},
	{"cancels the appointment", 2, []step{say("quiero una cita de limpieza"), say("sí"), sayName, sayPhone, sayWhen, settle, say("cancela mi cita"), say("sí")}},
	{"follows the link", 2, []step{comes(""), say("Quiero una cita"), say("no"), followLink, followLink, bookByForm, cancelByForm}},
	{"is in pain", 1, []step{say("me sangra mucho la encía y tengo la cara hinchada, es urgente"), say("¿Dónde quedan?")}},
	{"is in danger", 1, []step{say("ya no quiero vivir"), say("gracias")}},
	{"complains", 1, []step{say("quiero poner una queja, me trataron muy mal"), say("quiero que me llame una persona")}},
	{"has two tabs open", 2, []step{comes(""), say("hola"), twoTabs, readBack}},
	{"writes with the form", 2, []step{writeToClinic}},
	{"is staff and calls back", 2, []step{signIn, readContacts, addNote, setStatus(contacts.Contacted), setStatus(contacts.Discarded)}},
	{"is staff and books", 2, []step{say("¿Atienden los sábados?"), signIn, openTranscript, bookByStaff, cancelByStaff}},
	{"imports", 1, []step{importFile}},
	{"tells the staff of the limit", 1, []step{notifyStaff}},
	{"takes back what was said", 1, []step{eraseOwn}},
	{"is erased by the staff", 2, []step{sayMark, say("quiero una cita de limpieza"), say("sí"), say(markedName), sayOwnPhone, sayWhen, settle, signIn, erasePerson}},
	{"is restricted", 2, []step{sayMark, say("quiero una cita de limpieza"), say("sí"), say(markedName), sayOwnPhone, signIn, restrictPerson(true), exportPersonOf, maybeRelease}},
	{"is staff and teaches", 1, []step{signIn, readTexts, teachAnswer}},
	{"is a new colleague", 1, []step{signIn, addColleague, turnOnCodes, spendCodes, signInWithRecoveryCode, signOut, removeColleague}},
}

// script is what one person does from beginning to end. Its name begins the sessions of those
// who play it, so that a refused request says whose it was.
type script struct {
	name  string
	often int
	steps []step
}

type step func(g *client)

// client is a person in a script.
type client struct {
	*clients
	random *rand.Rand
	// servers are those that the guest may come through.
	servers []*programtest.Program
	session string
	tab     string
	said    int
	// cookie is the visitor's, staff that of somebody who signed in; empty where the answer that
	// brought it was lost.
	cookie, staff string
	// last is the id of the latest message, reply the answer to it.
	last, reply string
	// phone is nobody else's, mark a word that nobody else says.
	phone, mark string
	// colleague is an account of the client's own.
	colleague colleague
	// gone says that the script cannot go on: it is over.
	gone    bool
	contact contacts.Ref
	booking string
}

func (c *client) conversation() string { return chat.ConversationID("web", c.session) }

func comes(openedBy string) step {
	return func(g *client) {
		body := map[string]string{"sessionId": g.session}
		of := []fact{{"visit", g.conversation()}}
		if openedBy != "" {
			body["openedBy"] = openedBy
			of = append(of, fact{"opened by " + openedBy, g.conversation()})
		}
		g.ask(request{method: "POST", path: "/api/visits", body: body}, of...)
	}
}

func say(text string) step { return func(g *client) { g.say(text) } }

func (c *client) say(text string) {
	c.said++
	c.last = fmt.Sprint(c.tab, c.said)
	of := c.conversation() + "/" + c.last
	var answered struct{ Response, MessageID string }
	a := c.ask(request{
		method: "POST", path: "/api/chatbot", cookie: c.cookie, into: &answered, refusals: []int{http.StatusTooManyRequests},
		body: map[string]string{"sessionId": c.session, "messageId": c.last, "message": text, "referrer": "search"},
		// Somebody in danger is answered also where nothing can be stored.
		stored: func() bool { return answered.MessageID != "" },
	}, fact{"message", of})
	switch {
	case a.status == http.StatusTooManyRequests:
		// The month is full at one door; who comes back finds the other.
		month := time.Now().In(clinic.Default().Zone).Format("2006-01")
		c.acknowledge(fact{"refusal", event.DerivedID("refusal", month, c.conversation())})
		c.servers = c.servers[:1]
		c.said--
		c.say(text)
		return
	case a.status == http.StatusOK:
		c.reply = answered.Response
		c.acknowledge(fact{"reply", of + "/" + c.reply})
	}
	if kept := a.cookie(); kept != "" {
		c.cookie = kept
	}
}

func rate(value, reason string) step {
	return func(g *client) {
		if g.cookie == "" {
			return
		}
		body := map[string]string{"sessionId": g.session, "messageId": g.last, "rating": value}
		if reason != "" {
			body["reason"] = reason
		}
		g.ask(request{method: "POST", path: "/api/chatbot/rating", cookie: g.cookie, body: body}, fact{"rating", g.conversation() + "/" + g.last + "/" + value + reason})
	}
}

func readBack(g *client) {
	if g.cookie == "" {
		return
	}
	g.ask(request{method: "POST", path: "/api/chatbot/conversation", cookie: g.cookie, body: map[string]string{"sessionId": g.session}}, fact{"bound", g.conversation()})
}

func sayName(g *client) {
	names := []string{"Ana Ruiz", "Luis Mora", "Rosa Vega"}
	g.say(names[g.random.IntN(len(names))])
}

func sayPhone(g *client) {
	g.say(fmt.Sprintf("6%03d-%04d", g.random.IntN(1000), g.random.IntN(10_000)))
}

// slot is one of a few times on weekdays, so that several want the same one.
func (c *client) slot() time.Time {
	day := time.Now().In(clinic.Default().Zone).AddDate(0, 0, 14)
	for left := c.random.IntN(5); left > 0 || day.Weekday() == time.Saturday || day.Weekday() == time.Sunday; left-- {
		day = day.AddDate(0, 0, 1)
	}
	return time.Date(day.Year(), day.Month(), day.Day(), 8+c.random.IntN(10), 0, 0, 0, day.Location())
}

func sayWhen(g *client) {
	_, when, _ := strings.Cut(clinic.DayAndTime(g.slot()), " ") // without the day of the week
	g.say("el " + when)
}

// settle takes what is offered, up to the last yes.
func settle(g *client) {
	for range 6 {
		switch {
		case strings.Contains(g.reply, saidBooked), g.gone:
			return
		case strings.Contains(g.reply, "¿Confirmo"):
			g.say("sí")
		case strings.Contains(g.reply, "¿Cuál prefieres?"):
			g.say("la primera")
		default:
			sayWhen(g)
		}
	}
}

// What a reply says that comes with a booking, or a cancellation.
const (
	saidBooked    = "quedó agendada"
	saidCancelled = "cancelé tu cita"
)

func followLink(g *client) {
	g.ask(request{method: "GET", path: "/r/" + g.conversation()}, fact{"link", g.conversation()})
}

func twoTabs(g *client) {
	var writing sync.WaitGroup
	for _, tab := range []string{"left-", "right-"} {
		other := *g
		other.tab, other.random = tab, rand.New(rand.NewPCG(g.random.Uint64(), 2))
		writing.Go(func() {
			for _, text := range []string{"¿Dónde están?", "¿Aceptan tarjeta?", "gracias"} {
				other.say(text)
			}
		})
	}
	writing.Wait()
}

// writeToClinic sends a message once: without an answer nobody knows whether it arrived.
func writeToClinic(g *client) {
	text := "Quiero saber de sus precios, soy " + g.session
	g.ask(request{method: "POST", path: "/api/contact", once: true, body: map[string]string{
		"name": "Ana Ruiz", "email": "ana@correo.example", "phone": "6123-4567", "message": text,
	}}, fact{"contact", text})
}

func signIn(g *client) {
	body := map[string]string{"username": programtest.StaffEmail, "password": programtest.StaffSecret}
	a := g.ask(request{method: "POST", path: "/api/auth/login", body: body}, fact{"sign-in", ""})
	g.staff = a.cookie()
}

// aYear are the days that the dashboard is asked about: those of what was imported and those of what
// is done now, also where midnight passes meanwhile.
func aYear() (first, last time.Time) {
	today := time.Now().In(clinic.Default().Zone)
	return today.AddDate(-1, 0, 2), today.AddDate(0, 0, 1)
}

// between asks about days, both included.
func between(first, last time.Time) string {
	return "startDate=" + first.Format(time.DateOnly) + "&endDate=" + last.Format(time.DateOnly)
}

func readContacts(g *client) {
	type listed struct {
		Kind, ID           string
		Erased, Restricted bool
	}
	var list []listed
	g.ask(request{method: "GET", path: "/api/dashboard/contacts?" + between(aYear()), cookie: g.staff, into: &list})
	if len(list) > 0 { // an empty list is no reading
		g.acknowledge(fact{"contacts read", ""})
	}
	list = slices.DeleteFunc(list, func(c listed) bool { return c.Erased || c.Restricted })
	if g.gone = len(list) == 0; !g.gone {
		picked := list[g.random.IntN(len(list))]
		g.contact = contacts.Ref{Kind: picked.Kind, ID: picked.ID}
	}
}

func (c *client) contactPath() string {
	return "/api/dashboard/contacts/" + c.contact.Kind + "/" + c.contact.ID
}

// withheldMeanwhile is what a contact is refused with that was restricted or erased since it was read.
var withheldMeanwhile = []int{http.StatusForbidden, http.StatusGone}

func addNote(g *client) {
	g.ask(request{method: "POST", path: g.contactPath() + "/notes", cookie: g.staff, refusals: withheldMeanwhile, body: map[string]string{"id": g.session, "text": "llamar a " + g.session}},
		fact{"note", contacts.NoteID(g.contact, g.session)})
}

func setStatus(status string) step {
	return func(g *client) {
		var state struct {
			Status    string
			ChangedAt time.Time
		}
		body := map[string]string{"id": g.session + status, "status": status}
		a := g.ask(request{method: "POST", path: g.contactPath() + "/status", cookie: g.staff, into: &state, refusals: withheldMeanwhile, body: body})
		if a.status == http.StatusOK {
			g.acknowledge(fact{"status", statusOf(g.contact, state.Status, state.ChangedAt)})
		}
	}
}

func statusOf(of contacts.Ref, status string, at time.Time) string {
	return of.Kind + "/" + of.ID + "/" + status + " at " + at.UTC().Format(time.RFC3339Nano)
}

func openTranscript(g *client) {
	g.ask(request{method: "GET", path: "/api/dashboard/conversation/" + g.conversation() + "/messages", cookie: g.staff}, fact{"transcript", g.conversation()})
}

func bookByStaff(g *client) {
	path := "/api/dashboard/conversation/" + g.conversation() + "/booking"
	g.book(request{method: "POST", path: path, cookie: g.staff, body: map[string]any{
		"status": "booked", "slot": g.slot(), "specialty": "limpieza-dental", "contact": map[string]string{"name": "Luis Mora", "phone": "+50761234567"}, "consent": true,
	}})
}

func cancelByStaff(g *client) {
	path := "/api/dashboard/conversation/" + g.conversation() + "/booking"
	g.cancel(request{method: "POST", path: path, cookie: g.staff, body: map[string]string{"status": "cancelled"}})
}

func bookByForm(g *client) {
	g.book(request{method: "POST", path: "/api/webhooks/bookings", signed: true, body: map[string]any{
		"id": g.session, "reference": g.conversation(), "status": "booked", "slot": g.slot(), "noticeVersion": "form-1",
		"specialty": "ortodoncia", "contact": map[string]string{"name": "Rosa Vega", "email": "rosa@correo.example"},
	}})
}

func cancelByForm(g *client) {
	g.cancel(request{method: "POST", path: "/api/webhooks/bookings", signed: true, body: map[string]string{
		"id": g.session, "reference": g.conversation(), "status": "cancelled",
	}})
}

// book is refused where the slot is taken.
func (c *client) book(r request) {
	var booked struct{ ID string }
	r.into, r.refusals = &booked, []int{http.StatusConflict}
	if a := c.ask(r); a.status == http.StatusOK {
		c.booking = booked.ID
		c.acknowledge(fact{"booking", booked.ID})
	}
}

// cancel takes the booking back. A repetition finds none that stands.
func (c *client) cancel(r request) {
	if c.booking == "" || c.random.IntN(2) == 0 {
		return
	}
	r.refusals = []int{http.StatusNotFound}
	c.ask(r)
	c.acknowledge(fact{"cancellation", c.booking})
}

// notifyStaff sends what the staff is to be told once, as each program does every minute.
func notifyStaff(g *client) {
	g.until("the staff was told", func() error {
		// Loaded at each try, since a program that was killed in between has its databases elsewhere.
		a := g.app.Load()
		n := mail.Notifier{Memory: a.DB.Log(), Outbox: app.OutboxFolder(a), Now: time.Now, Logger: a.Log}
		reported, err := a.DB.TryWithLease(context.Background(), "notices", builds.LeaseTime, func(ctx context.Context) error {
			return n.Send(ctx, serve.DueNotices(ctx, a, time.Now().In(a.Clinic.Zone), "https://clinica.example"))
		})
		if err == nil && !reported {
			err = errors.New("somebody else is at it")
		}
		return err
	})
}

var dated = regexp.MustCompile(`"\d{4}-\d\d-\d\d`)

// pastChats are the sample chats, of two months, as if the last of them had been two months ago, on the
// same days of the week.
func pastChats(t testing.TB) string {
	file, err := os.ReadFile("../../../adapters/archive/testdata/chats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ended := time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)
	weeks := int(time.Since(ended).Hours()/(7*24)) - 8
	return dated.ReplaceAllStringFunc(string(file), func(day string) string {
		at, err := time.Parse(`"`+time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		return at.AddDate(0, 0, 7*weeks).Format(`"` + time.DateOnly)
	})
}

func importFile(g *client) {
	lines := g.pastChats()
	g.until("imported", func() error {
		out, err := g.servers[0].Run(lines, "import", "-")
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return err
	})
	g.acknowledgeImport(lines)
}

// pastChats are those of an archive of the client's own.
func (c *client) pastChats() (lines string) {
	return strings.ReplaceAll(pastChats(c.t), `"id": "`, `"id": "`+c.session+"-")
}

func (c *client) acknowledgeImport(lines string) {
	for line := range strings.Lines(lines) {
		var reported struct{ ID string }
		if err := json.Unmarshal([]byte(line), &reported); err != nil {
			c.t.Error(err)
		}
		c.acknowledge(fact{"import", chat.ConversationID("import", reported.ID)})
	}
}
