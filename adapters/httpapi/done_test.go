package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
	"bitacora/domain/subjects"
	"bitacora/projections"
	"bitacora/projections/builds"
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
	"POST /contact": {"303 ContactMessageReceived", "303", "303 ContactMessageReceived", func(d *doing) (*browser, asked, string) {
		message := "name=" + d.name("Ana+Ruiz+") + "&email=ana%40example.com&message="
		return d.browser(), asked{body: message + "Quisiera+una+cita."}, message + "Para+ma%C3%B1ana%2C+por+favor."
	}},
	"POST /api/webhooks/bookings": {"200 AppointmentBooked", "200", "200 AppointmentCancelled", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		slot := d.books(session, 3+d.n)
		id := chat.ConversationID("web", session)
		return d.browser(), asked{body: `{"id":"b-` + session + `","reference":"` + id + `","status":"confirmed","slot":"` + slot.Format(time.RFC3339) + `"}`},
			`{"id":"b-` + session + `","reference":"` + id + `","status":"cancelled"}`
	}},
	"POST /api/dashboard/conversation/{id}/booking": {"200 AppointmentCancelled", "200", "", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		d.books(session, 3+d.n)
		return d.ana, asked{path: "/api/dashboard/conversation/" + chat.ConversationID("web", session) + "/booking", body: `{"status":"cancelled"}`}, ""
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
	"POST /api/dashboard/questions/dismissal": {"204 QuestionLabelled", "204", "400", func(d *doing) (*browser, asked, string) {
		_, session := d.talks()
		question := `{"conversationId":"` + chat.ConversationID("web", session) + `","ordinal":%d}`
		return d.ana, asked{body: fmt.Sprintf(question, 1)}, fmt.Sprintf(question, 2)
	}},
	"POST /api/dashboard/answers": {"200 AnswerTaught", "200", "409", (*doing).teaches},
	"POST /api/dashboard/answers/preview": {"200 QuestionsReplayed", "200 QuestionsReplayed", "200 QuestionsReplayed", func(d *doing) (*browser, asked, string) {
		return d.ana, asked{body: wifi}, strings.ReplaceAll(wifi, "sala de espera", "cocina")
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

// doing is a server whose ways to its databases can be cut, or hang.
type doing struct {
	*testServer
	ana                  *browser
	postgres, clickhouse *enginestest.Line
	// killed ends the requests of a program that is killed.
	killed atomic.Pointer[context.Context]
	bound  atomic.Int64
	hashed string
	n      int
}

func (d *doing) name(of string) string {
	d.n++
	return fmt.Sprint(of, d.n)
}

func (d *doing) says() (*browser, asked, string) {
	message := `{"sessionId":"` + d.name("s") + `","messageId":"` + uuid.NewString() + `","message":"%s"}`
	return d.browser(), asked{body: fmt.Sprintf(message, "Hola")}, fmt.Sprintf(message, "Adiós")
}

func (d *doing) teaches() (*browser, asked, string) {
	d.n++
	first := fmt.Sprintf(`{"slug":"agua%d","topic":"clinica","questions":["¿tienen agua %[1]d?"],"text":"Sí, en la sala de espera.","reason":"Lo preguntan."}`, d.n)
	return d.ana, asked{body: first}, strings.ReplaceAll(first, "sala de espera", "cocina")
}

// talks gives a browser that has a conversation.
func (d *doing) talks() (*browser, string) {
	b, session := d.browser(), d.name("s")
	b.post("/api/chatbot", contract.ChatRequest{SessionID: session, Message: "Hola", MessageID: new("m1")}).into(http.StatusOK, &contract.ChatResponse{})
	return b, session
}

func (d *doing) lead() contacts.Ref { return d.leaves(d.name("lead"), "") }

func (d *doing) colleague() (people.Account, string) {
	email := d.name("c") + "@clinica.example"
	who, err := d.db.Staff().AddAccount(d.t.Context(), email, d.hashed, people.RoleStaff)
	if err != nil {
		d.t.Fatal(err)
	}
	return who, email
}

func (d *doing) signedIn() (people.Account, string, *browser) {
	who, email := d.colleague()
	b := d.browser()
	b.signIn(email, anaPassword).into(http.StatusOK, &contract.User{})
	return who, email, b
}

func newDoing(t *testing.T) *doing {
	d := &doing{postgres: enginestest.NewLine(t, postgrestest.Database(t)), clickhouse: enginestest.NewLine(t, enginestest.ClickHouse(t))}
	alive := t.Context()
	d.killed.Store(&alive)
	d.bound.Store(int64(time.Minute))
	tables, err := clickhouse.Open(d.clickhouse.URL, panama(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tables.Close() })
	if err := tables.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	d.testServer = newTestServerOn(t, d.postgres.URL, postgres.NewMasterKey(), func(h *testServer) {
		h.tables = func() *clickhouse.DB { return tables }
		h.config.Booking.Secret = webhookSecret
		h.config.Bound = func(ctx context.Context) context.Context {
			ctx, leave := context.WithCancel(postgres.WithTimeout(ctx, time.Duration(d.bound.Load())))
			context.AfterFunc(*d.killed.Load(), leave)
			return ctx
		}
		h.config.Staff.Persons.(*subjects.Register).Tables = builds.Withdrawer{
			Builds: h.db, Names: tables,
			Texts:   builds.ErasedTexts{Log: h.db.Log(), Tables: tables, Leases: h.db, Clock: projections.WallClock{}, Logger: slog.New(slog.DiscardHandler)},
			Streams: builds.StreamApplier{Log: h.db.Log(), Skipped: h.db.Log(), Tables: tables, Writer: func(b string) builds.RetryWriter { return tables.Writer(b) }},
		}
	})
	_, d.ana = d.sign(anaEmail, people.RoleOwner)
	if d.hashed, err = password.Hash(anaPassword); err != nil {
		t.Fatal(err)
	}
	return d
}

// outcome asks and gives what was answered with the events that the log holds for it.
func (d *doing) outcome(b *browser, a asked) string {
	d.t.Helper()
	before := d.head()
	answer := b.ask(a)
	return d.since(before, answer)
}

func (d *doing) head() int64 {
	d.t.Helper()
	head, err := d.db.Log().Head(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return head
}

func (d *doing) since(before int64, a answer) string {
	d.t.Helper()
	said := []string{fmt.Sprint(a.Code)}
	if a.Code >= 500 {
		said = append(said, a.Body.String())
	}
	return strings.Join(append(said, d.types(before)...), " ")
}

// types are those of the events after a position.
func (d *doing) types(after int64) (types []string) {
	d.t.Helper()
	events, err := d.db.Log().Scan(d.t.Context(), after, math.MaxInt64, 100)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range events {
		types = append(types, e.Payload.EventType())
	}
	return types
}

// request prepares what a route is asked, by a browser that forgets what it is answered.
func (d *doing) request(name string) (by func() *browser, first, other asked) {
	d.t.Helper()
	d.clock.advance(time.Second)
	b, first, body := promises[name].prepare(d)
	first.method = http.MethodPost
	if first.path == "" {
		_, first.path, _ = strings.Cut(name, " ")
	}
	other = first
	other.body = body
	return func() *browser { return &browser{b.h, b.address, maps.Clone(b.cookies)} }, first, other
}

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

// refusedForNow says whether a client is told to come again.
func refusedForNow(a answer) bool {
	late := strings.Contains(a.Body.String(), `"status":503`)
	return late || a.Code == http.StatusServiceUnavailable && a.Header().Get("Retry-After") != ""
}

// killedAfterTheAppend asks, and cuts the way to Postgres with the answers by which the append is stored.
func (d *doing) killedAfterTheAppend(b *browser, a asked, stored []string) {
	life, kill := context.WithCancel(d.t.Context())
	d.killed.Store(&life)
	d.postgres.CutAfter(stored...)
	d.gives(time.Second) // what waits for the answer is killed, too
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := b.request(a.method, a.path, []byte(a.body), a.headers(d.clock.Now()))
		d.handler.ServeHTTP(httptest.NewRecorder(), r)
	}()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-time.After(time.Millisecond):
			if d.postgres.Away() {
				kill()
			}
		}
	}
	kill()
	d.postgres.CutAfter()
	d.gives(time.Minute)
	alive := d.t.Context()
	d.killed.Store(&alive)
	d.mend()
}

// mend lets Postgres be reached again, and waits until no connection is left from before.
func (d *doing) mend() {
	d.t.Helper()
	d.postgres.Mend()
	eventually(d.t, "Postgres is reached", func() bool {
		var asking sync.WaitGroup
		var failed atomic.Bool
		for range 20 {
			asking.Go(func() {
				if _, err := d.db.Log().Head(context.Background()); err != nil {
					failed.Store(true)
				}
			})
		}
		asking.Wait()
		return !failed.Load()
	})
}

// gives says how long a request has for Postgres.
func (d *doing) gives(patience time.Duration) {
	d.bound.Store(int64(patience))
	d.chat.StoreTimeout = patience
}

// mustCommit cuts the way to Postgres with the answer to the append, before it is committed, and with
// that to the commit: neither is told as done, and the repetition is right in both.
func (d *doing) mustCommit(name string) {
	d.t.Helper()
	p := promises[name]
	for last, again := range map[string]string{"stored": p.once, "COMMIT": p.again} {
		if last == "stored" && name == "POST /api/auth/second-factor/remove" {
			continue // the code is used up
		}
		by, first, _ := d.request(name)
		d.postgres.CutAfter(slices.Compact([]string{"stored", last})...)
		if a := by().ask(first); !refusedForNow(a) {
			d.t.Errorf("%s, cut with the answer %q: %d %s", name, last, a.Code, a.Body)
		}
		d.mend()
		if got := d.outcome(by(), first); got != again {
			d.t.Errorf("%s again, cut with the answer %q: %s, want %s", name, last, got, again)
		}
	}
}

// hangs lets each database hang, and goes on.
func (d *doing) hangs(named []string) {
	named = slices.DeleteFunc(named, func(name string) bool { return strings.Contains(name, "second-factor") }) // a code does not last so long
	type request struct {
		by    func() *browser
		first asked
	}
	prepared := map[string]request{}
	prepare := func() {
		for _, name := range named {
			by, first, _ := d.request(name)
			prepared[name] = request{by, first}
		}
	}
	prepare()
	d.gives(2 * time.Second)
	resume := d.postgres.Hang()
	var asking sync.WaitGroup
	for name, r := range prepared {
		asking.Go(func() {
			if a := r.by().ask(r.first); !refusedForNow(a) {
				d.t.Errorf("%s while Postgres hangs: %d %s", name, a.Code, a.Body)
			}
		})
	}
	asking.Wait()
	resume()
	d.gives(time.Minute)
	for _, name := range named {
		if got := d.outcome(prepared[name].by(), prepared[name].first); got != promises[name].once {
			d.t.Errorf("%s after Postgres hung: %s, want %s", name, got, promises[name].once)
		}
	}

	prepare()
	defer d.clickhouse.Hang()()
	for name, r := range prepared {
		asking.Go(func() {
			began := time.Now()
			a := r.by().ask(r.first)
			if want, _, _ := strings.Cut(promises[name].once, " "); fmt.Sprint(a.Code) != want {
				d.t.Errorf("%s while ClickHouse hangs: %d %s", name, a.Code, a.Body)
			}
			if took := time.Since(began); took > 20*subjects.Patience {
				d.t.Errorf("%s waited %v for ClickHouse", name, took)
			}
		})
	}
	asking.Wait()
}
