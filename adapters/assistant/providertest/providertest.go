// Package providertest speaks the providers' protocols, whole and broken, for tests that ask a
// local server in a provider's place.
package providertest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Protocol writes what a provider's server writes.
type Protocol struct {
	contentType string
	// said is a piece of the answer, done what ends it, fault an error inside the stream.
	begin, done, fault, malformed string
	said                          func(text string) string
}

// ContentType is that of its responses.
func (p Protocol) ContentType() string { return p.contentType }

func quoted(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

// Protocols are those of the providers, by the name that the configuration has for them.
var Protocols = map[string]Protocol{
	"openai": {
		contentType: "text/event-stream",
		said: func(text string) string {
			return `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":` + quoted(text) + `}}]}` + "\n\n"
		},
		done: `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
			`data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":12,"total_tokens":22}}` + "\n\ndata: [DONE]\n\n",
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

// Behaviour answers a request as a server of the protocol would, or would not.
type Behaviour func(p Protocol, w http.ResponseWriter, r *http.Request)

// Serve gives the address of a server that behaves so until the test ends.
func Serve(t testing.TB, p Protocol, behave Behaviour) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", p.contentType)
		behave(p, w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Refusing gives an address at which nobody listens.
func Refusing() (url string) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}

// Says answers whole, in pieces.
func Says(pieces ...string) Behaviour {
	return func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w, pieces...)
		p.End(w)
	}
}

// Begin writes the pieces of an answer that is not ended yet.
func (p Protocol) Begin(w http.ResponseWriter, pieces ...string) {
	write(w, p.begin)
	for _, piece := range pieces {
		write(w, p.said(piece))
	}
}

// End says that the answer is whole.
func (p Protocol) End(w http.ResponseWriter) { write(w, p.done) }

// Half is the beginning of an answer that must never be taken for the whole.
const Half = "La limpieza dental retira el sa"

func write(w http.ResponseWriter, text string) {
	io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func status(code int) Behaviour {
	return func(_ Protocol, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"type":"error","message":"status %d"}}`, code)
	}
}

// hang keeps a request open until its client goes away.
func hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(5 * time.Second):
	}
}

// Faults are the ways in which a server that is reached fails.
var Faults = map[string]Behaviour{
	"cut stream": func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w, Half)
		panic(http.ErrAbortHandler)
	},
	"stream that ends early": func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w, Half)
	},
	"stalls": func(p Protocol, w http.ResponseWriter, r *http.Request) {
		p.Begin(w, Half)
		hang(r)
	},
	"malformed chunk": func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w, Half)
		write(w, p.malformed)
	},
	"error event": func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w, Half)
		write(w, p.fault)
	},
	"empty content": func(p Protocol, w http.ResponseWriter, _ *http.Request) {
		p.Begin(w)
		p.End(w)
	},
	"empty body":      func(Protocol, http.ResponseWriter, *http.Request) {},
	"not a stream":    func(_ Protocol, w http.ResponseWriter, _ *http.Request) { write(w, "<html>Bad gateway</html>") },
	"slow first byte": func(_ Protocol, _ http.ResponseWriter, r *http.Request) { hang(r) },
	"never ends": func(p Protocol, w http.ResponseWriter, r *http.Request) {
		p.Begin(w)
		for r.Context().Err() == nil {
			write(w, p.said(strings.Repeat("bla ", 100)))
		}
	},
	"401": status(http.StatusUnauthorized),
	"429": status(http.StatusTooManyRequests),
	"500": status(http.StatusInternalServerError),
	"503": status(http.StatusServiceUnavailable),
}
