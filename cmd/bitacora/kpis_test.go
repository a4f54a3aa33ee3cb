package main

import (
	"context"
	"encoding/json"

	"fmt"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

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
