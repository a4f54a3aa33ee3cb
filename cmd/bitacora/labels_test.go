package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
)

// TestAnOddQuestionIsLabelledAndExported goes the whole way: a visitor writes something odd, the
// staff says what it means, and it becomes a training line, as long as the person is not erased.
func TestAnOddQuestionIsLabelledAndExported(t *testing.T) {
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
	list := func() (l contract.QuestionsToLabel) {
		t.Helper()
		if err := p.get("/api/dashboard/labels?"+url.Values{"below": {"1"}}.Encode(), staff, &l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	found := list()
	if found.Total != 1 || found.Labelled != 0 || !strings.Contains(found.Questions[0].Text, "foto") {
		t.Fatalf("to be labelled: %+v", found)
	}
	q := found.Questions[0]
	if q.Intent == nil || q.Confidence == nil || q.RunnerUp == nil {
		t.Errorf("what was understood is not told: %+v", q)
	}
	body := contract.QuestionLabel{ConversationID: q.ConversationID, Ordinal: q.Ordinal, Label: contract.Label{Kind: "intent", Name: new("precio")}}
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/api/dashboard/labels", bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	var answer *refusal
	if err := p.do(request, staff, nil); !errors.As(err, &answer) || answer.status != http.StatusNoContent {
		t.Fatalf("the label is answered %v", err)
	}
	p.applied(a)
	if found = list(); found.Labelled != 1 || *found.Questions[0].Label.Name != "precio" {
		t.Errorf("labelled: %+v", found)
	}
	exported := func(name string) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), name)
		p.mustRun("assistant", "labels", "export", "--dir", dir)
		text, err := os.ReadFile(filepath.Join(dir, "sentences", "precio.txt"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err == nil {
			if out, err := p.run("", "assistant", "labels", "export", "--dir", dir); err == nil {
				t.Errorf("a file was written over: %s", out)
			}
		}
		return string(text)
	}
	if text := exported("labelled"); text != odd+"\n" {
		t.Errorf("exported %q", text)
	}
	p.mustRun("rebuild")
	p.mustRun("verify")
	p.mustRun("privacy", "restrict", q.ConversationID)
	if text := exported("restricted"); text != "" {
		t.Errorf("of a restricted person: %q", text)
	}
	p.mustRun("privacy", "restrict", q.ConversationID, "--lift")
	if text := exported("released"); text == "" {
		t.Error("what was restricted did not come back")
	}
	p.mustRun("privacy", "erase", q.ConversationID, "--yes", "--now")
	if text := exported("erased"); text != "" {
		t.Errorf("of an erased person: %q", text)
	}
	if found = list(); found.Total != 0 {
		t.Errorf("of an erased person: %+v", found)
	}
}
