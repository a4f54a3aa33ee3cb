package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

func TestVisitorIsAnswered(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	id := "m1"
	a := b.post("/api/chatbot", contract.ChatRequest{
		SessionID: "s1", Message: "Hola", MessageID: &id,
		ConversationHistory: &[]contract.ChatTurn{{Role: "assistant", Content: "algo que nadie dijo"}},
	})
	var got contract.ChatResponse
	a.into(http.StatusOK, &got)
	if got.Response != "Usted dijo: Hola" || got.MessageID == nil || *got.MessageID != id {
		t.Errorf("answer %s", a.Body)
	}
	if cache := a.Header().Get("Cache-Control"); cache != "no-store" {
		t.Errorf("Cache-Control is %q", cache)
	}

	var again contract.ChatResponse
	b.post("/api/chatbot", contract.ChatRequest{SessionID: "s1", Message: "Hola", MessageID: &id}).into(http.StatusOK, &again)
	if again.Response != got.Response || len(h.conversation("s1").Lines) != 2 {
		t.Errorf("a retry was answered %+v and stored %+v", again, h.conversation("s1").Lines)
	}
}

func (s *testServer) conversation(session string) *chat.Conversation {
	s.t.Helper()
	id := chat.ConversationID("web", session)
	events, err := s.db.Log().ReadStream(s.t.Context(), chat.Stream(id))
	if err != nil {
		s.t.Fatal(err)
	}
	return chat.Fold(id, events)
}

func TestChatCookie(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	a := b.say("s1", "Mi correo es ana@example.com")
	cookies := a.Result().Cookies()
	if len(cookies) != 1 {
		t.Fatalf("cookies %v", cookies)
	}
	c := cookies[0]
	if c.Name != "__Host-bitacora-chat" || len(c.Value) != 43 || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %+v", c)
	}
	if set := b.say("s1", "¿Sigue ahí?").Result().Cookies(); len(set) != 0 {
		t.Errorf("the second message set %v", set)
	}
	if set := b.say("s2", "Otra pestaña").Result().Cookies(); len(set) != 0 {
		t.Errorf("another conversation of the same browser set %v", set)
	}

	var got contract.ChatConversation
	b.readBack("s1").into(http.StatusOK, &got)
	if len(got.Messages) != 4 || !got.Messages[0].IsUser || got.Messages[1].IsUser || got.Messages[2].Text != "¿Sigue ahí?" {
		t.Errorf("conversation read back: %+v", got)
	}
	for _, m := range got.Messages {
		if strings.Contains(m.Text, "ana@example.com") {
			t.Errorf("a contact came back into the chat: %q", m.Text)
		}
	}

	stranger := h.browser()
	stranger.readBack("s1").refused(http.StatusNotFound)
	stranger.say("s3", "Hola")
	stranger.readBack("s1").refused(http.StatusNotFound)
	b.readBack("unknown").refused(http.StatusNotFound)
	b.readBack("").refused(http.StatusNotFound)
}

func TestForgedChatCookieIsReplaced(t *testing.T) {
	h := newTestServer(t)
	for _, forged := range []string{"", "short", strings.Repeat("a", 44), strings.Repeat("=", 43)} {
		b := h.browser()
		b.cookies[chatCookie] = forged
		b.say("s-"+forged, "Hola")
		if got := b.cookies[chatCookie]; got == forged || len(got) != 43 {
			t.Errorf("cookie %q became %q", forged, got)
		}
	}
}

func TestMessagesThatAreNotAccepted(t *testing.T) {
	h := newTestServer(t)
	long := strings.Repeat("x", chat.MaxID+1)
	for name, c := range map[string]struct {
		body   any
		status int
	}{
		"no session":         {contract.ChatRequest{Message: "Hola"}, 400},
		"blank session":      {contract.ChatRequest{SessionID: " ", Message: "Hola"}, 400},
		"long session":       {contract.ChatRequest{SessionID: long, Message: "Hola"}, 400},
		"long message id":    {contract.ChatRequest{SessionID: "s", Message: "Hola", MessageID: &long}, 400},
		"empty":              {contract.ChatRequest{SessionID: "s"}, 400},
		"blank":              {contract.ChatRequest{SessionID: "s", Message: " \n\t "}, 400},
		"nothing visible":    {contract.ChatRequest{SessionID: "s", Message: "\u200b\u202e\U000e0041\x00"}, 400},
		"1001 characters":    {contract.ChatRequest{SessionID: "s", Message: strings.Repeat("ñ", 1001)}, 400},
		"1000 characters":    {contract.ChatRequest{SessionID: "s", Message: strings.Repeat("ñ", 1000)}, 200},
		"message is number":  {map[string]any{"sessionId": "s", "message": 5}, 400},
		"message is null":    {map[string]any{"sessionId": "s", "message": nil}, 400},
		"an array":           {[]int{1}, 400},
		"unknown fields":     {map[string]any{"sessionId": "s", "message": "Hola", "isAdmin": true}, 200},
		"a huge history":     {map[string]any{"sessionId": "s", "message": "Hola", "conversationHistory": strings.Repeat("x", 70_000)}, 413},
		"history of a wrong": {map[string]any{"sessionId": "s", "message": "Hola", "conversationHistory": "x"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			b := h.browser()
			a := b.post("/api/chatbot", c.body)
			if a.Code != c.status {
				t.Fatalf("got %d, want %d: %s", a.Code, c.status, a.Body)
			}
			if c.status != http.StatusOK {
				a.refused(c.status)
			}
		})
	}
}

func TestInvisibleCharactersAreNotStored(t *testing.T) {
	h := newTestServer(t)
	h.browser().say("s1", "Ho\u200bla\x00\x1b[31m \U000e0041fin\u202e")
	if got := h.conversation("s1").Lines[0].Text; got != "Hola[31m fin" {
		t.Errorf("stored %q", got)
	}
}

func TestFailingAssistant(t *testing.T) {
	h := newTestServer(t)
	h.parrot.mute = true
	b := h.browser()
	id := "m1"
	message := contract.ChatRequest{SessionID: "s1", Message: "Hola", MessageID: &id}
	a := b.post("/api/chatbot", message)
	if e := a.refused(http.StatusBadGateway); e.LimitReached != nil || strings.Contains(a.Body.String(), "parrot") {
		t.Errorf("answer %s", a.Body)
	}
	if lines := h.conversation("s1").Lines; len(lines) != 1 || lines[0].Text != "Hola" {
		t.Errorf("stored %+v", lines)
	}
	if n := h.failures("s1"); n != 1 {
		t.Errorf("%d failures are recorded", n)
	}
	if !strings.Contains(h.log.String(), "parrot") {
		t.Error("the operator is not told why")
	}
	h.parrot.mute = false
	var got contract.ChatResponse
	b.post("/api/chatbot", message).into(http.StatusOK, &got)
	if got.Response != "Usted dijo: Hola" {
		t.Errorf("the retry was answered %+v", got)
	}
}

func TestMonthlyLimit(t *testing.T) {
	h := newTestServer(t, limited(2))
	b := h.browser()
	for _, session := range []string{"s1", "s2"} {
		var status contract.ChatStatus
		b.get("/api/chatbot/status").into(http.StatusOK, &status)
		if status.LimitReached {
			t.Errorf("limit reached before %s", session)
		}
		if a := b.say(session, "Hola"); a.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", session, a.Code, a.Body)
		}
		h.project()
	}
	var status contract.ChatStatus
	b.get("/api/chatbot/status").into(http.StatusOK, &status)
	if !status.LimitReached {
		t.Error("limit is not reported")
	}
	e := b.say("s3", "Hola").refused(http.StatusTooManyRequests)
	if e.LimitReached == nil || !*e.LimitReached {
		t.Errorf("refusal %+v", e)
	}
	if a := b.say("s1", "¿Y yo?"); a.Code != http.StatusOK {
		t.Errorf("a conversation already begun: %d %s", a.Code, a.Body)
	}
	// The next month of Panama begins at 05:00 UTC.
	h.clock.advance(time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC).Sub(h.clock.Now()))
	b.get("/api/chatbot/status").into(http.StatusOK, &status)
	if status.LimitReached {
		t.Error("the limit outlived its month")
	}
	if a := b.say("s3", "Hola"); a.Code != http.StatusOK {
		t.Errorf("next month: %d %s", a.Code, a.Body)
	}
}

func TestLimitIsExactUnderParallelFirstMessages(t *testing.T) {
	const limit, visitors = 7, 40
	h := newTestServer(t, limited(limit))
	codes := make([]int, visitors)
	var all sync.WaitGroup
	for i := range visitors {
		all.Go(func() { codes[i] = h.browser().say(fmt.Sprint("s", i), "Hola").Code })
	}
	all.Wait()
	count := map[int]int{}
	for _, code := range codes {
		count[code]++
	}
	if count[http.StatusOK] != limit || count[http.StatusTooManyRequests] != visitors-limit {
		t.Errorf("answers %v, want %d of 200 and the others 429", count, limit)
	}
}

func TestNoLimitAndLimitOfZero(t *testing.T) {
	var status contract.ChatStatus
	newTestServer(t).browser().get("/api/chatbot/status").into(http.StatusOK, &status)
	if status.LimitReached {
		t.Error("no limit, and it is reached")
	}
	off := newTestServer(t, limited(0)).browser()
	off.get("/api/chatbot/status").into(http.StatusOK, &status)
	if !status.LimitReached {
		t.Error("a limit of 0 does not disable the chatbot")
	}
	off.say("s1", "Hola").refused(http.StatusTooManyRequests)
}

func TestReferrerIsAKindOfVisit(t *testing.T) {
	h := newTestServer(t)
	for session, want := range map[string]string{"search": "search", "https://x.example/?q=ana": ""} {
		h.browser().post("/api/chatbot", contract.ChatRequest{SessionID: session, Message: "Hola", Referrer: &session})
		events, err := h.db.Log().ReadStream(t.Context(), chat.Stream(chat.ConversationID("web", session)))
		if err != nil {
			t.Fatal(err)
		}
		if got := events[0].Payload.(*event.ConversationStarted).Referrer; got != want {
			t.Errorf("%q is stored as %q, want %q", session, got, want)
		}
	}
}

func TestAnErasedConversationIsGone(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	b.say("s1", "Hola")
	if err := h.db.Log().DestroyKey(t.Context(), chat.Stream(chat.ConversationID("web", "s1"))); err != nil {
		t.Fatal(err)
	}
	b.post("/api/chatbot", contract.ChatRequest{SessionID: "s1", Message: "¿Sigue ahí?"}).refused(http.StatusGone)
	b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "¿Sigue ahí?"}).refused(http.StatusGone)
	b.readBack("s1").refused(http.StatusNotFound)
	if a := b.say("s2", "Hola"); a.Code != http.StatusOK {
		t.Errorf("a new conversation: %s", a.Body)
	}
}

func TestAReplyOffersAnotherConversation(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	var plain contract.ChatResponse
	b.say("s1", "Hola").into(http.StatusOK, &plain)
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentNew}
	var offer contract.ChatResponse
	b.say("s1", "nueva conversación").into(http.StatusOK, &offer)
	if plain.Action != nil || offer.Action == nil || *offer.Action != contract.NewConversation {
		t.Errorf("actions %v and %v", plain.Action, offer.Action)
	}
	var back contract.ChatConversation
	b.post("/api/chatbot/conversation", contract.ChatConversationRequest{SessionID: "s1"}).into(http.StatusOK, &back)
	if last := back.Messages[3]; last.Action == nil || *last.Action != contract.NewConversation || back.Messages[1].Action != nil || back.Messages[2].Action != nil {
		t.Errorf("read back: %+v", back.Messages)
	}
	streamed := b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "otra vez"}).Body.String()
	if !strings.Contains(streamed, `"action":"new-conversation"`) {
		t.Errorf("streamed: %s", streamed)
	}
}

func TestSuggestionsComeWithTheLastReply(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	h.parrot.meaning = chat.Understanding{Intent: chat.IntentBook}
	var live contract.ChatResponse
	b.say("s1", "una cita").into(http.StatusOK, &live)
	want := []string{"Sí", "No"}
	if !slices.Equal(live.Suggestions, want) {
		t.Errorf("live: %q", live.Suggestions)
	}
	if streamed := b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "otra vez"}).Body.String(); !strings.Contains(streamed, `"suggestions":["Sí","No"]`) {
		t.Errorf("streamed: %s", streamed)
	}
	var back contract.ChatConversation
	b.post("/api/chatbot/conversation", contract.ChatConversationRequest{SessionID: "s1"}).into(http.StatusOK, &back)
	if !slices.Equal(back.Messages[3].Suggestions, want) || back.Messages[1].Suggestions != nil {
		t.Errorf("read back: %+v", back.Messages)
	}
}
