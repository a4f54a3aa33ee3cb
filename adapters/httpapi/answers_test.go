package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/assistant"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
	"bitacora/domain/teaching"
)

// wifi is an answer that the clinic's own content has not.
const wifi = `{"slug":"agua-filtrada","topic":"clinica","questions":["¿tienen agua filtrada para beber?","hay dispensador de agua"],` +
	`"text":"Sí, hay agua filtrada en la sala de espera.","reason":"Lo preguntan cada semana."}`

// rehearse has the embedded assistant answer out of the content that is stored.
func (s *testServer) rehearse(ctx context.Context, a clinic.Answer) (now, then teaching.Replier, err error) {
	r, err := s.reloading(ctx)
	if err != nil {
		return nil, nil, err
	}
	return r.Rehearse(ctx, a)
}

func (s *testServer) reloading(ctx context.Context) (*assistant.ReloadingChat, error) {
	embedded, err := assistant.New(assistant.Spec{Provider: "embedded"}, clinic.Default())
	if err != nil {
		return nil, err
	}
	return assistant.NewReloadingChat(ctx, s.chat, embedded, s.config.Site.Content)
}

// answering has visitors answered out of the content by the embedded assistant.
func answering(s *testServer) {
	if _, err := s.db.Content().Seed(s.t.Context(), clinic.DefaultContent()); err != nil {
		s.t.Fatal(err)
	}
	r, err := s.reloading(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.config.Visitor.Chat = r
}

// events reads a stream of events: the name of each, and its data.
func (a answer) events() (list [][2]string) {
	lines := bufio.NewScanner(strings.NewReader(a.Body.String()))
	lines.Buffer(nil, 1<<20)
	var name string
	for lines.Scan() {
		if of, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = of
		} else if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			list = append(list, [2]string{name, data})
		}
	}
	return list
}

// preview is what a draft would change.
func (b *browser) preview(draft contract.AnswerDraft) (p contract.AnswerPreview) {
	b.h.t.Helper()
	a := b.post("/api/dashboard/answers/preview", draft)
	var last [2]string
	for _, last = range a.events() {
	}
	if err := json.Unmarshal([]byte(last[1]), &p); last[0] != "done" || err != nil {
		b.h.t.Fatalf("preview: %d %s, %v", a.Code, a.Body, err)
	}
	return p
}

func draftOf(t *testing.T, text string) (d contract.AnswerDraft) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// reply is what a visitor is answered in the session "s1".
func (b *browser) reply(text string) string {
	var a contract.ChatResponse
	b.say("s1", text).into(http.StatusOK, &a)
	return a.Response
}

func TestAnAnswerIsTaughtAndTakenBack(t *testing.T) {
	h := newTestServer(t, answering)
	visitor := h.browser()
	const question = "¿tienen agua filtrada para beber?"
	if text := visitor.reply(question); strings.Contains(text, "sala de espera") {
		t.Fatalf("answered already: %q", text)
	}
	h.browser().say("s2", "Tienen agua FILTRADA para beber")
	h.project()
	who, ana := h.sign("ana2@clinica.example", people.RoleStaff)

	improve := func(query string) (list contract.Questions) {
		t.Helper()
		ana.get("/api/dashboard/questions?"+query).into(http.StatusOK, &list)
		return list
	}
	if open := improve("state=open&reason=unanswered"); open.Total != 1 || open.Questions[0].Count != 2 || open.Questions[0].Unanswered != 2 || open.Questions[0].Settled != nil {
		t.Fatalf("to be improved: %+v", open)
	}
	draft := draftOf(t, wifi)
	preview := ana.preview(draft)
	if e := preview.Answered; e.Questions != 1 || e.Times != 2 || len(e.Examples) != 1 || !strings.Contains(e.Examples[0].Taught, "sala de espera") ||
		e.Examples[0].InContext || preview.Changed.Questions != 0 || preview.Conversations != 2 {
		t.Errorf("preview %+v", preview)
	}
	if recorded := h.events(people.Stream(who.ID)); recorded[len(recorded)-1].Payload.EventType() != "QuestionsReplayed" {
		t.Errorf("the preview left %+v", recorded)
	}

	h.clock.advance(time.Minute)
	var version contract.AnswerVersion
	ana.post("/api/dashboard/answers", draft).into(http.StatusOK, &version)
	if version.Version != 1 || version.By != "ana2@clinica.example" || version.Reason != draft.Reason {
		t.Errorf("version %+v", version)
	}
	if text := visitor.reply(question); !strings.Contains(text, "sala de espera") {
		t.Errorf("answered with %q", text)
	}
	h.project()
	if settled := improve("state=settled"); settled.Total != 1 || *settled.Questions[0].Settled != "taught" || improve("state=open").Total != 0 {
		t.Errorf("taught: %+v", settled)
	}
	var list contract.TaughtAnswers
	ana.get("/api/dashboard/answers").into(http.StatusOK, &list)
	if len(list.Answers) != 1 {
		t.Fatalf("list %+v", list)
	}
	if a := list.Answers[0]; a.Version != 1 || a.Uses != 1 || a.Before.Unanswered != 2 || a.After.Replies != 1 || a.After.Unanswered != 0 || a.Replaced {
		t.Errorf("taught %+v", a)
	}
	again := draft
	again.Text = "Sí, hay agua en la entrada."
	if e := ana.post("/api/dashboard/answers", again).refused(http.StatusConflict); !strings.Contains(e.Message, "Ya hay una respuesta") {
		t.Errorf("published twice: %q", e.Message)
	}
	draft.Version, draft.Text = new(1), "Sí, en cada piso."
	ana.post("/api/dashboard/answers", draft).into(http.StatusOK, &version)
	if text := visitor.reply(question); !strings.Contains(text, "cada piso") {
		t.Errorf("answered with %q", text)
	}
	takesBack := func(a answer) {
		t.Helper()
		if a.Code != http.StatusNoContent {
			t.Errorf("taken back: %d %s", a.Code, a.Body)
		}
	}
	undo := contract.AnswerUndoing{Version: 2, Reason: "No es así."}
	takesBack(ana.post("/api/dashboard/answers/agua-filtrada/undo", undo))
	if text := visitor.reply(question); !strings.Contains(text, "sala de espera") {
		t.Errorf("after undoing the second version answered with %q", text)
	}
	takesBack(ana.post("/api/dashboard/answers/agua-filtrada/undo", undo)) // done already
	undo.Version = 1
	takesBack(ana.post("/api/dashboard/answers/agua-filtrada/undo", undo))
	if open := improve("state=open"); open.Total != 1 {
		t.Errorf("taken back: %+v", open)
	}
	if text := visitor.reply(question); strings.Contains(text, "sala de espera") {
		t.Errorf("after undoing all answered with %q", text)
	}
	for _, stream := range []string{event.AnswerStream("agua-filtrada", 2), event.AnswerUndoneStream("agua-filtrada", 1)} {
		if n := len(h.events(stream)); n != 1 {
			t.Errorf("%d events in %s", n, stream)
		}
	}

	_, owner := h.sign("jefa@clinica.example", people.RoleOwner)
	var audit []contract.AuditEntry
	owner.get("/api/audit?what=AnswerUndone").into(http.StatusOK, &audit)
	if len(audit) != 2 || audit[0].Who != "ana2@clinica.example" || audit[0].Details["reason"] != "No es así." {
		t.Errorf("audit %+v", audit)
	}
}

func TestAnswersAreRefusedFieldByField(t *testing.T) {
	h := newTestServer(t, answering)
	ana := h.staff()
	for name, tt := range map[string]struct{ field, value, want string }{
		"a phone":       {"text", "Llame al 200-0101.", "«200-0101» está escrito tal cual"},
		"an hour":       {"text", "Desde las 8:00.", "«8:00» está escrito tal cual"},
		"an address":    {"english", "Write to a@b.example", "«@» está escrito tal cual"},
		"no fact":       {"text", "Llame al {{fax}}.", "{{fax}} no es un dato"},
		"empty":         {"text", " ", "Falta."},
		"topic":         {"topic", "astros", "No es uno de los que hay."},
		"service":       {"service", "tatuajes", "no tiene ese servicio"},
		"aspect":        {"aspect", "color", "No es uno de los que hay."},
		"slug":          {"slug", "Agua!", "minúsculas"},
		"reason":        {"reason", "", "Falta."},
		"reason of one": {"reason", "Lo pidió Ana, 6123-4567", "dato personal|nombre, un teléfono"},
		"like a file":   {"text", "- una lista", "No puede empezar"},
	} {
		var draft map[string]any
		if err := json.Unmarshal([]byte(wifi), &draft); err != nil {
			t.Fatal(err)
		}
		draft[tt.field] = tt.value
		e := ana.post("/api/dashboard/answers", draft).refused(http.StatusBadRequest)
		found := false
		for _, want := range strings.Split(tt.want, "|") {
			found = found || e.Fields != nil && strings.Contains((*e.Fields)[tt.field], want)
		}
		if !found {
			t.Errorf("%s: %+v", name, e)
		}
	}
	for question, want := range map[string]string{
		"¿En qué consiste una limpieza dental?": "ya la contesta",
		"soy Ana Ruiz, hay agua":                "dato personal",
		"¿agua para [nombre]?":                  "dato personal",
		strings.Repeat("agua ", 50):             "demasiado larga",
		"¿?":                                    "al menos una pregunta",
	} {
		draft := draftOf(t, wifi)
		draft.Questions = []string{question}
		if e := ana.post("/api/dashboard/answers", draft).refused(http.StatusBadRequest); e.Fields == nil || !strings.Contains((*e.Fields)["questions"], want) {
			t.Errorf("%s: %+v", question, e)
		}
	}
	if events, err := h.db.Log().ReadStream(t.Context(), event.AnswerStream("agua-filtrada", 1)); err != nil || len(events) > 0 {
		t.Errorf("recorded %v, %v", events, err)
	}
}

// What was asked by somebody who was erased, or whose data are not to be used, is not replayed.
func TestPreviewsLeaveOutWhoIsErasedOrRestricted(t *testing.T) {
	h := newTestServer(t, answering)
	for _, session := range []string{"s1", "s2", "s3"} {
		h.browser().say(session, "¿tienen agua filtrada para beber?")
	}
	_, err := h.db.Log().Append(t.Context(), event.Append{
		Stream: chat.Stream(chat.ConversationID("web", "s2")), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: noon, Payload: &event.SubjectRestricted{By: event.ByOperator, On: true, Reason: event.ReasonRequest}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.db.Log().DestroyKey(t.Context(), chat.Stream(chat.ConversationID("web", "s3"))); err != nil {
		t.Fatal(err)
	}
	draft := draftOf(t, wifi)
	if preview := h.staff().preview(draft); preview.Answered.Times != 1 {
		t.Errorf("preview %+v", preview)
	}
}

// Two processes share a database: what is taught through one, the other knows a second later.
func TestATaughtAnswerIsKnownInEveryProcess(t *testing.T) {
	url, key := postgrestest.Database(t), keyfiles.NewMasterKey()
	here, there := newTestServerOn(t, url, key, answering), newTestServerOn(t, url, key, answering)
	visitor, ana := there.browser(), here.staff()
	const question = "¿tienen agua filtrada para beber?"
	knows := func(want bool) {
		t.Helper()
		there.clock.advance(time.Second)
		if text := visitor.reply(question); strings.Contains(text, "sala de espera") != want {
			t.Errorf("answered with %q", text)
		}
	}
	knows(false)
	draft := draftOf(t, wifi)
	ana.post("/api/dashboard/answers", draft).into(http.StatusOK, &contract.AnswerVersion{})
	knows(true)
	if a := ana.post("/api/dashboard/answers/agua-filtrada/undo", contract.AnswerUndoing{Version: 1, Reason: "Prueba."}); a.Code != http.StatusNoContent {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	knows(false)
}

// What was answered before is told apart from what was not, and a question that hangs on the
// conversation is replayed with it.
func TestAPreviewTellsWhatWouldBeAnsweredOtherwise(t *testing.T) {
	h := newTestServer(t, answering)
	b := h.browser()
	b.reply("¿Duele la limpieza dental?")
	b.reply("¿y cuánto dura?")
	draft := draftOf(t, wifi)
	service := "limpieza-dental"
	draft.Slug, draft.Topic, draft.Service, draft.Aspect = "limpieza-duracion-nueva", "limpieza", &service, new("duracion")
	draft.Questions = []string{"¿y cuánto dura?", "cuánta demora tiene la limpieza dental de ustedes"}
	draft.Text = "Casi siempre media hora larga."
	preview := h.staff().preview(draft)
	changed := preview.Changed
	if preview.Questions != 2 || preview.Answered.Questions != 0 || changed.Questions != 1 || !changed.Examples[0].InContext ||
		changed.Examples[0].Question != "¿y cuánto dura?" || !strings.Contains(changed.Examples[0].Taught, "media hora larga") || changed.Examples[0].Now == "" {
		t.Errorf("preview %+v", preview)
	}
}

// A reply that was rated negative leads to the answer that it came from.
func TestQuestionsRatedNegativeAreListed(t *testing.T) {
	h := newTestServer(t, answering)
	for _, session := range []string{"s1", "s2"} {
		b := h.browser()
		var said contract.ChatResponse
		b.say(session, "¿En qué consiste una limpieza dental?").into(http.StatusOK, &said)
		rating := map[string]any{"sessionId": session, "messageId": said.MessageID, "rating": "negative"}
		if a := b.post("/api/chatbot/rating", rating); a.Code >= http.StatusBadRequest {
			t.Fatalf("rated: %d %s", a.Code, a.Body)
		}
	}
	h.project()
	var found contract.Questions
	h.staff().get("/api/dashboard/questions?reason=negative").into(http.StatusOK, &found)
	if len(found.Questions) != 1 {
		t.Fatalf("found %+v", found)
	}
	if q := found.Questions[0]; q.Count != 2 || q.Negative != 2 || *q.Answer != "limpieza-que-es" || !strings.Contains(q.Reply, "sarro") {
		t.Errorf("question %+v", q)
	}
}

// TestTextsThatTellOfAPersonAreRefusedOrErased tries to teach with the name of somebody whom the clinic
// knows, and erases that person where it was taught before anybody was asked.
func TestTextsThatTellOfAPersonAreRefusedOrErased(t *testing.T) {
	h := newTestServer(t, answering)
	lead := h.leaves("s1", "+50769001111")
	const name = "Xilonen Tlapan"
	_, err := h.db.Log().Append(t.Context(), event.Append{
		Stream: chat.Stream(lead.ID), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: noon, Payload: &event.ContactGiven{Name: name}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ana := h.staff()
	for _, field := range []string{"text", "english", "reason", "questions"} {
		var draft map[string]any
		if err := json.Unmarshal([]byte(wifi), &draft); err != nil {
			t.Fatal(err)
		}
		draft[field] = "xilonen tlapan toma agua filtrada"
		if field == "questions" {
			draft[field] = []string{"¿Qué agua toma xilonen tlapan?"}
		}
		e := ana.post("/api/dashboard/answers", draft).refused(http.StatusBadRequest)
		if e.Fields == nil || !strings.Contains((*e.Fields)[field], "persona que la clínica conoce") {
			t.Errorf("%s: %+v", field, e)
		}
		if field != "reason" {
			ana.post("/api/dashboard/answers/preview", draft).refused(http.StatusBadRequest)
		}
	}
	register := h.config.Staff.Teaching
	asks := register.TellsOf
	register.TellsOf = func(context.Context, string) (bool, error) { return false, nil }
	draft := draftOf(t, wifi)
	draft.Text = name + " lo recomienda."
	ana.post("/api/dashboard/answers", draft).into(http.StatusOK, new(contract.AnswerVersion))
	register.TellsOf = asks
	if e := ana.post("/api/dashboard/answers/agua-filtrada/undo", contract.AnswerUndoing{Version: 1, Reason: "por xilonen tlapan"}).refused(http.StatusBadRequest); e.Fields == nil || (*e.Fields)["reason"] == "" {
		t.Errorf("taken back: %+v", e)
	}

	var report contract.ErasureReport
	ana.post(changePath(lead, "person/erasure"), contract.PersonErasure{Confirmation: name}).into(http.StatusOK, &report)
	if report.Records != 2 {
		t.Errorf("report %+v", report)
	}
	ana.get("/api/dashboard/answers/agua-filtrada").refused(http.StatusNotFound)
	h.project()
	var list contract.TaughtAnswers
	ana.get("/api/dashboard/answers").into(http.StatusOK, &list)
	if len(list.Answers) != 1 || list.Answers[0].Version != 0 || !strings.HasPrefix(list.Answers[0].Versions[0].Text, "Borrado") || list.Answers[0].Versions[0].Undone == nil {
		t.Errorf("list %+v", list)
	}
	ana.post("/api/dashboard/answers", draftOf(t, wifi)).into(http.StatusOK, new(contract.AnswerVersion))
}
