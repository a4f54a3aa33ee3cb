package crash

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/subjects"
)

// markedName is told by those who are looked for by their mark and their phone.
const markedName = "Rosa Vega"

func sayMark(g *client) {
	g.say("¿Cuánto cuesta el servicio " + g.mark + "?")
	g.mu.Lock()
	defer g.mu.Unlock()
	g.marked = append(g.marked, g)
}

func sayOwnPhone(g *client) { g.say(g.phone) }

// eraseOwn says something and lets it be erased. What is erased is no fact any more. Where the answer
// to it was lost there is nothing left to erase, and the conversation says that it is gone.
func eraseOwn(g *client) {
	var cookie string
	said := map[string]string{"sessionId": g.session, "messageId": "m", "message": "me llamo " + g.session}
	g.until("said", func() error {
		a, err := g.send(request{method: "POST", path: "/api/chatbot", body: said, refusals: []int{http.StatusTooManyRequests}})
		cookie = a.cookie()
		return err
	})
	if cookie == "" {
		return
	}
	body, erasure := contract.ChatErasure{SessionIDs: []string{g.session}, Appointments: []time.Time{}}, fact{"erasure", g.conversation()}
	a := g.ask(request{method: "POST", path: "/api/chatbot/conversation/erase", cookie: cookie, body: body, refusals: []int{http.StatusNotFound}}, erasure)
	if a.status != http.StatusNotFound {
		return
	}
	a = g.ask(request{method: "POST", path: "/api/chatbot", cookie: cookie, body: said, refusals: []int{http.StatusGone}})
	if a.status != http.StatusGone {
		g.t.Errorf("%s has nothing to erase, and says %d", g.session, a.status)
		return
	}
	g.acknowledge(erasure)
}

// personPath is that of what the staff does with the person of the client's own conversation.
func (c *client) personPath(what string) string {
	c.contact = contacts.Ref{Kind: contacts.Lead, ID: c.conversation()}
	return c.contactPath() + "/person" + what
}

func erasePerson(g *client) {
	body := contract.PersonErasure{Confirmation: markedName, CancelAppointments: new(true)}
	if a := g.ask(request{method: "POST", path: g.personPath("/erasure"), cookie: g.staff, body: body}); 200 <= a.status && a.status < 400 {
		g.isErased()
	}
}

// isErased takes down that the erasure of a marked person was acknowledged.
func (c *client) isErased() {
	c.acknowledge(fact{"erasure", c.conversation()})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erased = append(c.erased, c)
}

func restrictPerson(on bool) step {
	return func(g *client) {
		g.ask(request{method: "POST", path: g.personPath("/restriction"), cookie: g.staff, body: contract.PersonRestriction{On: on}},
			fact{"restriction", fmt.Sprint(g.conversation(), on)})
	}
}

// maybeRelease ends every other restriction.
func maybeRelease(g *client) {
	if g.random.IntN(2) == 0 {
		restrictPerson(false)(g)
	}
}

func exportPersonOf(g *client) {
	g.ask(request{method: "GET", path: g.personPath("/copy?format=json"), cookie: g.staff}, fact{"copy", g.conversation()})
}

func readTexts(g *client) {
	var list contract.Questions
	g.ask(request{method: "GET", path: "/api/dashboard/questions?" + between(aYear()), cookie: g.staff, into: &list})
	if len(list.Questions) > 0 { // an empty list is no reading
		g.acknowledge(fact{"texts read", "questions"})
	}
	g.ask(request{method: "GET", path: "/api/dashboard/contacts/export?" + between(aYear()), cookie: g.staff}, fact{"file taken", ""})
}

// teachAnswer tries an answer, teaches two versions of it, and takes one or both back.
func teachAnswer(g *client) {
	draft := contract.AnswerDraft{
		Slug: "acuario-" + g.mark, Topic: "clinica", Questions: []string{"¿Hay un acuario " + g.mark + "?"}, Text: "Sí, en la sala de espera.", Reason: "Se pregunta.",
	}
	const path = "/api/dashboard/answers"
	g.ask(request{method: "POST", path: path + "/preview", cookie: g.staff, body: draft, slow: true}, fact{"replay", ""})
	g.ask(request{method: "POST", path: path, cookie: g.staff, body: draft}, fact{"taught", fmt.Sprint(draft.Slug, 1)})
	draft.Version, draft.Text = new(1), "Sí, en la entrada."
	g.ask(request{method: "POST", path: path, cookie: g.staff, body: draft}, fact{"taught", fmt.Sprint(draft.Slug, 2)})
	for version := 2; version > g.random.IntN(2); version-- {
		g.ask(request{method: "POST", path: path + "/" + draft.Slug + "/undo", cookie: g.staff, body: contract.AnswerUndoing{Version: version, Reason: "No es así."}},
			fact{"undone", fmt.Sprint(draft.Slug, version)})
	}
}

// colleague is an account, with what its app and its paper know.
type colleague struct {
	email, id, cookie, secret string
	recovery                  []string
}

func addColleague(g *client) {
	g.colleague.email = strings.ReplaceAll(g.session, " ", "-") + "@clinica.example"
	body := contract.NewAccount{Email: g.colleague.email, Password: programtest.StaffSecret, Role: "staff"}
	g.ask(request{method: "POST", path: "/api/accounts", cookie: g.staff, body: body, refusals: []int{http.StatusConflict}})
	g.signInAs("")
	if g.colleague.id == "" {
		g.t.Errorf("%s was added and cannot sign in", g.colleague.email)
		g.gone = true
		return
	}
	g.acknowledge(fact{"account", g.colleague.id})
}

// signInAs signs the colleague in with a code; what comes from elsewhere each time is slowed down nowhere.
func (c *client) signInAs(code string) (status int) {
	var user struct{ ID string }
	body := map[string]string{"username": c.colleague.email, "password": programtest.StaffSecret, "code": code}
	a := c.ask(request{
		method: "POST", path: "/api/auth/login", body: body, into: &user, refusals: []int{http.StatusUnauthorized, http.StatusTooManyRequests},
		address: fmt.Sprintf("198.18.%d.%d", rand.IntN(256), rand.IntN(256)),
	})
	if a.status == http.StatusOK {
		c.colleague.id, c.colleague.cookie = user.ID, a.cookie()
		c.acknowledge(fact{"sign-in", ""})
	}
	return a.status
}

// code is what the app shows at an instant.
func (c *client) code(at time.Time) string {
	code, err := totp.GenerateCode(c.colleague.secret, at)
	if err != nil {
		c.t.Error(err)
	}
	return code
}

// turnOnCodes sets up the app and signs in with it. Where an answer was lost the codes that it told are
// unknown, or the code is used up.
func turnOnCodes(g *client) {
	var key contract.SecondFactorKey
	g.ask(request{method: "POST", path: "/api/auth/second-factor/begin", cookie: g.colleague.cookie, body: struct{}{}, into: &key})
	g.colleague.secret = key.Secret
	var told contract.RecoveryCodes
	g.until("codes are turned on", func() error {
		a, err := g.send(request{
			method: "POST", path: "/api/auth/second-factor/confirm", cookie: g.colleague.cookie, into: &told, refusals: []int{http.StatusConflict},
			body: contract.SecondFactorCode{Code: g.code(time.Now())},
		})
		g.gone = a.status == http.StatusConflict
		return err
	})
	g.colleague.recovery = told.RecoveryCodes
	g.acknowledge(fact{"codes on", g.colleague.id})
	if !g.gone {
		g.signInAs(g.code(time.Now().Add(30 * time.Second)))
	}
}

// spendCodes guesses until nobody may any more. A Postgres that was killed has forgotten the guesses of before.
func spendCodes(g *client) {
	for range 60 {
		if g.signInAs("000000") == http.StatusTooManyRequests {
			g.acknowledge(fact{"codes spent", g.colleague.id})
			return
		}
	}
	g.t.Errorf("%s may guess for ever", g.colleague.email)
}

// signInWithRecoveryCode takes the next one where the answer to one was lost.
func signInWithRecoveryCode(g *client) {
	for _, code := range g.colleague.recovery {
		if g.signInAs(code) == http.StatusOK {
			g.acknowledge(fact{"recovery code", g.colleague.id})
			return
		}
	}
	g.t.Errorf("%s has no recovery code that is taken", g.colleague.email)
}

func signOut(g *client) {
	g.ask(request{method: "POST", path: "/api/auth/logout", cookie: g.colleague.cookie, body: struct{}{}})
}

func removeColleague(g *client) {
	path := "/api/accounts/" + g.colleague.id
	g.ask(request{method: "POST", path: path + "/role", cookie: g.staff, body: contract.RoleChange{Role: "reader"}}, fact{"role", g.colleague.id})
	g.ask(request{method: "POST", path: path + "/remove", cookie: g.staff, body: struct{}{}, refusals: []int{http.StatusNotFound}})
	g.acknowledge(fact{"account removed", g.colleague.id})
}

// mustBeGone fails where something of erased people is left: in the tables of any build, among the keys,
// and under what they are found by. What others said is there.
func (c *clients) mustBeGone(a *app.App, erased []*client) {
	c.t.Helper()
	keys, err := a.DB.Log().Erased(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	var gone, kept []string
	for _, g := range erased {
		gone = append(gone, g.mark)
		if !slices.Contains(keys, chat.Stream(g.conversation())) {
			c.t.Errorf("%s was erased, and has a key", g.session)
		}
		if p, err := privacy.SubjectRegister(a).Find(c.t.Context(), g.phone); err == nil || !strings.Contains(err.Error(), subjects.ErrNobody.Error()) {
			c.t.Errorf("%s was erased, and is found: %+v, %v", g.session, p, err)
		}
	}
	if len(gone) > 0 {
		if found := columnsWith(c.t, a, gone); len(found) > 0 {
			c.t.Errorf("of %d people who were erased something stands in %v", len(gone), found)
		}
	}
	restricted, err := a.DB.Log().Restricted(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for _, g := range c.marked {
		if !slices.Contains(erased, g) && !slices.Contains(restricted, chat.Stream(g.conversation())) {
			kept = append(kept, g.mark)
		}
	}
	if len(kept) > 0 && len(columnsWith(c.t, a, kept)) == 0 {
		c.t.Errorf("of %d people who were not erased nothing stands anywhere", len(kept))
	}
	c.t.Logf("%d people were erased, of %d others something is kept", len(gone), len(kept))
}

// mustTeach holds the answers of the content against what was taught and taken back.
func (c *clients) mustTeach(r *recomputed) {
	c.t.Helper()
	content, _, err := c.app.Load().DB.Teaching().Taught(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for slug, versions := range r.taught {
		var want *event.Answer
		for _, v := range slices.Backward(versions) {
			if v.undone == nil {
				want = &v.Answer
				break
			}
		}
		got, gives := clinic.AnswerOf(content.Answers, slug)
		if gives != (want != nil) || gives && !got.Equal(clinic.Answer(*want)) {
			c.t.Errorf("the answer %s is %+v (given: %v), the log adds up to %+v", slug, got, gives, want)
		}
	}
}

// version is one of an answer that was taught.
type version struct {
	*event.AnswerTaught
	taught event.Recorded
	undone *event.Recorded
}

// withheld says whether the texts of a conversation are in no table.
func (r *recomputed) withheld(conversation string) bool {
	stream := chat.Stream(conversation)
	return r.erased[stream] || r.restricted[stream]
}

// withhold adds what an event tells of whose texts may be shown.
func (r *recomputed) withhold(e event.Recorded) {
	if e.Erased {
		r.erased[e.Stream] = true
	}
	switch p := e.Payload.(type) {
	case *event.SubjectErased:
		r.erased[e.Stream] = true
	case *event.SubjectRestricted:
		r.restricted[e.Stream] = p.On
	}
}

// noteDuties takes down what staff and operators know of.
func (r *recomputed) noteDuties(e event.Recorded, add func(what, of string)) {
	switch p := e.Payload.(type) {
	case *event.SubjectErased:
		_, id, _ := subjects.Named(e.Stream)
		add("erasure", id)
	case *event.SubjectRestricted:
		_, id, _ := subjects.Named(e.Stream)
		add("restriction", fmt.Sprint(id, p.On))
	case *event.SubjectExported:
		_, id, _ := subjects.Named(e.Stream)
		add("copy", id)
	case *event.VisitorTextsRead:
		add("texts read", p.List)
	case *event.ExportTaken:
		add("file taken", "")
	case *event.QuestionsReplayed:
		add("replay", "")
	case *event.AnswerTaught:
		slug := event.AnswerSlug(e.Stream)
		add("taught", fmt.Sprint(slug, p.Version))
		r.taught[slug] = append(r.taught[slug], &version{AnswerTaught: p, taught: e})
	case *event.AnswerUndone:
		slug := event.AnswerSlug(e.Stream)
		add("undone", fmt.Sprint(slug, p.Version))
		r.taught[slug][p.Version-1].undone = &e
	case *event.StaffAccountAdded:
		add("account", p.StaffID)
	case *event.StaffRoleChanged:
		add("role", p.StaffID)
	case *event.StaffAccountRemoved:
		add("account removed", p.StaffID)
	case *event.StaffSecondFactorChanged:
		add("codes on", p.StaffID)
	case *event.StaffCodeBudgetSpent:
		add("codes spent", p.StaffID)
	case *event.StaffRecoveryCodeUsed:
		add("recovery code", p.StaffID)
	case *event.KeysRotated:
		add("rotation", "")
	case *event.TablesRebuilt:
		add("rebuild", "")
	case *event.BuildSwitched:
		add("rollback", "")
	}
}
