package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
)

const waitingPath = "/api/dashboard/waiting"

func attemptsPath(ref contacts.Ref) string {
	return waitingPath + "/" + ref.Kind + "/" + ref.ID + "/attempts"
}

func (b *browser) waiting(query string) (list contract.WaitingList) {
	b.h.t.Helper()
	b.get(waitingPath+"?"+query).into(http.StatusOK, &list)
	return list
}

func waitingNames(list contract.WaitingList) string {
	var all []string
	for _, p := range list.People {
		all = append(all, contract.Deref(p.Name))
	}
	return strings.Join(all, ", ")
}

func TestTheQueueHoldsWhoWaits(t *testing.T) {
	h := newTestServer(t)
	h.leaves("s1", "+50769001111")
	form := h.writes("¿Atienden a niños de dos años?")
	h.leaves("s2", "+507 6900-1111") // the same person
	h.leaves("s3", "+50769003333")
	h.clock.advance(time.Minute)
	h.browser().say("danger", "ya no quiero vivir")
	staff := h.staff()

	list := staff.waiting("")
	if got, want := waitingNames(list), ", Ana s2, Íñigo, Ana s3"; got != want || list.Waiting != 4 || list.Grave != 1 {
		t.Fatalf("queue %q, want %q: %+v", got, want, list)
	}
	crisis, ana, inigo := list.People[0], list.People[1], list.People[2]
	if contract.Deref(crisis.Question) != "ya no quiero vivir" || crisis.Reasons[0].Reason != contract.WaitingReasonReason(event.FlagCrisis) || crisis.Phone != nil {
		t.Errorf("crisis %+v", crisis)
	}
	if contract.Deref(ana.Phone) != "+507 6900-1111" || len(ana.Reasons) != 1 || contract.Deref(ana.Conversation) != chat.ConversationID("web", "s2") {
		t.Errorf("person of two conversations %+v", ana)
	}
	if inigo.ID != form.ID || contract.Deref(inigo.Question) != "¿Atienden a niños de dos años?" || inigo.Conversation != nil {
		t.Errorf("message %+v", inigo)
	}
	if got := waitingNames(staff.waiting("limit=1&offset=3")); got != "Ana s3" {
		t.Errorf("the last page is %q", got)
	}
	if first := staff.waiting("limit=1&phone=true"); waitingNames(first) != "Ana s2" || first.Waiting != 4 {
		t.Errorf("the first with a phone %+v", first)
	}
	for _, query := range []string{"limit=0", "limit=101", "offset=-1", "offset=x", "phone=x"} {
		staff.get(waitingPath + "?" + query).refused(http.StatusBadRequest)
	}
}

func TestAnAttemptIsTakenDownOnceAndTakenBack(t *testing.T) {
	h := newTestServer(t)
	ref := h.leaves("s1", "+50769001111")
	staff := h.staff()
	_, colleague := h.sign("berta@clinica.example", people.RoleStaff)

	var made contract.Attempt
	for range 2 {
		staff.post(attemptsPath(ref), contract.NewAttempt{ID: "a1", Outcome: contract.Done}).into(http.StatusOK, &made)
	}
	if contract.Deref(made.By) != anaEmail || made.DueAt != nil || !made.At.Equal(h.clock.Now()) {
		t.Errorf("attempt %+v", made)
	}
	if list := colleague.waiting(""); list.Waiting != 0 {
		t.Errorf("after it was done %+v", list)
	}
	if e := colleague.post(attemptsPath(ref), contract.NewAttempt{ID: "b1", Outcome: contract.Done}).refused(http.StatusConflict); !strings.Contains(e.Message, anaEmail) {
		t.Errorf("refusal %+v", e)
	}
	staff.post(attemptsPath(ref), contract.NewAttempt{ID: "a1", Outcome: contract.Tomorrow}).refused(http.StatusBadRequest)
	for range 2 {
		if a := staff.post(attemptsPath(ref)+"/"+made.ID+"/undo", nil); a.Code != http.StatusNoContent {
			t.Fatalf("undo: %d %s", a.Code, a.Body)
		}
	}
	if list := colleague.waiting(""); list.Waiting != 1 || list.People[0].Last != nil {
		t.Errorf("after it was undone %+v", list)
	}
	staff.post(attemptsPath(ref)+"/unknown/undo", nil).refused(http.StatusNotFound)
	var types []string
	for _, e := range h.events(ref.Stream()) {
		if name := e.Payload.EventType(); strings.HasPrefix(name, "ContactAttempt") {
			types = append(types, name)
		}
	}
	if want := []string{"ContactAttempted", "ContactAttemptUndone"}; !slices.Equal(types, want) {
		t.Errorf("the log has %q, want %q", types, want)
	}
}

func TestOfTwoWhoAttendTheFirstHolds(t *testing.T) {
	h := newTestServer(t)
	ref := h.leaves("s1", "+50769001111")
	browsers := []*browser{h.staff()}
	_, berta := h.sign("berta@clinica.example", people.RoleStaff)
	browsers = append(browsers, berta)
	codes := make([]int, 2)
	var both sync.WaitGroup
	for i, b := range browsers {
		both.Go(func() {
			codes[i] = b.post(attemptsPath(ref), contract.NewAttempt{ID: fmt.Sprint(i), Outcome: contract.Begun}).Code
		})
	}
	both.Wait()
	if slices.Sort(codes); !slices.Equal(codes, []int{200, 409}) {
		t.Fatalf("answers %v", codes)
	}
	mine := 0
	for _, b := range browsers {
		p := b.waiting("").People[0]
		if *p.HeldByMe {
			mine++
		}
		if p.HeldBy == nil || p.Last == nil || p.Last.DueAt == nil {
			t.Errorf("person %+v", p)
		}
	}
	if mine != 1 {
		t.Errorf("%d of two hold the person", mine)
	}
}

func TestWhoIsErasedOrRestrictedLeavesTheQueueWithoutATrace(t *testing.T) {
	h := newTestServer(t)
	lead, second := h.leaves("s1", "+50769001111"), h.leaves("s2", "+50769002222")
	staff := h.staff()
	staff.post(changePath(second, "person/restriction"), contract.PersonRestriction{On: true}).into(http.StatusOK, &contract.Person{})
	list := staff.waiting("")
	if list.Waiting != 2 || !list.People[1].Restricted || list.People[1].Name != nil || list.People[1].Question != nil {
		t.Errorf("with somebody restricted %+v", list)
	}
	staff.post(attemptsPath(second), contract.NewAttempt{ID: "1", Outcome: contract.Done}).refused(http.StatusForbidden)
	staff.post(changePath(lead, "person/erasure"), contract.PersonErasure{Confirmation: "Ana s1"}).into(http.StatusOK, &contract.ErasureReport{})
	if list := staff.waiting(""); list.Waiting != 1 {
		t.Errorf("after an erasure %+v", list)
	}
	staff.post(attemptsPath(lead), contract.NewAttempt{ID: "1", Outcome: contract.Done}).refused(http.StatusNotFound)
}

func TestAReaderSeesHowManyWait(t *testing.T) {
	h := newTestServer(t)
	h.leaves("s1", "+50769001111")
	_, reader := h.sign("lector@clinica.example", people.RoleReader)
	a := reader.get(waitingPath)
	var list contract.WaitingList
	a.into(http.StatusOK, &list)
	if list.Waiting != 1 || len(list.People) != 0 || list.Oldest == nil || strings.Contains(a.Body.String(), "Ana") {
		t.Errorf("a reader gets %s", a.Body)
	}
}

func TestReadingTheQueueIsRecordedOnce(t *testing.T) {
	h := newTestServer(t)
	ref := h.leaves("s1", "+50769001111")
	staff := h.staff()
	staff.waiting("")
	staff.waiting("")
	var read []*event.VisitorTextsRead
	events, err := h.db.Log().Scan(t.Context(), 0, math.MaxInt64, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if p, ok := e.Payload.(*event.VisitorTextsRead); ok {
			read = append(read, p)
		}
	}
	if len(read) != 1 || read[0].List != "waiting" || !slices.Equal(read[0].ConversationIDs, []string{ref.ID}) {
		t.Errorf("recorded %+v", read)
	}
}

// TestARowSaysWhatWasAskedAndWhoSawToIt: the list of conversations and that of contacts.
func TestARowSaysWhatWasAskedAndWhoSawToIt(t *testing.T) {
	h := newTestServer(t)
	lead := h.leaves("s1", "+50769001111")
	h.browser().say("talk", "Soy Luis, 6123-4567. "+strings.Repeat("¿Cuánto cuesta? ", 20))
	h.browser().say("danger", "ya no quiero vivir")
	h.project()
	staff := h.staff()
	rows := func(query string) map[string]contract.ConversationSummary {
		var list []contract.ConversationSummary
		staff.get("/api/dashboard/conversations"+query).into(http.StatusOK, &list)
		byID := map[string]contract.ConversationSummary{}
		for _, one := range list {
			byID[one.ID] = one
		}
		return byID
	}
	talk, danger := chat.ConversationID("web", "talk"), chat.ConversationID("web", "danger")
	first := rows("?limit=10")
	question := contract.Deref(first[talk].Question)
	if !strings.Contains(question, "¿Cuánto cuesta?") || strings.Contains(question, "6123") || utf8.RuneCountInString(question) > 120 {
		t.Errorf("question %q", question)
	}
	if reasons := *first[danger].Reasons; len(reasons) != 1 || reasons[0].Reason != contract.WaitingReasonReason(event.FlagCrisis) || reasons[0].AttendedAt != nil {
		t.Errorf("reasons %+v", reasons)
	}
	if whole := rows("")[talk]; whole.Question != nil || whole.Reasons != nil {
		t.Errorf("the whole list gives away %+v", whole)
	}
	_, berta := h.sign("berta@clinica.example", people.RoleStaff)
	for _, ref := range []contacts.Ref{lead, {Kind: contacts.Lead, ID: danger}} {
		berta.post(attemptsPath(ref), contract.NewAttempt{ID: "a1", Outcome: contract.Done}).into(http.StatusOK, new(contract.Attempt))
	}
	if reason := (*rows("?limit=10")[danger].Reasons)[0]; contract.Deref(reason.AttendedBy) != "berta@clinica.example" {
		t.Errorf("after it was done %+v", reason)
	}
	list, _ := staff.contacts("")
	if c := list[0]; contract.Deref(c.Question) == "" || len(c.Reasons) != 1 || contract.Deref(c.Reasons[0].AttendedBy) != "berta@clinica.example" {
		t.Errorf("contact %+v", c)
	}
	staff.post(contactsPath+"/lead/"+lead.ID+"/person/restriction", contract.PersonRestriction{On: true})
	if restricted := rows("?limit=10")[lead.ID]; restricted.Question != nil {
		t.Errorf("of a restricted person: %+v", restricted)
	}
}
