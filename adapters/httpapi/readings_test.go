package httpapi

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
)

// marker is a word that visitors write, and nobody else.
const marker = "xilofonía"

// readable are people of whom there is everything that the staff's calls can give away.
type readable struct {
	lead, other, message contacts.Ref
	// request is one about the data of message.
	request string
}

func (s *testServer) readable() (r readable) {
	s.t.Helper()
	s.parrot.meaning = chat.Understanding{Intent: chat.IntentAsk, Understood: event.Understood{Intent: "otro", Confidence: .3, RunnerUp: "precio", RunnerUpConfidence: .3}}
	r.lead, r.other = s.leaves("s1", "+50769001111"), s.leaves("s2", "+50769002222")
	b := s.browser()
	s.parrot.ignorant = true
	var said contract.ChatResponse
	b.say("s3", "¿Tienen "+marker+" hoy?").into(http.StatusOK, &said)
	if a := b.post("/api/chatbot/rating", contract.ReplyRating{SessionID: "s3", MessageID: *said.MessageID, Rating: "negative"}); a.Code != http.StatusNoContent {
		s.t.Fatalf("rating: %d %s", a.Code, a.Body)
	}
	// What people told of themselves, and what the staff noted of it.
	for _, ref := range []contacts.Ref{r.lead, r.other} {
		draft := event.Draft{ID: event.DerivedID("note", ref.ID), OccurredAt: s.clock.Now(), Payload: &event.ContactNoteAdded{
			Contact: event.Contact{Kind: ref.Kind, ContactID: ref.ID, ContactAt: s.clock.Now()}, Note: "Pregunta por " + marker, StaffID: "s1",
		}}
		if _, err := s.db.Log().Append(s.t.Context(), event.Append{Stream: ref.Stream(), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}}); err != nil {
			s.t.Fatal(err)
		}
	}
	s.browser().post("/api/contact", contract.ContactMessage{Name: "Íñigo", Email: "inigo@correo.example", Message: "Quiero una copia de mis datos: " + marker})
	events, err := s.db.Log().Scan(s.t.Context(), 0, math.MaxInt64, 1_000_000)
	if err != nil {
		s.t.Fatal(err)
	}
	last := events[len(events)-1]
	r.message = contacts.Ref{Kind: contacts.Message, ID: strings.TrimPrefix(last.Stream, event.ContactStream(""))}
	r.request = last.Payload.(*event.PrivacyRequestReceived).RequestID
	s.project()
	return r
}

// parameters has a value for each that the staff's calls know. A new one has to be added.
var parameters = map[string]string{
	"startDate": "2026-11-01", "endDate": "2026-11-04&startDate=2026-11-02", "account": "x", "what": "StaffSignedIn",
	"lead": "false", "appointment": "false", "consent": "false", "unanswered": "true", "failed": "false", "flagged": "false", "flag": "crisis",
	"outOfHours": "false", "topic": "precio", "unansweredTopic": "-", "model": "loro-1", "minDuration": "0", "maxDuration": "9000", "weekday": "2", "hour": "12",
	"rated": "negative", "ratedTopic": "-", "q": marker, "compare": "previous", "limit": "100", "offset": "0", "interval": "day", "reason": "unanswered", "state": "open",
	"format": "json", "rows": "messages", "kind": "lead", "status": "new", "done": "false", "cursor": "1", "phone": "true", "allTime": "true",
}

// cursors of the lists.
var cursors = map[string]string{
	"listAudit": "1893456000000-1", "listConversations": "1893456000000-x", "listQuestions": "1", "listContacts": "1893456000000-message-x",
}

// bodies are what is sent to a call that writes, in the order in which they are asked. A new one has to be added.
func (r readable) bodies() [][2]any {
	taught := func(slug, question string) map[string]any {
		return map[string]any{"slug": slug, "topic": "clinica", "questions": []string{question}, "text": "Sí, hay.", "reason": "Lo preguntan."}
	}
	return [][2]any{
		{"dismissQuestion", contract.QuestionDismissal{ConversationID: chat.ConversationID("web", "s3"), Ordinal: 1}},
		{"teachAnswer", taught("agua-filtrada", "¿hay agua filtrada?")}, {"previewAnswer", taught("pecera-grande", "¿Tienen "+marker+" hoy?")},
		{"undoAnswer", contract.AnswerUndoing{Version: 1, Reason: "Ya no."}},
		{"markBooking", contract.StaffBooking{Status: "booked", Slot: new(noon.Add(48 * time.Hour)), Consent: new(true), Contact: &contract.BookingContact{Name: new("Íñigo"), Phone: new("+50769003333")}}},
		{"recordOutcome", contract.AgendaOutcome{Outcome: contract.AppointmentOutcome(event.OutcomeCancelledLate)}},
		{"attemptContact", contract.NewAttempt{ID: "one", Outcome: contract.AttemptOutcome(event.AttemptDone)}}, {"undoAttempt", nil},
		{"setContactStatus", contract.ContactStatusChange{ID: "0197a1c2-0000-7000-8000-000000000001", Status: "contacted"}},
		{"addContactNote", contract.NewContactNote{ID: "0197a1c2-0000-7000-8000-000000000002", Text: "Llamar mañana"}},
		{"setChartNote", contract.ChartNoteText{StartDay: "2026-11-03", EndDay: "2026-11-03", Text: "Campaña de blanqueamiento"}},
		{"finishRequest", contract.FinishedRequest{Outcome: contract.RequestEmpty}},
		{"restrictPerson", contract.PersonRestriction{On: true}},
		{"erasePerson", contract.PersonErasure{Confirmation: "Ana s1"}},
	}
}

// ofAccounts are calls about accounts alone: they may refuse what they are sent here.
func ofAccounts(path string) bool {
	return strings.HasPrefix(path, "/api/auth/") || strings.HasPrefix(path, "/api/accounts")
}

// asked is a call of the staff.
type asking struct {
	id, method, path string
	operation        *openapi3.Operation
	query            []string
}

func staffCalls(t *testing.T) (calls []asking) {
	t.Helper()
	doc, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	operations := staffOperations(t)
	slices.Sort(operations)
	for _, one := range operations {
		method, path, _ := strings.Cut(one, " ")
		item := doc.Paths.Find(path)
		c := asking{id: item.GetOperation(method).OperationID, method: method, path: path, operation: item.GetOperation(method)}
		for _, p := range slices.Concat(item.Parameters, c.operation.Parameters) {
			if p.Value.In == openapi3.ParameterInQuery {
				c.query = append(c.query, p.Value.Name)
			}
		}
		calls = append(calls, c)
	}
	return calls
}

// TestEveryTextOfAVisitorThatIsGivenIsRecorded goes through every call of the contract with each of its
// parameters, as every role: whoever is given a visitor's text, or searches for one, has an event of it.
func TestEveryTextOfAVisitorThatIsGivenIsRecorded(t *testing.T) {
	h := newTestServer(t)
	of := h.readable()
	given := map[string]bool{}
	readers := map[people.Role]*recordedReader{}
	for _, role := range people.Roles {
		who, b := h.sign(string(role)+"@clinica.example", role)
		readers[role] = &recordedReader{h: h, who: who, browser: b, given: given}
	}
	calls := staffCalls(t)
	writing, searches := map[string]any{}, 0
	for _, c := range calls {
		if c.method == http.MethodPost && !ofAccounts(c.path) {
			writing[c.id] = nil
			continue
		}
		queries := []string{""}
		for _, name := range c.query {
			value := parameters[name]
			if value == "" {
				t.Fatalf("%s has a new parameter %q: add a value", c.id, name)
			}
			switch name {
			case "cursor":
				value = cursors[c.id]
			case "q": // other words for each call: the numbers of one search are one reading
				word := []rune(marker)
				value = url.QueryEscape(string(word[searches%3 : len(word)-searches/3]))
				searches++
			}
			if name != "q" && len(access(c)) == len(people.Roles) {
				continue // numbers alone
			}
			queries = append(queries, name+"="+value)
		}
		for i, query := range queries {
			queries[i] = strings.Trim(query+map[string]string{"exportConversations": "&format=jsonl", "exportPerson": "&format=html"}[c.id], "&")
			if strings.HasPrefix(query, "ratedTopic=") {
				queries[i] += "&rated=negative"
			}
			if strings.HasPrefix(query, "format=") {
				queries[i] = map[string]string{"exportConversations": "rows=messages&format=csv", "exportPerson": "format=json"}[c.id]
			}
		}
		for i, role := range people.Roles {
			done := 0
			for _, query := range queries[:min(len(queries), max(2, len(queries)*(1-i)))] { // what else is asked does not depend on who asks
				for _, path := range of.paths(c.path) {
					if readers[role].asks(c, path+"?"+query, nil).Code/100 == 2 {
						done++
					}
				}
			}
			if want := roleMatrix[c.method+" "+c.path].of(role); done == 0 && want/100 != 4 {
				t.Errorf("%s as %s was answered nothing", c.id, role)
			}
		}
	}
	for _, one := range of.bodies() {
		id := one[0].(string)
		c := calls[slices.IndexFunc(calls, func(c asking) bool { return c.id == id })]
		if a := readers[people.RoleStaff].asks(c, of.paths(c.path)[0], one[1]); a.Code/100 != 2 {
			t.Errorf("%s: %d %s", id, a.Code, a.Body)
		}
		delete(writing, id)
	}
	for id := range writing {
		t.Errorf("%s is a new call: add what it is sent", id)
	}
	// Those that are known to give texts away, so that the test does not pass for having planted nothing.
	for _, id := range []string{"listQuestions", "listMessages", "listConversations", "listContacts", "listRequests", "exportConversations", "exportContacts", "exportPerson", "previewAnswer", "listWaiting"} {
		if !given[id] {
			t.Errorf("%s gave no text away", id)
		}
	}
}

// access are the roles that may make a call.
func access(c asking) []people.Role {
	return slices.DeleteFunc(slices.Clone(people.Roles), func(role people.Role) bool { return roleMatrix[c.method+" "+c.path].of(role) == http.StatusForbidden })
}

// paths are the addresses of a call.
func (r readable) paths(path string) []string {
	path = strings.NewReplacer("/conversation/{id}", "/conversation/"+chat.ConversationID("web", "s3"), "/answers/{id}", "/answers/agua-filtrada", "/requests/{request}", "/requests/"+r.request,
		"{booking}", event.DerivedID("staff", chat.ConversationID("web", "s3"), noon.Add(48*time.Hour).UTC().Format(time.RFC3339), ""),
		"{attempt}", event.DerivedID("waiting", r.lead.Stream(), "attempt", "one")).Replace(path)
	if strings.Contains(path, "/requests/") && r.request != "" {
		path = strings.Replace(path, "{kind}/{id}", r.message.Kind+"/"+r.message.ID, 1)
	}
	if !strings.Contains(path, "{kind}") {
		return []string{strings.ReplaceAll(path, "{id}", "x")}
	}
	var all []string
	for _, ref := range []contacts.Ref{r.lead, r.message} {
		all = append(all, strings.Replace(path, "{kind}/{id}", ref.Kind+"/"+ref.ID, 1))
	}
	return all
}

// recordedReader is somebody of the staff of whom each reading is looked for in the log.
type recordedReader struct {
	h       *testServer
	who     people.Account
	browser *browser
	given   map[string]bool
}

func (r *recordedReader) asks(c asking, address string, body any) answer {
	t := r.h.t
	t.Helper()
	before := r.lastEvent()
	var a answer
	switch {
	case c.id == "watchDashboard": // the answer to GET has no end
		a = r.browser.send(http.MethodHead, address, nil, nil)
	case c.method == http.MethodPost:
		a = r.browser.post(address, cmp.Or[any](body, struct{}{}))
	default:
		a = r.browser.get(address)
	}
	file := strings.HasPrefix(a.Header().Get("Content-Disposition"), "attachment")
	found := strings.Contains(a.Body.String(), marker)
	searched := strings.Contains(address, "?q=")
	if a.Code/100 == 2 && (file || found || searched || c.id == "findPerson") {
		r.given[c.id] = r.given[c.id] || found || file
		if r.lastEvent() == before {
			t.Errorf("%s %s, as %s, gives a text away without an event: %.300s", c.method, address, r.who.Role, a.Body)
		}
	}
	return a
}

// lastEvent is the position of what the account did last.
func (r *recordedReader) lastEvent() int64 {
	now := r.h.clock.Now()
	latest, err := r.h.db.Log().LatestOfStaff(r.h.t.Context(), people.AuditQuestion{From: now.AddDate(-1, 0, 0), To: now.AddDate(1, 0, 0), AccountID: r.who.ID}, 1000)
	if err != nil {
		r.h.t.Fatal(err)
	}
	last := int64(0)
	for _, e := range latest {
		last = max(last, e.Position)
	}
	return last
}

// TestTheSameReadingIsRecordedOnceAnHour has a dashboard that asks by itself for what it shows.
func TestTheSameReadingIsRecordedOnceAnHour(t *testing.T) {
	h := newTestServer(t)
	h.readable()
	who, b := h.sign(anaEmail, people.RoleStaff)
	readings := func() []*event.VisitorTextsRead { return recorded[*event.VisitorTextsRead](h, who.ID) }
	ask := func(end time.Time) {
		t.Helper()
		for _, path := range []string{"questions?", "kpis?q=Xilofonia&", "timeseries?q=XILOFONIA&", "conversations?q=xilofonia&", "contacts?q=xilofonia&"} {
			address := "/api/dashboard/" + path + "startDate=2026-11-01&endDate=" + url.QueryEscape(end.Format(isoTime))
			if a := b.get(address); a.Code != http.StatusOK {
				t.Fatalf("%s: %d %s", address, a.Code, a.Body)
			}
		}
	}
	ask(noon.Add(time.Hour))
	ask(noon.Add(2 * time.Hour))
	all := readings()
	if len(all) != 5 { // the list, the words in each of the three ways in which they were written, and of whom left a contact
		t.Fatalf("%d readings: %+v", len(all), all)
	}
	if list := all[0]; list.List != "questions" || list.Rows != 2 || list.Words != "" || !slices.Contains(list.ConversationIDs, chat.ConversationID("web", "s3")) {
		t.Errorf("the list: %+v", list)
	}
	if words := all[1].Words; words == "" || words != all[2].Words || words != all[3].Words || words != all[4].Words || strings.Contains(strings.ToLower(words), "xilo") {
		t.Errorf("the words: %q, %q, %q, %q", words, all[2].Words, all[3].Words, all[4].Words)
	}
	h.browser().say("s4", "¿Y una xilofonía nueva?")
	h.project()
	ask(noon.Add(2 * time.Hour)) // something was read anew
	if got := len(readings()); got != 6 {
		t.Errorf("%d readings after another question, want 6", got)
	}
	h.clock.advance(20 * time.Minute)
	ask(noon.Add(2 * time.Hour))
	h.clock.advance(20 * time.Minute)
	ask(noon.Add(2 * time.Hour))
	h.clock.advance(20 * time.Minute)
	ask(noon.Add(2 * time.Hour)) // in the next hour
	if got := len(readings()); got != 11 {
		t.Errorf("%d readings an hour later, want 11", got)
	}
}

// unwritable is a log that stores nothing of one kind.
type unwritable struct {
	staff.Log
	refused string
}

func (l *unwritable) Append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	for _, d := range a.Drafts {
		if d.Payload.EventType() == l.refused {
			return nil, errors.New("the disk is full")
		}
	}
	return l.Log.Append(ctx, a)
}

// TestNobodyReadsUnseen has a log that is read and not written: what would be read unrecorded is kept back, with its
// reason, and comes once the log is well.
func TestNobodyReadsUnseen(t *testing.T) {
	log := &unwritable{}
	h := newTestServer(t, func(h *testServer) {
		log.Log = h.db.Log()
		h.config.Staff.Log = log
	})
	h.readable()
	_, b := h.sign(anaEmail, people.RoleStaff)
	const period = "?startDate=2026-11-01&endDate=2026-11-04"
	for path, kind := range map[string]string{
		"contacts" + period:  "ContactMessagesOpened",
		"waiting":            "VisitorTextsRead",
		"questions" + period: "VisitorTextsRead",
		"conversations" + period + "&q=" + marker:                        "VisitorTextsRead",
		"conversation/" + chat.ConversationID("web", "s3") + "/messages": "TranscriptOpened",
	} {
		log.refused = kind
		a := b.get("/api/dashboard/" + path)
		if a.Code != http.StatusServiceUnavailable || !strings.Contains(a.Body.String(), "No se pudo anotar quién lee") || a.Header().Get("Retry-After") != "5" {
			t.Errorf("%s beside a log that cannot be written: %d %s", path, a.Code, a.Body)
		}
		if strings.Contains(a.Body.String(), marker) {
			t.Errorf("%s gives a text away: %s", path, a.Body)
		}
		if !strings.Contains(h.log.String(), "the disk is full") {
			t.Errorf("%s: the cause is not logged", path)
		}
		log.refused = ""
		if a := b.get("/api/dashboard/" + path); a.Code != http.StatusOK {
			t.Errorf("%s once the log is well: %d %s", path, a.Code, a.Body)
		}
	}
}
