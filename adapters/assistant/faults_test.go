package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// protocol writes what a provider's server writes.
type protocol struct {
	contentType string
	// said is a piece of the answer, done what ends it, fault an error inside the stream.
	begin, done, fault, malformed string
	said                          func(text string) string
}

func quoted(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

var protocols = map[string]protocol{
	"openai": {
		contentType: "text/event-stream",
		said: func(text string) string {
			return `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":` + quoted(text) + `}}]}` + "\n\n"
		},
		done:      `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n",
		fault:     `data: {"error":{"message":"server overloaded","type":"server_error"}}` + "\n\n",
		malformed: "data: {\"choices\": [{\"delta\"\n\n",
	},
	"anthropic": {
		contentType: "text/event-stream",
		begin: "event: message_start\n" + `data: {"type":"message_start","message":{"id":"1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}}` +
			"\n\nevent: content_block_start\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n",
		said: func(text string) string {
			return "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quoted(text) + `}}` + "\n\n"
		},
		done: "event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` +
			"\n\nevent: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":12}}` +
			"\n\nevent: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n",
		fault:     "event: error\n" + `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}` + "\n\n",
		malformed: "event: content_block_delta\ndata: {\"type\":\n\n",
	},
	"ollama": {
		contentType: "application/x-ndjson",
		said: func(text string) string {
			return `{"model":"m","created_at":"2026-11-21T15:00:00Z","message":{"role":"assistant","content":` + quoted(text) + `},"done":false}` + "\n"
		},
		done:      `{"model":"m","created_at":"2026-11-21T15:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":12}` + "\n",
		fault:     `{"error":"model runner has stopped"}` + "\n",
		malformed: `{"model":"m","message":` + "\n",
	},
}

const wholeAnswer = "La limpieza dental retira el sarro y las manchas."

// provider serves one behaviour of a provider until the test ends.
func provider(t *testing.T, name string, serve func(p protocol, w http.ResponseWriter, r *http.Request)) *Assistant {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", protocols[name].contentType)
		serve(protocols[name], w, r)
	}))
	t.Cleanup(server.Close)
	return at(t, name, server.URL)
}

func at(t *testing.T, name, address string) *Assistant {
	t.Helper()
	a, err := New(Spec{Provider: name, Model: "m", URL: address, Key: "k", Timeout: 1500 * time.Millisecond}, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	a.log = slog.New(slog.DiscardHandler)
	a.outside.first = 500 * time.Millisecond
	return a
}

// half is the beginning of an answer that must never be taken for the whole.
const half = "La limpieza dental retira el sa"

func write(w http.ResponseWriter, text string) {
	io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func status(code int) func(protocol, http.ResponseWriter, *http.Request) {
	return func(_ protocol, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"type":"error","message":"status %d"}}`, code)
	}
}

// hold keeps a request open until its client goes away.
func hold(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(5 * time.Second):
	}
}

var providerFaults = map[string]func(protocol, http.ResponseWriter, *http.Request){
	"cut stream": func(p protocol, w http.ResponseWriter, _ *http.Request) {
		write(w, p.begin+p.said(half))
		panic(http.ErrAbortHandler)
	},
	"stream that ends early": func(p protocol, w http.ResponseWriter, _ *http.Request) {
		write(w, p.begin+p.said(half))
	},
	"stalls": func(p protocol, w http.ResponseWriter, r *http.Request) {
		write(w, p.begin+p.said(half))
		hold(r)
	},
	"malformed chunk": func(p protocol, w http.ResponseWriter, _ *http.Request) {
		write(w, p.begin+p.said(half)+p.malformed)
	},
	"error event": func(p protocol, w http.ResponseWriter, _ *http.Request) {
		write(w, p.begin+p.said(half)+p.fault)
	},
	"empty content": func(p protocol, w http.ResponseWriter, _ *http.Request) {
		write(w, p.begin+p.done)
	},
	"empty body":      func(protocol, http.ResponseWriter, *http.Request) {},
	"not a stream":    func(_ protocol, w http.ResponseWriter, _ *http.Request) { write(w, "<html>Bad gateway</html>") },
	"slow first byte": func(_ protocol, _ http.ResponseWriter, r *http.Request) { hold(r) },
	"never ends": func(p protocol, w http.ResponseWriter, r *http.Request) {
		write(w, p.begin)
		for r.Context().Err() == nil {
			write(w, p.said(strings.Repeat("bla ", 100)))
		}
	},
	"401": status(http.StatusUnauthorized),
	"429": status(http.StatusTooManyRequests),
	"500": status(http.StatusInternalServerError),
	"503": status(http.StatusServiceUnavailable),
}

func TestProviderFaultsEndInTheClinicsOwnAnswer(t *testing.T) {
	for name := range protocols {
		for fault, serve := range providerFaults {
			t.Run(name+"/"+fault, func(t *testing.T) {
				t.Parallel()
				a := provider(t, name, serve)
				began := time.Now()
				reply, err := a.Reply(context.Background(), chat.Question{Text: openQuestion, At: saturday})
				if err != nil || reply.Provider != "embedded" || reply.Text == "" || strings.HasSuffix(reply.Text, half) {
					t.Errorf("reply = %+v, %v", reply, err)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

func TestARefusedConnectionEndsInTheClinicsOwnAnswer(t *testing.T) {
	for name := range protocols {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		reply, err := at(t, name, server.URL).Reply(context.Background(), chat.Question{Text: openQuestion, At: saturday})
		if err != nil || reply.Provider != "embedded" || reply.Text == "" {
			t.Errorf("%s: reply = %+v, %v", name, reply, err)
		}
	}
}

func TestProvidersAnswer(t *testing.T) {
	for name := range protocols {
		t.Run(name, func(t *testing.T) {
			a := provider(t, name, func(p protocol, w http.ResponseWriter, _ *http.Request) {
				write(w, p.begin+p.said(wholeAnswer[:20])+p.said(wholeAnswer[20:])+p.done)
			})
			reply, err := a.Reply(context.Background(), chat.Question{Text: openQuestion, At: saturday})
			if err != nil || reply.Text != wholeAnswer || reply.Provider != name || reply.Model != "m" || reply.Topic == "" {
				t.Errorf("reply = %+v, %v", reply, err)
			}
		})
	}
}

// A server sees the key and the question, and no contact details.
func TestWhatAProviderIsSent(t *testing.T) {
	for name := range protocols {
		var body, key string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			body, key = string(raw), r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")
			w.WriteHeader(http.StatusInternalServerError)
		}))
		defer server.Close()
		question := chat.Question{
			Text: "soy ana@example.com, 6123-4567, ¿en qué consiste la limpieza?", At: saturday,
			History: []chat.Line{{FromVisitor: true, Text: "8-765-4321", Masked: "[documento]"}},
		}
		if _, err := at(t, name, server.URL).Reply(context.Background(), question); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"ana@example.com", "6123", "8-765-4321"} {
			if strings.Contains(body, secret) {
				t.Errorf("%s was told %s", name, secret)
			}
		}
		if !strings.Contains(body, "limpieza") || name != "ollama" && !strings.HasSuffix(key, "k") {
			t.Errorf("%s: body %.100q, key %q", name, body, key)
		}
	}
}
