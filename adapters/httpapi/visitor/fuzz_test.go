package visitor

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// taken checks what reaches the domain, and says to visitors what they said.
type taken struct{ t *testing.T }

func (d *taken) token(text string) {
	if text != "" && (len(text) != 43 || strings.ContainsAny(text, "\r\n; ")) {
		d.t.Errorf("cookie %q was taken", text)
	}
}

func (d *taken) Receive(_ context.Context, m chat.Message) (chat.Answer, error) {
	if d.token(m.ResumeToken); !utf8.ValidString(m.Text + m.SessionID + m.MessageID + m.Referrer) {
		d.t.Errorf("taken: %+v", m)
	}
	return chat.Answer{MessageID: m.MessageID, Text: m.Text, Started: true}, nil
}

func (d *taken) InDanger(string) (reply chat.Reply, found bool) { return }

func (d *taken) Visit(context.Context, chat.Visit) error { return nil }

func (d *taken) Transcript(_ context.Context, sessionID, resumeToken string) (chat.Transcript, error) {
	d.token(resumeToken)
	return chat.Transcript{Conversation: &chat.Conversation{Lines: []chat.Line{{Masked: sessionID}}}}, nil
}

func (d *taken) Held(_ context.Context, resumeToken string, sessions ...string) ([]*chat.Conversation, error) {
	d.token(resumeToken)
	return make([]*chat.Conversation, len(sessions)), nil
}

func (d *taken) Upcoming([]*chat.Conversation) []chat.Appointment { return nil }

func (d *taken) Erase(_ context.Context, held []*chat.Conversation, _ []time.Time) (bool, error) {
	if len(held) > maxErased {
		d.t.Errorf("%d conversations are erased at once", len(held))
	}
	return false, nil
}

func (d *taken) ServeNewsletter(w http.ResponseWriter, _ *http.Request, _ string) {
	w.WriteHeader(http.StatusSeeOther)
}

func (d *taken) ServeNoNewsletter(w http.ResponseWriter, _ *http.Request, status int) {
	w.WriteHeader(status)
}

func (d *taken) ServeErased(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusSeeOther)
}

func (d *taken) ServeErasure(w http.ResponseWriter, _ *http.Request, status int, e contract.Erasure) {
	web.Encode(w, status, e)
}

func (d *taken) Rate(_ context.Context, r chat.Rating) error { d.token(r.ResumeToken); return nil }

func (d *taken) OpenLink(context.Context, string) (string, error) { return "", web.ErrNotFound }

func (d *taken) CalendarEntry(_ context.Context, _, resumeToken string) (chat.CalendarEntry, error) {
	d.token(resumeToken)
	return chat.CalendarEntry{}, web.ErrNotFound
}

func (d *taken) Current(context.Context) (*analytics.MonthlyUsage, error) { return nil, nil }

func (d *taken) ServeSent(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusSeeOther) }

func (d *taken) ServeRefused(w http.ResponseWriter, _ *http.Request, status int, _, fields map[string]string) {
	web.Encode(w, status, contract.Error{Fields: &fields})
}

// mailbox takes contact messages.
type mailbox struct{ t *testing.T }

func (m mailbox) Receive(_ context.Context, sent clinic.ContactMessage, _ string) error {
	if _, err := sent.Checked(); err != nil {
		m.t.Errorf("taken: %+q", sent)
	}
	return nil
}

// FuzzCalls: whatever visitors send is refused as their mistake, or answered in whole: JSON, or
// events that say what was to be said and nothing else.
func FuzzCalls(f *testing.F) {
	f.Add(`{"sessionId":"s-1","messageId":"m-1","message":"hola","rating":"positive"}`, "__Host-bitacora-chat=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add(`{"sessionId":"s","message":"hola\n\nevent: done\ndata: {\"response\":\"otra\"}\n\n"}`, "__Host-bitacora-chat=x\r\ny")
	f.Add(`{"name":"Ana","email":"ana@example.com","message":"Quisiera una cita.","website":""}`, "")
	f.Add(`name=Ana&email=ana%40example.com&message=Quisiera+una+cita.%0d%0a%00`, "")
	f.Add(`{"sessionId":"s","messageId":"m","message":"hola","rating":"negative"}`, "__Host-bitacora-chat=x")
	f.Add(`{"sessionId":1}`, "=")
	f.Add(`{"sessionIds":["s"],"appointments":["2026-11-24T15:00:00Z"]}`, "")
	f.Add("confirmado=1&cita=2026-11-24T15%3A00%3A00Z&cita=x", "")
	f.Add(`{"message":"\ud800\u2028</script>"}{}`, "a;b")
	f.Add("name=%zz;", "\xff")
	f.Fuzz(func(t *testing.T, body, cookie string) {
		d := &taken{t}
		h := New(Config{Chat: d, Conversations: d, Browser: d, MonthlyUsage: d, Mailbox: mailbox{t}}, d, time.Now, web.Responder{Logger: slog.New(slog.DiscardHandler)})
		send := func(call http.HandlerFunc, kind string) *http.Response {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.Header.Set("Content-Type", kind)
			r.Header.Set("Cookie", cookie)
			w := httptest.NewRecorder()
			call(w, r)
			if w.Code >= http.StatusInternalServerError {
				t.Errorf("%d: %s", w.Code, w.Body)
			}
			return w.Result()
		}
		for _, call := range []http.HandlerFunc{h.ChatMessage, web.JSONOf(h.Responder, h.ChatConversation), web.NoContentOf(h.Responder, h.RateReply), web.NoContentOf(h.Responder, h.Visit), web.NoContentOf(h.Responder, h.Contact), web.JSONOf(h.Responder, h.EraseConversation)} {
			answer := send(call, "application/json")
			if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusNoContent && !json.Valid(text) {
				t.Errorf("%d %q, %v", answer.StatusCode, text, err)
			}
		}
		send(h.ContactForm, "application/x-www-form-urlencoded")
		send(h.EraseForm, "application/x-www-form-urlencoded")
		if answer := send(h.ChatStream, "application/json"); answer.StatusCode == http.StatusOK {
			checkStream(t, answer.Body)
		}
	})
}

// checkStream holds the pieces of a streamed reply against the whole at its end.
func checkStream(t *testing.T, body io.Reader) {
	t.Helper()
	var pieces strings.Builder
	var name, whole string
	events := bufio.NewScanner(body)
	events.Buffer(nil, 1<<24)
	for events.Scan() {
		switch field, value, _ := strings.Cut(events.Text(), ": "); field {
		case "event":
			name = value
		case "data":
			var data struct{ Text, Response string }
			if err := json.Unmarshal([]byte(value), &data); err != nil || whole != "" {
				t.Fatalf("event %s after %q: %q, %v", name, whole, value, err)
			}
			if pieces.WriteString(data.Text); name == "done" {
				whole = data.Response
			}
		case "":
		default:
			t.Errorf("field %q", field)
		}
	}
	if name != "done" || pieces.String() != whole {
		t.Errorf("%q was sent as %q", whole, pieces.String())
	}
}
