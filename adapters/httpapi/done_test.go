package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// promise is what a route answers, and what events it leaves: "status types".
type promise struct {
	// once is of a first request, again of the same one by who did not get the answer, and other of
	// one that says something else under the same name.
	once, again, other string
	// prepare makes what the request is about, and gives it with what else may be said.
	prepare func(d *doing) (by *browser, first asked, other string)
}

// promises are those of every route that changes anything. A route does once what it is asked,
// however often, and answers a repetition as a success; or each request is something of its own, such
// as a sign-in or a reading. Where an account was added, removed or got a password or second factor,
// a repetition cannot be told from a mistake: the refusal says how things stand.
var promises = map[string]promise{
	"POST /api/chatbot":        {"200 ConversationStarted VisitorMessageSent AssistantReplied", "200", "400", (*doing).says},
	"POST /api/chatbot/stream": {"200 ConversationStarted VisitorMessageSent AssistantReplied", "200", "400", (*doing).says},
	"POST /api/chatbot/rating": {"204 ConversationBound ReplyRated", "204", "204 ReplyRated", func(d *doing) (*browser, asked, string) {
		b, session := d.talks()
		return b, asked{body: `{"sessionId":"` + session + `","messageId":"m1","rating":"positive"}`}, `{"sessionId":"` + session + `","messageId":"m1","rating":"negative"}`
	}},
	"POST /api/chatbot/conversation/erase": {"200 AppointmentCancelled SubjectErased", "200", "200", func(d *doing) (*browser, asked, string) {
		b, session := d.talks()
		slot := d.books(session, 3+d.n)
		return b, asked{body: `{"sessionIds":["` + session + `"],"appointments":["` + slot.Format(time.RFC3339) + `"]}`}, `{"sessionIds":["` + session + `"],"appointments":[]}`
	}},
	"POST /privacidad": {"303 SubjectErased", "303", "200", func(d *doing) (*browser, asked, string) {
		b, _ := d.talks()
		return b, asked{body: "confirmado=1"}, "confirmado=0"
	}},
	"POST /api/visits": {"204 VisitStarted", "204", "204 WidgetOpened", func(d *doing) (*browser, asked, string) {
		session := d.name("s")
		return d.browser(), asked{body: `{"sessionId":"` + session + `"}`}, `{"sessionId":"` + session + `","openedBy":"visitor"}`
	}},
	"POST /api/contact": {"204 ContactMessageReceived", "204", "204 ContactMessageReceived", func(d *doing) (*browser, asked, string) {
		message := `{"name":"` + d.name("Ana Ruiz ") + `","email":"ana@example.com","message":"%s"}`
		return d.browser(), asked{body: fmt.Sprintf(message, "Quisiera una cita.")}, fmt.Sprintf(message, "Para mañana.")
	}},
	"POST /api/newsletter": {"204 SubscriptionRequested", "204", "204 SubscriptionRequested", func(d *doing) (*browser, asked, string) {
		body := `{"email":"%s@example.com"}`
		return d.browser(), asked{body: fmt.Sprintf(body, d.name("ana"))}, fmt.Sprintf(body, d.name("eva"))
	}},
	"POST /blog": {"303 SubscriptionRequested", "303", "303 SubscriptionRequested", func(d *doing) (*browser, asked, string) {
		body := "accion=pedir&email=%s%%40example.com"
		return d.browser(), asked{body: fmt.Sprintf(body, d.name("ana"))}, fmt.Sprintf(body, d.name("eva"))
	}},
	"POST /contact": {"303 ContactMessageReceived", "303", "303 ContactMessageReceived", func(d *doing) (*browser, asked, string) {
		message := "name=" + d.name("Ana+Ruiz+") + "&email=ana%40example.com&message="
		return d.browser(), asked{body: message + "Quisiera+una+cita."}, message + "Para+ma%C3%B1ana%2C+por+favor."
	}},
	"POST /api/webhooks/bookings": {"200 AppointmentBooked", "200", "200 AppointmentCancelled", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		slot := d.books(session, 3+d.n)
		id := chat.ConversationID("web", session)
		return d.browser(), asked{body: `{"id":"b-` + session + `","reference":"` + id + `","status":"booked","slot":"` + slot.Format(time.RFC3339) + `"}`},
			`{"id":"b-` + session + `","reference":"` + id + `","status":"cancelled"}`
	}},
	"POST /api/dashboard/conversation/{id}/booking": {"200 AppointmentCancelled", "200", "", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		d.books(session, 3+d.n)
		return d.ana, asked{path: "/api/dashboard/conversation/" + chat.ConversationID("web", session) + "/booking", body: `{"status":"cancelled"}`}, ""
	}},
	"POST /api/dashboard/conversation/{id}/booking/{booking}/outcome": {"200 AppointmentOutcomeRecorded AppointmentCancelled", "200", "200 AppointmentBooked AppointmentOutcomeRecorded", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		d.books(session, 3+d.n)
		id := chat.ConversationID("web", session)
		booking := ""
		for _, e := range d.events(chat.Stream(id)) {
			if p, ok := e.Payload.(*event.AppointmentBooked); ok {
				booking = p.BookingID
			}
		}
		return d.ana, asked{path: "/api/dashboard/conversation/" + id + "/booking/" + booking + "/outcome", body: `{"outcome":"cancelled-late"}`}, `{"outcome":"unknown"}`
	}},
	"POST /api/dashboard/contacts/{kind}/{id}/status": {"200 ContactStatusChanged", "200", "400", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{path: changePath(d.lead(), "status"), body: `{"id":"c1","status":"contacted"}`}, `{"id":"c1","status":"discarded"}`
	}},
	"POST /api/dashboard/contacts/{kind}/{id}/notes": {"200 ContactNoteAdded", "200", "400", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{path: changePath(d.lead(), "notes"), body: `{"id":"c1","text":"Llamar."}`}, `{"id":"c1","text":"No llamar."}`
	}},
	"POST /api/dashboard/contacts/{kind}/{id}/person/restriction": {"200 SubjectRestricted", "200", "200 SubjectRestricted", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{path: changePath(d.lead(), "person/restriction"), body: `{"on":true}`}, `{"on":false}`
	}},
	"POST /api/dashboard/contacts/{kind}/{id}/person/erasure": {"200 AppointmentCancelled SubjectErased", "200", "200", func(d *doing) (*browser, asked, string) {
		ref := d.lead()
		session := fmt.Sprint("lead", d.n)
		d.books(session, 3+d.n)
		return d.ana, asked{path: changePath(ref, "person/erasure"), body: `{"confirmation":"Ana ` + session + `","cancelAppointments":true,"only":true}`}, `{"confirmation":"otra cosa"}`
	}},
	"POST /api/dashboard/contacts/{kind}/{id}/requests/{request}": {"200 PrivacyRequestDone", "200", "400", func(d *doing) (*browser, asked, string) {
		session := d.name("asks")
		d.browser().say(session, "borren mis datos").into(http.StatusOK, &contract.ChatResponse{})
		id := chat.ConversationID("web", session)
		request := ""
		for _, e := range d.events(chat.Stream(id)) {
			if p, ok := e.Payload.(*event.PrivacyRequestReceived); ok {
				request = p.RequestID
			}
		}
		return d.ana, asked{path: changePath(contacts.Ref{Kind: contacts.Lead, ID: id}, "requests/"+request), body: `{"outcome":"granted"}`}, `{"outcome":"empty"}`
	}},
	"POST /api/dashboard/waiting/{kind}/{id}/attempts": {"200 ContactAttempted", "200", "400", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{path: attemptsPath(d.lead()), body: `{"id":"a1","outcome":"done"}`}, `{"id":"a1","outcome":"tomorrow"}`
	}},
	"POST /api/dashboard/waiting/{kind}/{id}/attempts/{attempt}/undo": {"204 ContactAttemptUndone", "204", "", func(d *doing) (*browser, asked, string) {
		ref := d.lead()
		var made contract.Attempt
		d.ana.post(attemptsPath(ref), contract.NewAttempt{ID: "a1", Outcome: contract.Done}).into(http.StatusOK, &made)
		return d.ana, asked{path: attemptsPath(ref) + "/" + made.ID + "/undo"}, ""
	}},
	"POST /api/dashboard/questions/dismissal": {"204 QuestionLabelled", "204", "400", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		question := `{"conversationId":"` + chat.ConversationID("web", session) + `","ordinal":%d}`
		return d.ana, asked{body: fmt.Sprintf(question, 1)}, fmt.Sprintf(question, 2)
	}},
	"POST /api/dashboard/answers": {"200 AnswerTaught", "200", "409", (*doing).teaches},
	"POST /api/dashboard/answers/preview": {"200 QuestionsReplayed", "200 QuestionsReplayed", "200 QuestionsReplayed", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{body: wifi}, strings.ReplaceAll(wifi, "sala de espera", "cocina")
	}},
	"POST /api/dashboard/chart-notes/{id}": {"204 ChartNoted", "204", "204 ChartNoted", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{path: "/api/dashboard/chart-notes/" + d.name("note"), body: chartNote}, strings.ReplaceAll(chartNote, "Campaña", "Obra")
	}},
	"POST /api/dashboard/answers/{id}/undo": {"204 AnswerUndone", "204", "409", func(d *doing) (*browser, asked, string) {
		_, a, _ := d.teaches()
		a.method, a.path = http.MethodPost, "/api/dashboard/answers"
		if got := d.ana.ask(a); got.Code != http.StatusOK {
			d.t.Fatalf("teach: %d %s", got.Code, got.Body)
		}
		return d.ana, asked{path: fmt.Sprintf("/api/dashboard/answers/agua%d/undo", d.n), body: `{"version":1,"reason":"Prueba"}`}, `{"version":2,"reason":"Prueba"}`
	}},
	"POST /api/auth/login": {"200 StaffSignedIn", "200 StaffSignedIn", "401 StaffSignInFailed", func(d *doing) (*browser, asked, string) {
		_, email := d.colleague()
		return d.browser(), asked{body: `{"username":"` + email + `","password":"` + anaPassword + `"}`}, `{"username":"` + email + `","password":"x"}`
	}},
	"POST /api/accounts": {"200 StaffAccountAdded", "409", "409", func(d *doing) (*browser, asked, string) {
		account := `{"email":"` + d.name("luis") + `@clinica.example","password":"cuatro gatos bajo un puente","role":"%s"}`
		return d.ana, asked{body: fmt.Sprintf(account, "staff")}, fmt.Sprintf(account, "reader")
	}},
	"POST /api/accounts/{id}/role": {"204 StaffRoleChanged", "204", "204 StaffRoleChanged", func(d *doing) (*browser, asked, string) {
		who, _ := d.colleague()
		return d.ana, asked{path: "/api/accounts/" + who.ID + "/role", body: `{"role":"reader"}`}, `{"role":"owner"}`
	}},
	"POST /api/accounts/{id}/sessions/end": {"204 StaffSessionsEnded", "204", "", func(d *doing) (*browser, asked, string) {
		who, _, _ := d.signedIn()
		return d.ana, asked{path: "/api/accounts/" + who.ID + "/sessions/end"}, ""
	}},
	"POST /api/accounts/{id}/remove": {"204 StaffAccountRemoved", "404", "", func(d *doing) (*browser, asked, string) {
		who, _ := d.colleague()
		return d.ana, asked{path: "/api/accounts/" + who.ID + "/remove"}, ""
	}},
	"POST /api/auth/logout": {"204 StaffSignedOut", "204", "", func(d *doing) (*browser, asked, string) {
		_, _, b := d.signedIn()
		return b, asked{}, ""
	}},
	"POST /api/auth/password": {"204 StaffPasswordChanged", "400 StaffSignInFailed", "400", func(d *doing) (*browser, asked, string) {
		_, _, b := d.signedIn()
		return b, asked{body: `{"current":"` + anaPassword + `","password":"cuatro gatos bajo un puente"}`}, `{"current":"` + anaPassword + `","password":"cinco gatos bajo un puente"}`
	}},
	"POST /api/auth/sessions/end": {"204 StaffSessionsEnded", "204", "", func(d *doing) (*browser, asked, string) {
		_, email, b := d.signedIn()
		d.browser().signIn(email, anaPassword)
		return b, asked{body: `{}`}, ""
	}},
	"POST /api/auth/second-factor/begin": {"200", "200", "", func(d *doing) (*browser, asked, string) {
		_, _, b := d.signedIn()
		return b, asked{}, ""
	}},
	"POST /api/auth/second-factor/confirm": {"200 StaffSecondFactorChanged", "409", "409", func(d *doing) (*browser, asked, string) {
		_, _, b := d.signedIn()
		var key contract.SecondFactorKey
		b.post("/api/auth/second-factor/begin", nil).into(http.StatusOK, &key)
		return b, asked{body: `{"code":"` + d.code(key.Secret, 0) + `"}`}, `{"code":"000000"}`
	}},
	"POST /api/auth/second-factor/remove": {"204 StaffSecondFactorChanged", "204", "400 StaffSignInFailed", func(d *doing) (*browser, asked, string) {
		_, _, b := d.signedIn()
		secret, _ := b.secured()
		d.clock.advance(30 * time.Second) // each code is taken once
		return b, asked{body: `{"password":"` + anaPassword + `","code":"` + d.code(secret, 0) + `"}`}, `{"password":"x","code":"000000"}`
	}},
}

// inOneTransaction are the routes whose change and whose event are stored together.
var inOneTransaction = []string{
	"POST /api/dashboard/answers", "POST /api/dashboard/answers/{id}/undo",
	"POST /api/accounts", "POST /api/accounts/{id}/role", "POST /api/accounts/{id}/sessions/end", "POST /api/accounts/{id}/remove",
	"POST /api/auth/password", "POST /api/auth/sessions/end", "POST /api/auth/second-factor/confirm", "POST /api/auth/second-factor/remove",
}

// readings are the routes that are asked by POST and change nothing.
var readings = []string{"POST /api/chatbot/conversation", "POST /api/chatbot/forget"}

// TestWhatIsDoneIsToldAsDone asks every route that changes anything, in every state: the answer is
// lost and the request repeated, or repeated with other words; one database is away, or hangs, or
// the way to it ends with the answer to the append, as where the program is killed then. Whatever
// came between, the repetition is answered as if nothing had, and the log holds everything once.
func TestWhatIsDoneIsToldAsDone(t *testing.T) {
	enginestest.Long(t)
	d := newDoing(t)
	var named []string
	for name := range everyRoute(t, d.testServer) {
		if strings.HasPrefix(name, http.MethodPost) && !slices.Contains(readings, name) {
			named = append(named, name)
		}
	}
	slices.Sort(named)
	if told := slices.Sorted(maps.Keys(promises)); !slices.Equal(named, told) {
		t.Fatalf("the program serves\n%s\nand the table tells of\n%s", strings.Join(named, "\n"), strings.Join(told, "\n"))
	}
	for _, name := range named {
		p := promises[name]
		check := func(state, got, want string) {
			if got != want {
				t.Errorf("%s, %s: %s, want %s", name, state, got, want)
			}
		}
		by, first, other := d.request(name)
		check("asked", d.outcome(by(), first), p.once)
		check("asked again, the answer was lost", d.outcome(by(), first), p.again)
		if p.other != "" {
			check("asked with other words", d.outcome(by(), other), p.other)
		}
		by, first, _ = d.request(name)
		before := d.head()
		stored := []string{"stored"}
		if slices.Contains(inOneTransaction, name) {
			stored = append(stored, "COMMIT")
		}
		d.killedAfterTheAppend(by(), first, stored)
		check("killed after the append", status(d.outcome(by(), first)), status(p.again))
		left, want := d.types(before), append(strings.Fields(p.once)[1:], strings.Fields(p.again)[1:]...)
		slices.Sort(left)
		slices.Sort(want)
		check("killed and asked again, the log", strings.Join(left, " "), strings.Join(want, " "))

		by, first, _ = d.request(name)
		d.postgres.Cut()
		d.gives(500 * time.Millisecond)
		if a := by().ask(first); !refusedForNow(a) {
			t.Errorf("%s without Postgres: %d %s", name, a.Code, a.Body)
		}
		d.mend()
		d.gives(time.Minute)
		check("after Postgres was away", d.outcome(by(), first), p.once)

		by, first, _ = d.request(name)
		d.clickhouse.Cut()
		check("without ClickHouse", d.outcome(by(), first), p.once)
		check("again without ClickHouse", d.outcome(by(), first), p.again)
		d.clickhouse.Mend()
	}
	for _, name := range inOneTransaction {
		d.mustCommit(name)
	}
	d.hangs(named)
	if report, err := d.db.Log().Check(t.Context(), nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("check: %v, %v", report.Findings, err)
	}
}

// status leaves out the events of an outcome: what was left undone is done with the repetition.
func status(outcome string) string { return strings.Fields(outcome)[0] }
