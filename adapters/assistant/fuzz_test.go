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

// FuzzProviders: whatever a provider's server sends, a visitor gets an answer: the clinic's own,
// or a bounded text of the model that claims no booking.
func FuzzProviders(f *testing.F) {
	names := slices.Sorted(maps.Keys(providertest.Protocols))
	for i, name := range names {
		for _, text := range []string{"Con gusto.", "Tu cita quedó agendada.", "Llama al 6999-9999", "\\ud800"} {
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
		reply, err := a.Reply(t.Context(), chat.Question{Text: openQuestion, At: saturday})
		if err != nil || reply.Text == "" || !utf8.ValidString(reply.Text) {
			t.Errorf("%q: %+v, %v", body, reply, err)
		}
		if reply.Provider != "embedded" && (len(reply.Text) > longestAnswer || claimsBooking(reply.Text) || strings.Contains(reply.Text, "ssssecreto")) {
			t.Errorf("passed on: %q", reply.Text)
		}
	})
}
