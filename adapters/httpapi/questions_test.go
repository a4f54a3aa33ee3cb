package httpapi

import (
	"net/http"
	"net/url"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
)

func TestAQuestionIsDismissedForEverybody(t *testing.T) {
	h := newTestServer(t)
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentAsk, Understood: event.Understood{Intent: "otro", Confidence: .3}}
	b := h.browser()
	b.say("s1", "¿a cómo sale la foto? soy del 6123-4567")
	b.say("s2", "¿Y el gato?")
	h.project()
	who, ana := h.sign("luis@clinica.example", people.RoleStaff)
	_, colleague := h.sign("eva@clinica.example", people.RoleStaff)
	list := func(query string) (l contract.Questions) {
		t.Helper()
		colleague.get("/api/dashboard/questions?"+query).into(http.StatusOK, &l)
		return l
	}
	first := list("limit=1&state=open")
	if first.Total != 2 || len(first.Questions) != 1 || first.Next == nil {
		t.Fatalf("the first page %+v", first)
	}
	second := list("limit=1&state=open&cursor=" + url.QueryEscape(*first.Next))
	if len(second.Questions) != 1 || second.Questions[0].ConversationID == first.Questions[0].ConversationID || second.Next != nil {
		t.Errorf("the second page %+v", second)
	}
	photo := second.Questions[0]
	if photo.Text != "¿a cómo sale la foto? soy del [teléfono]" || photo.Unsure != 1 || photo.Negative != 0 || photo.Unanswered != 0 || photo.Settled != nil {
		t.Errorf("the question %+v", photo)
	}
	if none := list("reason=negative"); none.Total != 0 || none.Questions == nil {
		t.Errorf("rated negative: %+v", none)
	}
	dismissal := contract.QuestionDismissal{ConversationID: photo.ConversationID, Ordinal: photo.Ordinal}
	if a := ana.post("/api/dashboard/questions/dismissal", dismissal); a.Code != http.StatusNoContent {
		t.Fatalf("dismissed: %d %s", a.Code, a.Body)
	}
	h.browser().say("s3", "A como sale la foto, soy del 6123-4567")
	h.project()
	if open, settled := list("state=open"), list("state=settled"); open.Total != 1 || settled.Total != 1 || *settled.Questions[0].Settled != "dismissed" || settled.Questions[0].Count != 2 {
		t.Errorf("after the dismissal %+v, %+v", open, settled)
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
	for _, query := range []string{"reason=all", "state=all", "limit=0", "limit=101", "cursor=x", "cursor=1-x-1", "startDate=x"} {
		b.get("/api/dashboard/questions?" + query).refused(http.StatusBadRequest)
	}
	b.post("/api/dashboard/questions/dismissal", contract.QuestionDismissal{ConversationID: "nobody", Ordinal: 1}).refused(http.StatusNotFound)
}
