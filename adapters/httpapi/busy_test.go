package httpapi

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// queued gives a server's chat service the queue that the program has.
func queued(h *testServer) {
	service := h.chat
	service.Queue = new(chat.Queue)
	service.Wait = func(_ context.Context, longest time.Duration) { time.Sleep(rand.N(longest)) }
}

func TestThirtyMessagesOfOneSessionAtOnce(t *testing.T) {
	url, key := postgrestest.Database(t), keyfiles.NewMasterKey()
	alone := newTestServer(t, queued)
	ours, theirs := newTestServerOn(t, url, key, queued), newTestServerOn(t, url, key, queued)
	for name, processes := range map[string][]*testServer{"one process": {alone}, "two processes": {ours, theirs}} {
		for _, path := range []string{"/api/chatbot", "/api/chatbot/stream"} {
			t.Run(name+path, func(t *testing.T) {
				session := strings.ReplaceAll(name+path, "/", "-")
				first := processes[0].browser()
				first.say(session, "hola").into(http.StatusOK, &contract.ChatResponse{})
				answered := atOnce(t, processes, first.cookies, session, path)
				mustBeStored(t, processes[0], session, answered)
				t.Logf("%d answered", len(answered))
				if len(answered) < 30*len(processes)/2 {
					t.Errorf("%d were answered", len(answered))
				}
			})
		}
	}
}

// atOnce sends thirty messages of a session to each process, and gives those that were answered.
func atOnce(t *testing.T, processes []*testServer, cookies map[string]string, session, path string) (answered map[string]bool) {
	t.Helper()
	var mu sync.Mutex
	answered = map[string]bool{}
	var sending sync.WaitGroup
	for p, h := range processes {
		for i := range 30 {
			b := h.browser()
			maps.Copy(b.cookies, cookies)
			sending.Go(func() {
				text := fmt.Sprintf("mensaje %d-%d", p, i)
				id := text
				a := b.post(path, contract.ChatRequest{SessionID: session, Message: text, MessageID: &id})
				switch busy := a.Code == http.StatusServiceUnavailable || strings.Contains(a.Body.String(), `"status":503`); {
				case busy && a.Header().Get("Retry-After") == "" && !strings.Contains(a.Body.String(), `"retryAfter":`):
					t.Errorf("%s: does not say when to come again: %s", text, a.Body)
				case busy:
				case a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "Usted dijo: "+text):
					t.Errorf("%s: %d %s", text, a.Code, a.Body)
				default:
					mu.Lock()
					answered[text] = true
					mu.Unlock()
				}
			})
		}
	}
	sending.Wait()
	return answered
}

// mustBeStored holds a conversation against what was answered: in order, and nothing twice.
func mustBeStored(t *testing.T, h *testServer, session string, answered map[string]bool) {
	t.Helper()
	messages, replies := map[string]int{}, map[string]int{}
	lines := h.conversation(session).Lines
	for _, l := range lines {
		if l.FromVisitor {
			messages[l.MessageID]++
		} else {
			replies[l.MessageID]++
			if messages[l.MessageID] == 0 {
				t.Errorf("%s is answered before it is said", l.MessageID)
			}
		}
	}
	for id, n := range messages {
		if n != 1 || replies[id] > 1 {
			t.Errorf("%s is stored %d times, with %d replies", id, n, replies[id])
		}
	}
	for id := range answered {
		if messages[id] != 1 || replies[id] != 1 {
			t.Errorf("%s was answered and is stored %d times, with %d replies", id, messages[id], replies[id])
		}
	}
	for i, ordinal := range h.ordinals(session) {
		if ordinal != i+1 {
			t.Errorf("message %d has the ordinal %d", i+1, ordinal)
		}
	}
}

// A chat service that is busy says so, and when to come again, in both ways of asking.
func TestABusyConversationIsNoFaultOfTheProgram(t *testing.T) {
	h := newTestServer(t, func(h *testServer) { h.config.Visitor.Chat = busyChat{h.config.Visitor.Chat} })
	for _, path := range []string{"/api/chatbot", "/api/chatbot/stream"} {
		a := h.browser().post(path, contract.ChatRequest{SessionID: "s1", Message: "Hola"})
		a.refused(http.StatusServiceUnavailable)
		if a.Header().Get("Retry-After") != "2" {
			t.Errorf("%s: Retry-After is %q", path, a.Header().Get("Retry-After"))
		}
	}
	slow := newTestServer(t, func(h *testServer) {
		waiting := slowChat{busyChat{h.config.Visitor.Chat}, make(chan struct{})}
		time.AfterFunc(time.Second, func() { close(waiting.release) })
		h.config.Visitor.Chat = waiting
	})
	late := eventsOf(t, slow.browser().post("/api/chatbot/stream", contract.ChatRequest{SessionID: "s1", Message: "Hola"}).Body)
	if len(late) != 1 || late[0].name != "error" || !strings.Contains(late[0].data, `"status":503`) || !strings.Contains(late[0].data, `"retryAfter":2`) {
		t.Errorf("late in a stream: %+v", late)
	}
}

type busyChat struct{ visitor.Chat }

func (busyChat) Receive(context.Context, chat.Message) (chat.Answer, error) {
	return chat.Answer{}, fmt.Errorf("store decision: %w", chat.ErrBusy)
}

// ordinals are those of a conversation's messages, in the order of the log.
func (s *testServer) ordinals(session string) (all []int) {
	s.t.Helper()
	events, err := s.db.Log().ReadStream(s.t.Context(), chat.Stream(chat.ConversationID("web", session)))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			all = append(all, p.Ordinal)
		case *event.AssistantReplied:
			all = append(all, p.Ordinal)
		}
	}
	return all
}
