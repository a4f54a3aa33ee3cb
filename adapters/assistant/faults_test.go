package assistant

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant/providertest"
	"bitacora/domain/chat"
)

// served serves one behaviour of a provider until the test ends.
func served(t *testing.T, name string, behave providertest.Behaviour) *Assistant {
	t.Helper()
	return at(t, name, providertest.Serve(t, providertest.Protocols[name], behave))
}

func at(t *testing.T, name, address string) *Assistant {
	t.Helper()
	s := Spec{Provider: name, Model: "m", URL: address, Key: "k", Timeout: 1500 * time.Millisecond}
	model, err := providers[name](s)
	if err != nil {
		t.Fatal(err)
	}
	a := newTestAssistant(t)
	if a.provider, err = newProvider(model, s); err != nil {
		t.Fatal(err)
	}
	a.provider.first = 500 * time.Millisecond
	return a
}

func TestProviderFaultsEndInTheClinicsOwnAnswer(t *testing.T) {
	for name := range providertest.Protocols {
		for fault, serve := range providertest.Faults {
			t.Run(name+"/"+fault, func(t *testing.T) {
				t.Parallel()
				a := served(t, name, serve)
				began := time.Now()
				if _, reply := asks(t, a, chat.Question{Text: openQuestion}); reply.Provider != "embedded" {
					t.Errorf("reply = %+v", reply)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

func TestARefusedConnectionEndsInTheClinicsOwnAnswer(t *testing.T) {
	for name := range providertest.Protocols {
		if _, reply := asks(t, at(t, name, providertest.Refusing()), chat.Question{Text: openQuestion}); reply.Provider != "embedded" {
			t.Errorf("%s: reply = %+v", name, reply)
		}
	}
}

func TestProvidersChooseTheAnswer(t *testing.T) {
	for name := range providertest.Protocols {
		t.Run(name, func(t *testing.T) {
			a := served(t, name, providertest.Says(chosen[:20], chosen[20:]))
			u, reply := asks(t, a, chat.Question{Text: openQuestion})
			if reply.Provider != name || reply.Model != "m" || reply.Topic == "" || !slices.Equal(reply.Sources, []string{"answer/limpieza-dolor"}) {
				t.Errorf("reply = %+v", reply)
			}
			if u.TokensIn != 10 || u.TokensOut != 12 {
				t.Errorf("tokens = %d, %d", u.TokensIn, u.TokensOut)
			}
		})
	}
}

// A server sees the key and the question, and no contact details.
func TestWhatAProviderIsSent(t *testing.T) {
	for name := range providertest.Protocols {
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
		asks(t, at(t, name, server.URL), question)
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
