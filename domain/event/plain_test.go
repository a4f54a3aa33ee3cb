package event

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// TestPlainDecodingIsJSON holds the short way of reading against encoding/json: where it
// reads anything, it has to read the same.
func TestPlainDecodingIsJSON(t *testing.T) {
	at := time.Date(2026, 11, 3, 14, 0, 0, 123e6, time.UTC)
	about := Conversation{"c-1", at}
	var written []string
	for _, p := range []Payload{
		&VisitorMessageSent{Conversation: about, Progress: Progress{3, 20_000}, MessageID: "m-1", Intent: "precio"},
		&VisitorMessageSent{Conversation: Conversation{"sesión <1>", at}, MessageID: "\"\\\n"},
		&AssistantReplied{
			Conversation: about, Progress: Progress{4, 30_000}, ReplyTo: "m-1", Provider: "local", Model: "v1",
			LatencyMillis: 41, TokensIn: 12, TokensOut: 7, Topic: "precios", Answered: true,
		},
		&AssistantReplied{Conversation: about, Sources: []string{"precios", "horario"}},
		&VisitStarted{Visit: Visit{"v-1", at}},
		&WidgetOpened{Visit: Visit{"v-1", at}, By: OpenedByVisitor},
	} {
		data, _, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, string(data))
	}
	plainly := 0
	for _, data := range append(written,
		`{}`, `{`, `}`, ``, `[]`, `{"ordinal":1`, `{"ordinal":1,}`, `{,"ordinal":1}`, `{"ordinal":1}x`, `{"ordinal":1,"ordinal":2}`, ` {"ordinal":1}`,
		`{"ordinal":01}`, `{"ordinal":+1}`, `{"ordinal":-1}`, `{"ordinal":1e3}`, `{"ordinal":1.5}`, `{"ordinal":99999999999999999999}`, `{"ordinal":}`,
		`{"ordinal":"1"}`, `{"ordinal":null}`, `{"ordinal": 1}`, `{"Ordinal":1}`, `{"messageId":1}`, `{"messageId":"a`, `{"messageId":"a\u0062"}`,
		`{"answered":truee}`, `{"answered":false}`, `{"conversationStartedAt":"yesterday"}`, `{"conversationStartedAt":"2026-11-03T14:00:00-05:00"}`,
		`{"unknown":{"a":1}}`, "{\"messageId\":\"a\x01\"}", `{"-":1}`, `{"ordinal":-}`, `{"ordinal":1:2}`,
	) {
		for _, kind := range []string{"VisitorMessageSent", "AssistantReplied", "VisitStarted", "WidgetOpened"} {
			got, want := kinds[kind].New(), kinds[kind].New()
			if !decodePlain(data, got.(plain)) {
				continue
			}
			plainly++
			if err := json.Unmarshal([]byte(data), want); err != nil {
				t.Errorf("%s %s: read plainly, though it is no JSON: %v", kind, data, err)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s: got %+v, want %+v", kind, data, got, want)
			}
		}
	}
	if plainly < 5 {
		t.Errorf("only %d were read plainly", plainly)
	}
}

func BenchmarkDecode(b *testing.B) {
	data := fmt.Appendf(nil, `{"conversationId":"4jq2v0m8k3x7d1aa","conversationStartedAt":"2026-11-03T14:00:00.123Z","ordinal":4,"activeMillis":30000,"replyTo":"m-1","provider":"embedded","model":"v1","latencyMillis":41,"tokensIn":120,"tokensOut":40,"topic":"precios","answered":true}`)
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if _, err := Decode("AssistantReplied", 1, string(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			if err := json.Unmarshal(data, new(AssistantReplied)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
