package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"bitacora/domain/event"
)

func TestManyAppendsKeepTheirOrder(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	var all []event.Append
	for i := range 300 {
		all = append(all, request(fmt.Sprintf("chat-%d", i%7), event.AnyVersion, said(fmt.Sprint("mensaje ", i))))
	}
	all = append(all, all[0])
	if err := log.AppendAll(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	events := mustRead(t, log, 0, 1000)
	if len(events) != 300 {
		t.Fatalf("%d events, one of them told twice", len(events))
	}
	for i, e := range events {
		if text := e.Payload.(*event.VisitorMessageSent).Text.Text; text != fmt.Sprint("mensaje ", i) {
			t.Fatalf("position %d says %q", e.Position, text)
		}
	}
}

func TestOneOfManyAppendsFailsAlone(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	err := log.AppendAll(t.Context(), []event.Append{
		request("chat-1", 0, opened()), request("chat-1", 7, said("hola")), request("chat-2", 0, opened()),
	})
	if !errors.Is(err, event.ErrConflict) {
		t.Errorf("got %v", err)
	}
	if events := mustRead(t, log, 0, 10); len(events) != 2 || events[1].Stream != "chat-2" {
		t.Errorf("stored %+v", events)
	}
}
