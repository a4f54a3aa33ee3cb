package assistant

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bitacora/adapters/assistant/providertest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// longestReply is more than four answers of the clinic.
const longestReply = 6000

// FuzzProviders: whatever a provider's server sends, a visitor gets one of the clinic's answers, and
// agrees to nothing.
func FuzzProviders(f *testing.F) {
	names := slices.Sorted(maps.Keys(providertest.Protocols))
	for i, name := range names {
		for _, text := range []string{chosen, `{"intent":"reservar","when":"hoy"}`, "Tu cita quedó agendada.", "\\ud800"} {
			sent := httptest.NewRecorder()
			providertest.Says(text)(providertest.Protocols[name], sent, nil)
			f.Add(i, sent.Body.String())
			f.Add(i, sent.Body.String()[:sent.Body.Len()/2])
		}
	}
	f.Add(0, "data: {\"choices\":null}\n\ndata: [DONE]\n\n")
	f.Add(1, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":9,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n")
	f.Add(2, "null\n{}\n[]\n")
	var answer string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, answer)
	}))
	f.Cleanup(server.Close)
	assistants := make([]*Assistant, len(names))
	for i, name := range names {
		a, err := New(Spec{Provider: name, Model: "m", URL: server.URL, Key: "ssssecreto", Timeout: time.Minute}, clinic.Default())
		if err != nil {
			f.Fatal(err)
		}
		a.log = slog.New(slog.DiscardHandler)
		assistants[i] = a
	}
	f.Fuzz(func(t *testing.T, protocol int, body string) {
		a := assistants[uint(protocol)%uint(len(assistants))]
		answer, a.provider.breaker = body, &breaker{now: time.Now}
		u, reply := asks(t, a, chat.Question{Text: openQuestion})
		if !utf8.ValidString(reply.Text) || len(reply.Text) > longestReply || strings.Contains(reply.Text, "ssssecreto") {
			t.Errorf("%q: %+v", body, reply)
		}
		if u.Answer != chat.Unsaid || u.Name != "" || len(u.Phones)+len(u.Emails) > 0 {
			t.Errorf("%q agreed for the visitor: %+v", body, u)
		}
	})
}
