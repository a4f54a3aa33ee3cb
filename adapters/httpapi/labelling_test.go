package httpapi

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
)

// unpacked are the files of an exported archive.
func (a answer) unpacked() map[string]string {
	a.t.Helper()
	if a.Code != http.StatusOK {
		a.t.Fatalf("export: %d %s", a.Code, a.Body)
	}
	raw := a.Body.Bytes()
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		a.t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			a.t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			a.t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

func TestAQuestionIsLabelledAndTakenAway(t *testing.T) {
	h := newTestServer(t)
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentAsk, Understood: event.Understood{Intent: "otro", Confidence: .3, RunnerUp: "precio", RunnerUpConfidence: .3}}
	b := h.browser()
	b.say("s1", "¿a cómo sale la foto? soy del 6123-4567")
	b.say("s2", "¿Y el gato?")
	h.project()
	who, colleague := h.sign("luis@clinica.example", people.RoleStaff)
	list := func(query string) (l contract.QuestionsToLabel) {
		t.Helper()
		colleague.get("/api/dashboard/labels?"+query).into(http.StatusOK, &l)
		return l
	}
	open := list("state=open")
	if open.Total != 2 || open.Labelled != 0 || len(open.Questions) != 2 || open.Next != nil || open.Below != .7 {
		t.Fatalf("to label: %+v", open)
	}
	var photo contract.QuestionToLabel
	for _, q := range open.Questions {
		if strings.Contains(q.Text, "foto") {
			photo = q
		}
	}
	if !strings.Contains(photo.Text, "[teléfono]") || strings.Contains(photo.Text+photo.Reply, "6123") || *photo.Intent != "otro" || *photo.RunnerUp != "precio" || photo.Label != nil {
		t.Errorf("the question %+v", photo)
	}
	exported := colleague.get("/api/dashboard/export?format=jsonl&rows=messages").Body.String()
	if !strings.Contains(exported, `"intent":"otro","confidence":0.3,"runnerUp":"precio","runnerUpConfidence":0.3`) {
		t.Errorf("the exported messages do not tell what was understood:\n%s", exported)
	}
	if none := list("below=0.2"); none.Total != 0 {
		t.Errorf("below 0.2: %+v", none)
	}
	first := list("limit=1")
	if second := list("limit=1&cursor=" + url.QueryEscape(*first.Next)); second.Questions[0].ConversationID == first.Questions[0].ConversationID || second.Next != nil {
		t.Errorf("the second page %+v", second)
	}

	label := func(kind contract.LabelKind, name string) answer {
		return colleague.post("/api/dashboard/labels", contract.QuestionLabel{
			ConversationID: photo.ConversationID, Ordinal: photo.Ordinal, Label: contract.Label{Kind: kind, Name: contract.Optional(name)},
		})
	}
	label("intent", "jirafa").refused(http.StatusBadRequest)
	label("intent", "otro").refused(http.StatusBadRequest)
	label("answer", "precio").refused(http.StatusBadRequest)
	label("skipped", "precio").refused(http.StatusBadRequest)
	export := func() map[string]string {
		t.Helper()
		h.project()
		return colleague.get("/api/dashboard/labels/export").unpacked()
	}
	if files := export(); len(files) != 0 {
		t.Errorf("before any label: %v", files)
	}
	for _, step := range []struct {
		kind             contract.LabelKind
		name, file, text string
	}{
		{"intent", "precio", "sentences/precio.txt", "¿a cómo sale la foto? soy del [teléfono]\n"},
		{"answer", "limpieza-dolor", "questions/limpieza.txt", "## limpieza-dolor\n¿a cómo sale la foto? soy del [teléfono]\n"},
		{"off-topic", "", "sentences/otro.txt", "¿a cómo sale la foto? soy del [teléfono]\n"},
	} {
		if a := label(step.kind, step.name); a.Code != http.StatusNoContent {
			t.Fatalf("%s: %d %s", step.kind, a.Code, a.Body)
		}
		if files := export(); len(files) != 1 || files[step.file] != step.text {
			t.Errorf("%s: %q", step.kind, files)
		}
	}
	label("skipped", "")
	if files := export(); len(files) != 0 {
		t.Errorf("skipped: %q", files)
	}
	done := list("state=labelled")
	if done.Total != 2 || done.Labelled != 1 || len(done.Questions) != 1 || done.Questions[0].Label.Kind != "skipped" || done.Questions[0].LabelledAt == nil {
		t.Errorf("labelled: %+v", done)
	}
	if taken := recorded[*event.ExportTaken](h, who.ID); len(taken) != 6 || *taken[5] != (event.ExportTaken{StaffID: who.ID, Rows: "labels", Format: "zip"}) {
		t.Errorf("recorded %d exports, the last %+v", len(taken), taken[len(taken)-1])
	}
	for _, e := range h.events(chat.Stream(photo.ConversationID)) {
		if p, ok := e.Payload.(*event.QuestionLabelled); ok && (p.StaffID != who.ID || p.Ordinal != 1) {
			t.Errorf("recorded %+v", p)
		}
	}
}

func TestTheListOfQuestionsRefusesWhatItCannotRead(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	for _, query := range []string{"below=2", "below=x", "below=NaN", "state=all", "limit=0", "limit=101", "cursor=x", "startDate=x"} {
		b.get("/api/dashboard/labels?" + query).refused(http.StatusBadRequest)
	}
	unknown := contract.QuestionLabel{ConversationID: "nobody", Ordinal: 1, Label: contract.Label{Kind: "skipped"}}
	b.post("/api/dashboard/labels", unknown).refused(http.StatusNotFound)
	var choices contract.LabelChoices
	b.get("/api/dashboard/labels/choices").into(http.StatusOK, &choices)
	if len(choices.Intents) != 1 || choices.Intents[0] != "precio" || len(choices.Answers) == 0 || choices.Answers[0].Question == "" {
		t.Errorf("choices %+v", choices)
	}
}
