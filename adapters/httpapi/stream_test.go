package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/domain/chat"
)

// The contract calls a stream a text.
func init() {
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.RegisteredBodyDecoder("text/plain"))
}

// sent is one server-sent event.
type sent struct{ name, data string }

// eventsOf reads a stream; comments are left out.
func eventsOf(t *testing.T, body *bytes.Buffer) []sent {
	t.Helper()
	var events []sent
	var now sent
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			now.name = value
		case "data":
			now.data = value
		case "":
			if now.name != "" {
				events = append(events, now)
			}
			now = sent{}
		}
	}
	return events
}

// streamed is the reply of a stream, which its pieces have to make up.
func streamed(t *testing.T, a answer) contract.ChatResponse {
	t.Helper()
	if got := a.Header().Get("Content-Type"); a.Code != http.StatusOK || got != "text/event-stream; charset=utf-8" {
		t.Fatalf("%d %s: %s", a.Code, got, a.Body)
	}
	var pieces strings.Builder
	var whole contract.ChatResponse
	for _, e := range eventsOf(t, a.Body) {
		switch e.name {
		case "delta":
			var piece struct{ Text string }
			if err := json.Unmarshal([]byte(e.data), &piece); err != nil {
				t.Fatal(err)
			}
			pieces.WriteString(piece.Text)
		case "done":
			if err := json.Unmarshal([]byte(e.data), &whole); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("event %+v", e)
		}
	}
	if whole.Response == "" || pieces.String() != whole.Response {
		t.Errorf("the pieces make %q, the reply is %q", pieces.String(), whole.Response)
	}
	return whole
}

func TestAStreamedReplyIsTheStoredOne(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	id := "m1"
	text := strings.Repeat("Una frase que se parte en pedazos.\nY otra línea. ", 5)
	message := contract.ChatRequest{SessionID: "s1", Message: text, MessageID: &id}
	whole := streamed(t, b.post("/api/chatbot/stream", message))
	if whole.Response != "Usted dijo: "+strings.TrimSpace(text) || whole.MessageID == nil || *whole.MessageID != id {
		t.Errorf("reply %+v", whole)
	}
	if b.cookies[chatCookie] == "" {
		t.Error("no cookie to read the conversation back with")
	}
	if again := streamed(t, b.post("/api/chatbot/stream", message)); again.Response != whole.Response {
		t.Errorf("a retry got %+v", again)
	}
	var plain contract.ChatResponse
	b.post("/api/chatbot", message).into(http.StatusOK, &plain)
	if plain.Response != whole.Response || len(h.conversation("s1").Lines) != 2 {
		t.Errorf("the plain call got %q, stored are %+v", plain.Response, h.conversation("s1").Lines)
	}
}

func TestEarlyErrorsOfAStreamHaveTheirStatus(t *testing.T) {
	h := newTestServer(t, limited(0))
	b := h.browser()
	b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: " "}).refused(http.StatusBadRequest)
	if e := b.post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "Hola"}).refused(http.StatusTooManyRequests); e.LimitReached == nil {
		t.Errorf("error %+v", e)
	}
	open := newTestServer(t)
	open.parrot.mute = true
	open.browser().post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "Hola"}).refused(http.StatusBadGateway)
	if lines, failed := open.conversation("s1").Lines, open.failures("s1"); len(lines) != 1 || failed != 1 {
		t.Errorf("stored %+v and %d failures", lines, failed)
	}
}

// slowChat answers when it is told to.
type slowChat struct {
	visitor.Chat
	release chan struct{}
}

func (d slowChat) Receive(ctx context.Context, m chat.Message) (chat.Answer, error) {
	if m.Accepted != nil {
		m.Accepted(chat.Answer{})
		m.Accepted = nil
	}
	<-d.release
	return d.Chat.Receive(ctx, m)
}

func TestALostStreamLosesNothing(t *testing.T) {
	slow := slowChat{release: make(chan struct{})}
	h := newTestServer(t, func(h *testServer) {
		slow.Chat = h.config.Visitor.Chat
		h.config.Visitor.Chat = slow
	})
	server := httptest.NewServer(h.handler)
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	body := `{"sessionId": "s1", "message": "Hola", "messageId": "m1"}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/chatbot/stream", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	beat, err := bufio.NewReader(answer.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(beat, ":") {
		t.Fatalf("the stream began with %q, %v", beat, err)
	}
	leave()
	answer.Body.Close()
	close(slow.release)

	id := "m1"
	for deadline := time.Now().Add(10 * time.Second); len(h.conversation("s1").Lines) < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the reply was not stored")
		}
	}
	if got := streamed(t, h.browser().post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "Hola", MessageID: &id})); got.Response != "Usted dijo: Hola" {
		t.Errorf("reply %+v", got)
	}
}

func TestALateErrorComesAsAnEvent(t *testing.T) {
	slow := slowChat{release: make(chan struct{})}
	h := newTestServer(t, limited(0), func(h *testServer) {
		slow.Chat = h.config.Visitor.Chat
		h.config.Visitor.Chat = slow
	})
	time.AfterFunc(time.Second, func() { close(slow.release) })
	a := h.browser().post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "Hola"})
	events := eventsOf(t, a.Body)
	if len(events) != 1 || events[0].name != "error" || !strings.Contains(events[0].data, `"status":429`) || !strings.Contains(events[0].data, `"limitReached":true`) {
		t.Errorf("events %+v", events)
	}
}
