package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
)

const inDanger = "kiero morirme"

func wantCrisisLine(t *testing.T, r contract.ChatResponse) {
	t.Helper()
	if !strings.Contains(r.Response, "Línea 147 del MIDES") || !strings.Contains(r.Response, "911") {
		t.Errorf("somebody in danger is told %q", r.Response)
	}
}

func TestSomebodyInDangerIsAnsweredByBothRoutes(t *testing.T) {
	h := newTestServer(t)
	h.parrot.mute = true
	b := h.browser()
	var got contract.ChatResponse
	b.say("s1", inDanger).into(http.StatusOK, &got)
	wantCrisisLine(t, got)
	got = streamed(t, b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s2", Message: inDanger}))
	wantCrisisLine(t, got)
	for _, session := range []string{"s1", "s2"} {
		if c := h.conversation(session); len(c.Flags) != 1 || c.Flags[0] != event.FlagCrisis || len(c.Lines) != 2 {
			t.Errorf("%s: %+v", session, c)
		}
	}
}

// 429 means the monthly limit and nothing else; somebody in danger does not meet it.
func TestSomebodyInDangerMeetsNoLimit(t *testing.T) {
	h := newTestServer(t, limited(0))
	b := h.browser()
	b.say("s1", "Hola").refused(http.StatusTooManyRequests)
	var got contract.ChatResponse
	b.say("s1", inDanger).into(http.StatusOK, &got)
	wantCrisisLine(t, got)
	if c := h.conversation("s1"); got.MessageID == nil || len(c.Flags) != 1 {
		t.Errorf("the staff learns nothing: %+v", c)
	}
	b.say("s1", "sí").into(http.StatusOK, &got)
	wantCrisisLine(t, got)
	b.say("s2", "Hola").refused(http.StatusTooManyRequests)
}

func TestSomebodyInDangerIsAnsweredWhereTheMessageIsNotTaken(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	long := strings.Repeat("estoy cansada de todo esto. ", 50) + inDanger
	var got contract.ChatResponse
	b.say("s1", long).into(http.StatusOK, &got)
	wantCrisisLine(t, got)
	if got.MessageID != nil {
		t.Error("a message that is too long has an id")
	}
	for i := range sessionBurst + sessionPatience + 3 {
		b.say("s2", fmt.Sprint("mensaje ", i))
	}
	b.say("s2", "otro").refused(http.StatusServiceUnavailable)
	b.say("s2", inDanger).into(http.StatusOK, &got)
	wantCrisisLine(t, got)
	got = streamed(t, b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s2", Message: inDanger}))
	wantCrisisLine(t, got)
}
