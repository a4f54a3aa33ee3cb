package main

import (
	"net/http"
	"testing"

	"bitacora/adapters/assistant/providertest"
	"bitacora/cmd/bitacora/programtest"
)

// TestAStopDuringAProvidersReply stops the program while a provider speaks: the visitor is
// answered all the same, at once, and finds the same reply when the program is back.
func TestAStopDuringAProvidersReply(t *testing.T) {
	speaks := make(chan struct{}, 2)
	url := providertest.Serve(t, providertest.Protocols["openai"], func(p providertest.Protocol, w http.ResponseWriter, r *http.Request) {
		p.Begin(w, providertest.Half)
		speaks <- struct{}{}
		<-r.Context().Done()
	})
	p := programtest.NewProgram(t, "BITACORA_ASSISTANT=openai", "BITACORA_ASSISTANT_MODEL=m", "BITACORA_ASSISTANT_URL="+url,
		"BITACORA_ASSISTANT_TIMEOUT=5m", "BITACORA_REPLY_TIMEOUT=10m")
	p.Start()
	messages := []map[string]string{
		{"sessionId": "plain", "messageId": "m1", "message": "¿en qué consiste la limpieza dental?"},
		{"sessionId": "streamed", "messageId": "m1", "message": "¿en qué consiste la limpieza dental?"},
	}
	on := &httpStage{Program: p}
	ask := func(message map[string]string) (string, error) {
		if message["sessionId"] == "streamed" {
			return on.stream200(message)
		}
		var answer struct{ Response string }
		err := p.Post("/api/chatbot", message, &answer)
		return answer.Response, err
	}
	type outcome struct {
		reply string
		err   error
	}
	outcomes := make([]chan outcome, len(messages))
	for i, message := range messages {
		outcomes[i] = make(chan outcome, 1)
		go func() {
			reply, err := ask(message)
			outcomes[i] <- outcome{reply, err}
		}()
		<-speaks
	}
	p.Stop()
	p.Start()
	for i, message := range messages {
		before := <-outcomes[i]
		if before.err != nil || before.reply == "" || before.reply == providertest.Half {
			t.Errorf("%s: answered %q, %v", message["sessionId"], before.reply, before.err)
		}
		if after, err := ask(message); err != nil || after != before.reply {
			t.Errorf("%s: a retry was answered %q, %v; want %q", message["sessionId"], after, err, before.reply)
		}
	}
}
