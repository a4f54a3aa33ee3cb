package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"bitacora/adapters/httpapi/contract"
)

// TestAnOddQuestionIsListedAndDismissed goes the whole way: a visitor writes something odd, it is listed and
// becomes a line, as long as the person is neither restricted nor erased, and the staff dismisses it.
func TestAnOddQuestionIsListedAndDismissed(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.start()
	a := p.app()
	odd := "necesito algo para la foto del colegio"
	if err := p.post("/api/chatbot", map[string]string{"sessionId": "odd", "messageId": "m1", "message": odd}, nil); err != nil {
		t.Fatal(err)
	}
	p.applied(a)
	staff := p.signIn()
	list := func(state string, want int) (l contract.Questions) {
		t.Helper()
		if err := p.get("/api/dashboard/questions?state="+state, staff, &l); err != nil {
			t.Fatal(err)
		}
		if len(l.Questions) != want {
			t.Fatalf("%s: %+v", state, l)
		}
		return l
	}
	lines := func(when, want string) {
		t.Helper()
		if out := p.mustRun("assistant", "lines"); out != want {
			t.Errorf("%s: %q", when, out)
		}
	}
	q := list("open", 1).Questions[0]
	lines("open", odd+"\n")
	p.mustRun("privacy", "restrict", q.ConversationID)
	lines("of a restricted person", "")
	p.mustRun("privacy", "restrict", q.ConversationID, "--lift")
	lines("of a released person", odd+"\n")
	sent, err := json.Marshal(contract.QuestionDismissal{ConversationID: q.ConversationID, Ordinal: q.Ordinal})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/api/dashboard/questions/dismissal", bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	var answer *refusal
	if err := p.do(request, staff, nil); !errors.As(err, &answer) || answer.status != http.StatusNoContent {
		t.Fatalf("the dismissal is answered %v", err)
	}
	p.applied(a)
	list("open", 0)
	if settled := list("settled", 1); *settled.Questions[0].Settled != "dismissed" {
		t.Errorf("settled %+v", settled)
	}
	lines("dismissed", "")
	p.mustRun("rebuild")
	p.mustRun("verify")
	list("settled", 1)
	p.mustRun("privacy", "erase", q.ConversationID, "--yes", "--now")
	list("", 0)
}
