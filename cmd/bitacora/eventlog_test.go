package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// TestPlacesFollowTheLog books, damages the agenda, and lets the operator find and mend it.
func TestPlacesFollowTheLog(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	for _, text := range []string{"quiero una cita de ortodoncia", "sí", "Ana Ruiz", "6123-4567", "cuando sea", "1", "sí"} {
		if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": text}, nil); err != nil {
			t.Fatal(err)
		}
	}
	a := p.App()
	conn, err := pgx.Connect(t.Context(), a.At.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	reservations := func() (n int) {
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM booked_places").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if reservations() != 1 {
		t.Fatalf("%d places after one booking", reservations())
	}
	if _, err := conn.Exec(t.Context(), `WITH lost AS (DELETE FROM booked_places RETURNING begins, ends)
		INSERT INTO booked_places SELECT 'nobody', 'ortodoncia/1', begins, ends FROM lost`); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "places"} {
		out, err := p.Run("", "log", command)
		if err == nil || !strings.Contains(out, "has no place in the agenda") || !strings.Contains(out, "taken by booking nobody") {
			t.Errorf("log %s: %v\n%s", command, err, out)
		}
	}
	if out, err := p.Run("", "log", "places", "--rebuild"); err != nil || !strings.Contains(out, "1 places were given back and 1 taken") {
		t.Errorf("rebuild: %v\n%s", err, out)
	}
	for _, command := range []string{"check", "places"} {
		if out, err := p.Run("", "log", command); err != nil {
			t.Errorf("log %s after it: %v\n%s", command, err, out)
		}
	}
	if reservations() != 1 {
		t.Errorf("%d places after all", reservations())
	}
}

func TestKpisAsOfAnyPositionAreThoseTheDashboardGave(t *testing.T) {
	p, a, visits := programtest.Running(t)
	type figures struct {
		TotalConversations, TotalMessages, TotalLeads int
		AvgConversationDuration                       float64
		AsOfPosition                                  int64
	}
	ask := func(asOf ...string) (k figures) {
		t.Helper()
		args := append([]string{"kpis", "--from", "2026-11-01", "--to", "2026-11-30"}, asOf...)
		if err := json.Unmarshal([]byte(p.MustRun(args...)), &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	cookie := p.SignIn()
	dashboard := func() (k figures) {
		t.Helper()
		p.Applied(a)
		if err := p.Get("/api/dashboard/kpis?startDate=2026-11-01&endDate=2026-11-30", cookie, &k); err != nil {
			t.Fatal(err)
		}
		return k
	}
	was := dashboard()
	head, err := a.DB.Log().Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	then := time.Now()
	visits[0].Say("otra vez")
	visits[0].Add(&event.LeadCaptured{Conversation: visits[0].About, HasPhone: true})
	is := dashboard()
	was.AsOfPosition, is.AsOfPosition = head, head+2
	if is.TotalLeads != 1 || was.TotalLeads != 0 {
		t.Fatalf("the dashboard said %+v, then %+v", was, is)
	}
	for _, c := range []struct {
		asOf []string
		want figures
	}{
		{nil, is},
		{[]string{"--as-of", fmt.Sprint(head)}, was},
		{[]string{"--as-of", then.Format(time.RFC3339Nano)}, was},
		{[]string{"--as-of", "0"}, figures{}},
	} {
		if got := ask(c.asOf...); got != c.want {
			t.Errorf("%v: got %+v, want %+v", c.asOf, got, c.want)
		}
	}
}

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
