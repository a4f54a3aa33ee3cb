package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	for _, query := range []string{"reason=all", "state=all", "limit=0", "limit=101", "cursor=x", "cursor=0", "cursor=2001", "startDate=x"} {
		b.get("/api/dashboard/questions?" + query).refused(http.StatusBadRequest)
	}
	b.post("/api/dashboard/questions/dismissal", contract.QuestionDismissal{ConversationID: "nobody", Ordinal: 1}).refused(http.StatusNotFound)
}

// meanings are the second words of texts, where they are in capitals.
func meanings(_ context.Context, texts []string) ([]string, error) {
	return contract.List(texts, func(text string) string {
		words := append(strings.Fields(text), "", "")
		if words[1] != strings.ToUpper(words[1]) {
			return ""
		}
		return words[1]
	}), nil
}

func TestQuestionsOfOneMeaningStandTogether(t *testing.T) {
	h := newTestServer(t)
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentAsk, Understood: event.Understood{Intent: "otro", Confidence: .3}}
	for i, text := range []string{"¿Duele?", "¿Duele?", "¿Duele?", "¿Duele?", "en PARTES", "en PARTES", "en PARTES", "por PARTES", "por PARTES", "a PARTES", "¿Y el gato?"} {
		h.browser().say(fmt.Sprint("s", i), text)
	}
	h.project()
	b := h.staff()
	list := func(query string) (texts []string, l contract.Questions) {
		t.Helper()
		b.get("/api/dashboard/questions?"+query).into(http.StatusOK, &l)
		for _, q := range l.Questions {
			texts = append(texts, q.Text)
		}
		return texts, l
	}
	texts, all := list("state=open")
	if want := []string{"en PARTES", "por PARTES", "a PARTES", "¿Duele?", "¿Y el gato?"}; !slices.Equal(texts, want) || all.Total != 5 {
		t.Fatalf("%d questions %q", all.Total, texts)
	}
	for i, q := range all.Questions {
		if want := (contract.QuestionGroup{Answer: "PARTES", Questions: 3, Count: 6}); (i < 3) != (q.Group != nil) || i < 3 && *q.Group != want {
			t.Errorf("%q is of the group %+v", q.Text, q.Group)
		}
	}
	_, first := list("state=open&limit=2")
	settled := first.Questions[1]
	dismissal := contract.QuestionDismissal{ConversationID: settled.ConversationID, Ordinal: settled.Ordinal}
	if a := b.post("/api/dashboard/questions/dismissal", dismissal); a.Code != http.StatusNoContent {
		t.Fatalf("dismissed: %d %s", a.Code, a.Body)
	}
	h.project()
	texts, next := list("state=open&limit=2&cursor=" + *first.Next)
	if !slices.Equal(texts, []string{"a PARTES", "¿Duele?"}) || next.Questions[0].Group.Questions != 2 || next.Total != 4 {
		t.Errorf("after a dismissal the next page is %q of %d, %+v", texts, next.Total, next.Questions[0].Group)
	}
	if texts, last := list("state=open&limit=2&cursor=" + *next.Next); !slices.Equal(texts, []string{"¿Y el gato?"}) || last.Next != nil {
		t.Errorf("the last page is %q", texts)
	}
}
