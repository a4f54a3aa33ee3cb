package chat

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/event"
)

// questionsOf has a visit's assistant keep what it is asked.
func (v *visit) questionsOf() *[]Question {
	var kept []Question
	answers := v.service.Assistant
	v.service.Assistant = assistantFunc(func(ctx context.Context, q Question) (Reply, error) {
		kept = append(kept, q)
		return answers.Reply(ctx, q)
	})
	return &kept
}

// replay gives the messages of the visit, and what would be answered to each.
func (v *visit) replay(events []event.Recorded) (messages []string) {
	v.t.Helper()
	AskedIn(v.conversation().ID, events, func(a Asked) bool {
		r, replied, err := v.service.Replay(v.t.Context(), a)
		if err != nil || replied != (r.Text != "") {
			v.t.Fatal(a.Text, r, err)
		}
		messages = append(messages, a.Masked+" → "+r.Text)
		return true
	})
	return messages
}

// A message is replayed as it came then: the assistant is asked the same, whatever was said later.
func TestAReplayAsksWhatWasAsked(t *testing.T) {
	v := newVisit(t)
	kept := v.questionsOf()
	v.says("¿hay wifi?", asks)
	v.says("quiero una cita", Understanding{Intent: IntentBook})
	v.says("sí", yes)
	v.says("¿y café?", asks)
	v.says("Ana Ruiz", ana)
	v.says("¿soy Ana Ruiz?", asks)
	then := slices.Clone(*kept)
	if len(then) != 3 {
		t.Fatalf("asked %d times", len(then))
	}
	*kept = nil
	understood := []Understanding{asks, {Intent: IntentBook}, yes, asks, ana, asks}
	v.service.Understander = understanderFunc(func(context.Context, Question) (Understanding, error) {
		u := understood[0]
		understood = understood[1:]
		return u, nil
	})
	before := len(v.log.streams[v.stream()])
	messages := v.replay(v.log.streams[v.stream()])
	for i, q := range *kept {
		q.At = then[i].At
		for j := range q.History { // what was masked since is no matter of the assistant's
			q.History[j].Masked, then[i].History[j].Masked = "", ""
			q.History[j].told, then[i].History[j].told = event.MaskedMessage{}, event.MaskedMessage{}
		}
		q.Personal, q.Understood, then[i].Understood = then[i].Personal, Understanding{}, Understanding{}
		if !reflect.DeepEqual(q, then[i]) {
			t.Errorf("asked\n%+v\nthen\n%+v", q, then[i])
		}
	}
	if len(messages) != 6 || messages[1] != "quiero una cita → " || !strings.HasPrefix(messages[3], "¿y café? → [¿y café?]") ||
		strings.Contains(messages[5], "Ana") {
		t.Errorf("%q", messages)
	}
	if len(*kept) != len(then) || len(v.log.streams[v.stream()]) != before {
		t.Errorf("asked %d times, %d events", len(*kept), len(v.log.streams[v.stream()]))
	}
}

func TestWhoIsErasedOrRestrictedIsNotReplayed(t *testing.T) {
	v := newVisit(t)
	v.says("¿hay wifi?", asks)
	events := v.log.streams[v.stream()]
	if got := v.replay(events); len(got) != 1 {
		t.Fatalf("%q", got)
	}
	for name, change := range map[string]func(*event.Recorded){
		"restricted":      func(e *event.Recorded) { e.Payload = &event.SubjectRestricted{On: true} },
		"erased":          func(e *event.Recorded) { e.Payload = &event.SubjectErased{} },
		"without its key": func(e *event.Recorded) { e.Erased = true },
	} {
		changed := append(slices.Clone(events), events[len(events)-1])
		change(&changed[len(changed)-1])
		if got := v.replay(changed); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A reply that fails leaves one question out, not all of them; a replay that nobody waits for ends.
func TestAReplayGoesOnAfterAReplyThatFails(t *testing.T) {
	v := newVisit(t)
	v.says("¿hay wifi?", asks)
	v.says("¿y café?", asks)
	answers := v.service.Assistant
	v.service.Assistant = assistantFunc(func(ctx context.Context, q Question) (Reply, error) {
		if strings.Contains(q.Text, "wifi") {
			return Reply{}, errors.New("no such template")
		}
		return answers.Reply(ctx, q)
	})
	messages := v.replay(v.log.streams[v.stream()])
	if len(messages) != 2 || messages[0] != "¿hay wifi? → " || messages[1] == "¿y café? → " {
		t.Errorf("%q", messages)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	AskedIn(v.conversation().ID, v.log.streams[v.stream()], func(a Asked) bool {
		if _, _, err := v.service.Replay(left, a); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", a.Masked, err)
		}
		return true
	})
}
