package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// TestAnOddQuestionIsListedAndDismissed goes the whole way: a visitor writes something odd, it is listed and
// becomes a line, as long as the person is neither restricted nor erased, and the staff dismisses it.
func TestAnOddQuestionIsListedAndDismissed(t *testing.T) {
	t.Parallel()
	p := programtest.NewProgram(t)
	p.Start()
	a := p.App()
	odd := "necesito algo para la foto del colegio"
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "odd", "messageId": "m1", "message": odd}, nil); err != nil {
		t.Fatal(err)
	}
	p.Applied(a)
	staff := p.SignIn()
	list := func(state string, want int) (l contract.Questions) {
		t.Helper()
		if err := p.Get("/api/dashboard/questions?state="+state, staff, &l); err != nil {
			t.Fatal(err)
		}
		if len(l.Questions) != want {
			t.Fatalf("%s: %+v", state, l)
		}
		return l
	}
	lines := func(when, want string) {
		t.Helper()
		if out := p.MustRun("assistant", "lines"); out != want {
			t.Errorf("%s: %q", when, out)
		}
	}
	q := list("open", 1).Questions[0]
	lines("open", odd+"\n")
	p.MustRun("privacy", "restrict", q.ConversationID)
	lines("of a restricted person", "")
	p.MustRun("privacy", "restrict", q.ConversationID, "--lift")
	lines("of a released person", odd+"\n")
	sent, err := json.Marshal(contract.QuestionDismissal{ConversationID: q.ConversationID, Ordinal: q.Ordinal})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+"/api/dashboard/questions/dismissal", bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	var answer *programtest.Refusal
	if err := p.Do(request, staff, nil); !errors.As(err, &answer) || answer.Status != http.StatusNoContent {
		t.Fatalf("the dismissal is answered %v", err)
	}
	p.Applied(a)
	list("open", 0)
	if settled := list("settled", 1); *settled.Questions[0].Settled != "dismissed" {
		t.Errorf("settled %+v", settled)
	}
	lines("dismissed", "")
	p.MustRun("rebuild")
	p.MustRun("verify")
	list("settled", 1)
	p.MustRun("privacy", "erase", q.ConversationID, "--yes", "--now")
	list("", 0)
}
