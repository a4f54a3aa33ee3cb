package main

import (
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// TestALogFromBeforeIsMaskedAsToday: what an older program recorded without looking back leaves the
// tables, and they are still those of the log.
func TestALogFromBeforeIsMaskedAsToday(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	a := p.App()
	at := time.Date(2026, 11, 10, 15, 0, 0, 0, time.UTC)
	v := programtest.NewVisit(t, a, "from-before", at)
	v.Say("zharick por aquí, ¿cuánto cuesta una limpieza?")
	v.Add(&event.LeadCaptured{Conversation: v.About, Name: "Zharick Guainora", Phone: "+50761234567", HasPhone: true})
	p.Applied(a)
	said := func() string {
		t.Helper()
		list, err := a.Tables.Reader("b1").Messages(t.Context(), v.About.ConversationID)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		return list[len(list)-1].Text
	}
	if !strings.Contains(said(), "zharick") {
		t.Fatalf("nothing is left to be masked in %q", said())
	}
	if out := p.MustRun("log", "mask"); !strings.Contains(out, "1 messages of 1 conversations are masked anew") {
		t.Error(out)
	}
	p.Applied(a)
	if got := said(); got != "[nombre] por aquí, ¿cuánto cuesta una limpieza?" {
		t.Errorf("the tables hold %q", got)
	}
	if out := p.MustRun("log", "mask"); !strings.Contains(out, "0 messages of 0 conversations") {
		t.Error(out)
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.MustRun("rebuild")
	live, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := a.Tables.Reader(live).Messages(t.Context(), v.About.ConversationID)
	if err != nil || live == "b1" || strings.Contains(list[len(list)-1].Text, "zharick") {
		t.Errorf("after a rebuild %s holds %+v, %v", live, list, err)
	}
}
