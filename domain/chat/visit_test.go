package chat

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"bitacora/domain/event"
)

func TestVisitIsCountedOnce(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	stream := Stream(ConversationID("web", "s"))
	for _, step := range []struct{ openedBy, want string }{
		{"", "VisitStarted"},
		{"", "VisitStarted"},
		{"auto", "VisitStarted WidgetOpened"},
		{"auto", "VisitStarted WidgetOpened"},
		{"visitor", "VisitStarted WidgetOpened WidgetOpened"},
	} {
		if err := service.Visit(ctx, Visit{SessionID: "s", OpenedBy: step.openedBy}); err != nil {
			t.Fatal(err)
		}
		if got := log.types(stream); got != step.want {
			t.Errorf("after %q: %s, want %s", step.openedBy, got, step.want)
		}
	}
	if len(log.months) != 0 {
		t.Errorf("a visit counts against the month: %v", log.months)
	}
	if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "Hola"}); err != nil {
		t.Fatal(err)
	}
	began := log.streams[stream][0].Payload.(*event.VisitStarted).VisitStartedAt
	started := log.streams[stream][3].Payload.(*event.ConversationStarted)
	if started.VisitStartedAt != began || !started.ConversationStartedAt.After(began) {
		t.Errorf("the conversation %+v does not know its visit of %v", started, began)
	}
}

func TestConversationImpliesItsVisit(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "Hola"}); err != nil {
		t.Fatal(err)
	}
	stream := Stream(ConversationID("web", "s"))
	before := log.types(stream)
	if err := service.Visit(ctx, Visit{SessionID: "s", OpenedBy: "visitor"}); err != nil {
		t.Fatal(err)
	}
	if got := log.types(stream); got != before {
		t.Errorf("after the visit: %s, before: %s", got, before)
	}
}

func TestOpeningAloneTellsOfTheVisit(t *testing.T) {
	service, log := newService(echo)
	if err := service.Visit(context.Background(), Visit{SessionID: "s", OpenedBy: "visitor"}); err != nil {
		t.Fatal(err)
	}
	if got := log.types(Stream(ConversationID("web", "s"))); got != "VisitStarted WidgetOpened" {
		t.Error(got)
	}
}

func TestVisitBesideTheFirstMessage(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	stream := Stream(ConversationID("web", "s"))
	log.beforeAppend = func() {
		if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "Hola"}); err != nil {
			t.Error(err)
		}
	}
	if err := service.Visit(ctx, Visit{SessionID: "s"}); err != nil {
		t.Fatal(err)
	}
	if got := log.types(stream); strings.Contains(got, "VisitStarted") {
		t.Errorf("a visit after its conversation: %s", got)
	}
}

func TestManyAtOnceCountOneVisit(t *testing.T) {
	service, log := newService(echo)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := service.Visit(context.Background(), Visit{SessionID: "s", OpenedBy: "auto"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := log.types(Stream(ConversationID("web", "s"))); got != "VisitStarted WidgetOpened" {
		t.Error(got)
	}
}

func TestRefusesWhatCannotBeAVisit(t *testing.T) {
	service, log := newService(echo)
	for _, v := range []Visit{{}, {SessionID: " "}, {SessionID: strings.Repeat("a", MaxID+1)}, {SessionID: "s", OpenedBy: "bot"}} {
		var invalid Invalid
		if err := service.Visit(context.Background(), v); !errors.As(err, &invalid) {
			t.Errorf("%+v: %v", v, err)
		}
	}
	if len(log.streams) != 0 {
		t.Errorf("stored %v", log.streams)
	}
}
