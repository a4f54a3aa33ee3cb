package event

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// flatKinds are the types that are read by [ReadFlat] where they can be.
var flatKinds = []string{"VisitorMessageSent", "AssistantReplied", "VisitStarted", "WidgetOpened"}

// sameAsJSON compares both ways of reading an object as a payload: where the flat one reads
// anything, encoding/json has to read the same. It says whether the flat one did.
func sameAsJSON(t interface{ Errorf(string, ...any) }, kind, object string) bool {
	got, want := kinds[kind].New(), kinds[kind].New()
	if !ReadFlat(object, got.(flat).take) {
		return false
	}
	if err := json.Unmarshal([]byte(object), want); err != nil {
		t.Errorf("%s %s: read as flat, though it is no JSON: %v", kind, object, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s %s: got %+v, want %+v", kind, object, got, want)
	}
	return true
}

func TestReadFlatIsJSON(t *testing.T) {
	for _, object := range []string{
		`{}`, `{`, `}`, ``, `[]`, `{"ordinal":1`, `{"ordinal":1,}`, `{,"ordinal":1}`, `{"ordinal":1}x`, `{"ordinal":1,"ordinal":2}`, ` {"ordinal":1}`,
		`{"ordinal":01}`, `{"ordinal":+1}`, `{"ordinal":-1}`, `{"ordinal":1e3}`, `{"ordinal":1.5}`, `{"ordinal":99999999999999999999}`, `{"ordinal":}`,
		`{"ordinal":"1"}`, `{"ordinal":null}`, `{"ordinal": 1}`, `{"Ordinal":1}`, `{"messageId":1}`, `{"messageId":"a`, `{"messageId":"a\u0062"}`,
		`{"answered":truee}`, `{"answered":false}`, `{"conversationStartedAt":"yesterday"}`, `{"conversationStartedAt":"2026-11-03T14:00:00-05:00"}`,
		`{"unknown":{"a":1}}`, "{\"messageId\":\"a\x01\"}", `{"-":1}`, `{"ordinal":-}`, `{"ordinal":1:2}`,
		`{"confidence":0.5}`, `{"confidence":1}`, `{"confidence":0}`, `{"confidence":.5}`, `{"confidence":0.}`, `{"confidence":00.5}`, `{"confidence":5e-1}`, `{"confidence":"0.5"}`,
	} {
		for _, kind := range flatKinds {
			sameAsJSON(t, kind, object)
		}
	}
}

// TestReadFlatIsJSONForWhatIsWritten generates payloads, and objects that are nearly theirs.
func TestReadFlatIsJSONForWhatIsWritten(t *testing.T) {
	plainText := rapid.StringMatching(`[ -~]{0,12}`)
	text := rapid.OneOf(plainText, rapid.StringMatching(`[a-z0-9-]{1,12}`), rapid.String())
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "ms")).UTC()
	})
	likelihood := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 1000).Draw(t, "thousandths")) / 1000 })
	flatOnes := 0
	rapid.Check(t, func(t *rapid.T) {
		c := Conversation{text.Draw(t, "conversation"), instant.Draw(t, "started")}
		progress := Progress{rapid.Int().Draw(t, "ordinal"), rapid.Int64().Draw(t, "active")}
		visit := Visit{text.Draw(t, "visit"), instant.Draw(t, "visited")}
		payload := rapid.SampledFrom([]Payload{
			&VisitorMessageSent{Conversation: c, Progress: progress, MessageID: text.Draw(t, "message"), Intent: text.Draw(t, "intent")},
			&AssistantReplied{
				Conversation: c, Progress: progress, ReplyTo: text.Draw(t, "reply to"), Provider: "local", Model: text.Draw(t, "model"),
				LatencyMillis: rapid.Int64().Draw(t, "latency"), TokensIn: rapid.Int().Draw(t, "in"), TokensOut: rapid.Int().Draw(t, "out"),
				Understood: Understood{text.Draw(t, "understood"), likelihood.Draw(t, "confidence"), text.Draw(t, "runner-up"), likelihood.Draw(t, "its confidence")},
				Chosen:     Chosen{text.Draw(t, "answer"), likelihood.Draw(t, "likelihood"), text.Draw(t, "next answer"), likelihood.Draw(t, "its likelihood")},
				Topic:      text.Draw(t, "topic"), Answered: rapid.Bool().Draw(t, "answered"), Sources: rapid.SliceOfN(plainText, 0, 2).Draw(t, "sources"),
			},
			&VisitStarted{Visit: visit},
			&WidgetOpened{Visit: visit, By: text.Draw(t, "by")},
		}).Draw(t, "payload")
		data, _, err := Encode(payload)
		if err != nil {
			t.Fatal(err)
		}
		object := string(data)
		if sameAsJSON(t, payload.EventType(), object) {
			flatOnes++
		}
		at := rapid.IntRange(0, len(object)).Draw(t, "at")
		to := rapid.IntRange(at, min(len(object), at+3)).Draw(t, "to")
		damage := rapid.SampledFrom([]string{"", `"`, ",", ":", "{", "}", `\`, " ", "0", "-", ".", "e", "x"}).Draw(t, "damage")
		for _, kind := range flatKinds {
			sameAsJSON(t, kind, object[:at]+damage+object[to:])
		}
	})
	if flatOnes == 0 {
		t.Error("nothing was read as flat")
	}
}

// BenchmarkReadFlat decodes an event, beside the same with encoding/json.
func BenchmarkReadFlat(b *testing.B) {
	object := `{"conversationId":"4jq2v0m8k3x7d1aa","conversationStartedAt":"2026-11-03T14:00:00.123Z","ordinal":4,"activeMillis":30000,"replyTo":"m-1","provider":"embedded","model":"v1","latencyMillis":41,"tokensIn":120,"tokensOut":40,"topic":"precios","answered":true,"intent":"precio","confidence":0.913,"runnerUp":"pago","runnerUpConfidence":0.041}`
	flatly, plainly := time.Hour, time.Hour // the least, which other programs disturb least
	for b.Loop() {
		began := time.Now()
		for range 1000 {
			if _, err := Decode("AssistantReplied", 2, strings.Clone(object)); err != nil {
				b.Fatal(err)
			}
		}
		between := time.Now()
		for range 1000 {
			if err := json.Unmarshal([]byte(object), new(AssistantReplied)); err != nil {
				b.Fatal(err)
			}
		}
		flatly, plainly = min(flatly, between.Sub(began)), min(plainly, time.Since(between))
	}
	b.ReportMetric(plainly.Seconds()/flatly.Seconds(), "times-json")
}
