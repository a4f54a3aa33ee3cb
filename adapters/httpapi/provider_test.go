package httpapi

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/providertest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// openQuestion is one that a provider is asked about.
const openQuestion = "¿en qué consiste la limpieza dental?"

// staffed lets the assistant of a specification answer.
func (h *testServer) staffed(s assistant.Spec) {
	h.t.Helper()
	a, err := assistant.New(s, clinic.Default())
	if err != nil {
		h.t.Fatal(err)
	}
	service := h.chat
	service.Understander, service.Further, service.Assistant = a, a.Further(), a
}

// providerAt names the provider at an address.
func providerAt(provider, url string, timeout time.Duration) assistant.Spec {
	return assistant.Spec{Provider: provider, Model: "m", URL: url, Key: "k", Timeout: timeout}
}

// chatCalls are the ways to send a message, with what each gives for its reply.
var chatCalls = map[string]func(*testing.T, answer) contract.ChatResponse{
	"/api/chatbot": func(_ *testing.T, a answer) (got contract.ChatResponse) {
		a.into(http.StatusOK, &got)
		return got
	},
	"/api/chatbot/stream": streamed,
}

// lies are one of each kind that a provider must not tell a visitor.
var lies = map[string]string{
	"booking": "Listo, tu cita ha sido agendada.",
	"price":   "La limpieza cuesta $45.",
	"phone":   "Llámanos al 6999-1234.",
	"slot":    "Tenemos espacio el martes en la tarde.",
}

// What goes wrong with a provider ends in the clinic's own answer, whole, whichever way the
// visitor asked, and the log holds just that.
func TestAFailingProviderEndsInAWholeReply(t *testing.T) {
	behaviours := maps.Clone(providertest.Faults)
	behaviours["refused"] = nil
	for kind, lie := range lies {
		behaviours["lies about a "+kind] = providertest.Says(lie)
	}
	for provider, protocol := range providertest.Protocols {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			h := newTestServer(t)
			b := h.browser()
			h.staffed(assistant.Spec{Provider: "embedded"})
			var own contract.ChatResponse
			b.say("own", openQuestion).into(http.StatusOK, &own)
			for name, behave := range behaviours {
				var asked atomic.Int32
				url := providertest.Refusing()
				if behave != nil {
					url = providertest.Serve(t, protocol, func(p providertest.Protocol, w http.ResponseWriter, r *http.Request) {
						asked.Add(1)
						behave(p, w, r)
					})
				}
				h.staffed(providerAt(provider, url, 500*time.Millisecond))
				for path, replyOf := range chatCalls {
					t.Run(name+path, func(t *testing.T) {
						session, id := uuid.NewString(), "m1"
						message := contract.ChatRequest{SessionID: session, Message: openQuestion, MessageID: &id}
						before := asked.Load()
						got := replyOf(t, b.post(path, message))
						if got, want := withoutReference(got.Response), withoutReference(own.Response); got != want {
							t.Errorf("answered %q, want the clinic's own %q", got, want)
						}
						if behave != nil && asked.Load() == before {
							t.Error("the provider was not asked")
						}
						before = asked.Load()
						for again, replyOf := range chatCalls {
							if repeated := replyOf(t, b.post(again, message)); repeated.Response != got.Response {
								t.Errorf("a retry at %s was answered %q", again, repeated.Response)
							}
						}
						if asked.Load() != before {
							t.Error("a retry asked the provider again")
						}
						h.hasOneReply(t, session, got.Response)
					})
				}
			}
		})
	}
}

var reference = regexp.MustCompile(`\?ref=\w+`)

// withoutReference is a reply without what differs from one conversation to the next.
func withoutReference(reply string) string { return reference.ReplaceAllString(reply, "") }

// hasOneReply checks that a conversation is one question with one whole reply to it.
func (s *testServer) hasOneReply(t *testing.T, session, text string) {
	t.Helper()
	lines := s.conversation(session).Lines
	if len(lines) != 2 || lines[1].FromVisitor || lines[1].Text != text {
		t.Errorf("stored %+v, want the reply %q", lines, text)
	}
	if failed := s.failures(session); failed != 0 {
		t.Errorf("%d failures beside the reply", failed)
	}
}

// failures counts the replies that did not come about.
func (s *testServer) failures(session string) (n int) {
	s.t.Helper()
	events, err := s.db.Log().ReadStream(s.t.Context(), chat.Stream(chat.ConversationID("web", session)))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range events {
		if _, failed := e.Payload.(*event.AssistantFailed); failed {
			n++
		}
	}
	return n
}

// A provider that answers is heard: the faults are not hidden behind one that nobody asks. What it
// chose is said whole, in the clinic's words.
func TestWhatAProviderChoseIsPassedOnWhole(t *testing.T) {
	const chosen = `{"intent":"servicio","answers":["limpieza-dolor"],"service":"limpieza-dental","text":"No duele nada."}`
	answers := clinic.DefaultContent().Answers
	at := slices.IndexFunc(answers, func(a clinic.Answer) bool { return a.Slug == "limpieza-dolor" })
	said := clinic.Default().Fill(answers[at].Text)
	h := newTestServer(t)
	b := h.browser()
	for provider, protocol := range providertest.Protocols {
		h.staffed(providerAt(provider, providertest.Serve(t, protocol, providertest.Says(chosen[:20], chosen[20:])), time.Minute))
		for path, replyOf := range chatCalls {
			session := uuid.NewString()
			got := replyOf(t, b.post(path, contract.ChatRequest{SessionID: session, Message: openQuestion}))
			if !strings.HasPrefix(got.Response, said) || strings.Contains(got.Response, "No duele nada") {
				t.Errorf("%s by %s: %q", path, provider, got.Response)
			}
			h.hasOneReply(t, session, got.Response)
		}
	}
}

// While a provider is still speaking, nothing of what it says has reached the visitor, and nothing
// ever does.
func TestNoWordOfAProviderIsStreamed(t *testing.T) {
	waiting := make(chan struct{})
	lie := "La limpieza dental retira el sarro y las manchas. " + lies["booking"]
	h := newTestServer(t)
	protocol := providertest.Protocols["openai"]
	h.staffed(providerAt("openai", providertest.Serve(t, protocol, func(p providertest.Protocol, w http.ResponseWriter, r *http.Request) {
		p.Begin(w, lie[:60])
		select {
		case <-waiting:
		case <-r.Context().Done():
		}
		p.Begin(w, lie[60:])
		p.End(w)
	}), time.Minute))
	server := httptest.NewServer(h.handler)
	defer server.Close()
	body, err := json.Marshal(contract.ChatRequest{SessionID: "s1", Message: openQuestion})
	if err != nil {
		t.Fatal(err)
	}
	response, err := server.Client().Post(server.URL+"/api/chatbot/stream", "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	// The first line is the beat that says that the assistant still thinks.
	lines := bufio.NewScanner(response.Body)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), ":") {
		t.Errorf("the stream begins with %q", lines.Text())
	}
	close(waiting)
	var rest strings.Builder
	for lines.Scan() {
		rest.WriteString(lines.Text() + "\n")
	}
	if said := rest.String(); !strings.Contains(said, "event: done") || strings.Contains(said, "agendada") || strings.Contains(said, "retira el sarro y las") {
		t.Errorf("streamed: %s", said)
	}
	if line := h.conversation("s1").Lines[1]; strings.Contains(line.Text, "agendada") {
		t.Errorf("stored: %q", line.Text)
	}
}
