package chat

import (
	"context"
	"errors"
	"testing"

	"bitacora/domain/event"
)

func TestLatestRatingCounts(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	if _, err := service.Receive(ctx, Message{SessionID: "s", MessageID: "m1", Text: "Hola", ResumeToken: "secreto"}); err != nil {
		t.Fatal(err)
	}
	stream := Stream(ConversationID("web", "s"))
	for _, step := range []struct {
		value, reason string
		events        int
	}{
		{event.RatedNone, "", 4}, {event.RatedPositive, "", 5}, {event.RatedPositive, "", 5}, {event.RatedNegative, "", 6},
		{event.RatedNegative, event.ReasonIncorrect, 7}, {event.RatedNegative, event.ReasonIncorrect, 7}, {event.RatedNegative, event.ReasonUnrelated, 8},
		{event.RatedNone, "", 9}, {event.RatedNone, "", 9},
	} {
		if err := service.Rate(ctx, Rating{SessionID: "s", ResumeToken: "secreto", MessageID: "m1", Value: step.value, Reason: step.reason}); err != nil {
			t.Fatal(err)
		}
		if n := len(log.streams[stream]); n != step.events {
			t.Errorf("after %s: %s", step.value, log.types(stream))
		}
	}
	rated := log.streams[stream][7].Payload.(*event.ReplyRated)
	if rated.Ordinal != 2 || rated.ReplyTo != "m1" || rated.Rating != event.RatedNegative || rated.Reason != event.ReasonUnrelated {
		t.Errorf("recorded %+v", rated)
	}
	read := func() Line { return Fold(ConversationID("web", "s"), log.streams[stream]).Lines[1] }
	if l := read(); l.Rating != event.RatedNone || l.RatingReason != "" {
		t.Errorf("taken back with its reason: %+v", l)
	}
	log.streams[stream] = log.streams[stream][:8]
	if l := read(); l.RatingReason != event.ReasonUnrelated {
		t.Errorf("the latest reason: %+v", l)
	}
}

func TestRatingIsForWhoeverBeganTheConversation(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	if _, err := service.Receive(ctx, Message{SessionID: "s", MessageID: "m1", Text: "Hola", ResumeToken: "secreto"}); err != nil {
		t.Fatal(err)
	}
	good := Rating{SessionID: "s", ResumeToken: "secreto", MessageID: "m1", Value: event.RatedPositive}
	for name, alter := range map[string]func(*Rating){
		"another cookie":       func(r *Rating) { r.ResumeToken = "otro" },
		"no cookie":            func(r *Rating) { r.ResumeToken = "" },
		"another conversation": func(r *Rating) { r.SessionID = "t" },
	} {
		r := good
		alter(&r)
		if err := service.Rate(ctx, r); !errors.Is(err, ErrNotYours) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, alter := range map[string]func(*Rating){
		"no such reply": func(r *Rating) { r.MessageID = "m2" },
		"no message":    func(r *Rating) { r.MessageID = "" },
		"no rating":     func(r *Rating) { r.Value = "5" },
		"no reason":     func(r *Rating) { r.Value, r.Reason = event.RatedNegative, "5" },
		"a good reason": func(r *Rating) { r.Reason = event.ReasonIncomplete },
	} {
		r := good
		alter(&r)
		var invalid Invalid
		if err := service.Rate(ctx, r); !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := log.types(Stream(ConversationID("web", "s"))); got != "ConversationStarted ConversationBound VisitorMessageSent AssistantReplied" {
		t.Error(got)
	}
}
