package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

// TestADemoIsKeptFromRealPatients tries to write a demo history into logs of a clinic,
// however little is in them, by the command and by demo mode.
func TestADemoIsKeptFromRealPatients(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(a *app){
		"a chat": func(a *app) { newVisit(t, a, "real", someDay) },
		"a visit": func(a *app) {
			v := visit{app: a, t: t, about: event.Conversation{ConversationID: "real"}, at: someDay}
			v.add(&event.VisitStarted{Visit: event.Visit{VisitID: "real", VisitStartedAt: someDay}})
		},
		"a sign-in": func(a *app) {
			_, err := a.db.Log().Append(t.Context(), event.Append{Stream: "staff/1", ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
				{ID: uuid.NewString(), OccurredAt: someDay, Payload: &event.StaffSignedIn{StaffID: "1"}},
			}})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			a := p.app()
			happens(a)
			before, err := a.db.Log().Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.run("", "demo", "--months", "1")
			if err == nil || !strings.Contains(out, "did not begin as a demo") {
				t.Errorf("bitacora demo: %v\n%s", err, out)
			}
			if err := a.close(); err != nil {
				t.Fatal(err)
			}
			serve := p.command("serve")
			serve.Env = append(slices.Clone(p.environ), "BITACORA_DEMO=1")
			if out, err := serve.CombinedOutput(); err == nil || !strings.Contains(string(out), "BITACORA_DEMO=0") {
				t.Errorf("serve in demo mode: %v\n%s", err, out)
			}
			a = p.app()
			if head, err := a.db.Log().Head(t.Context()); err != nil || head != before {
				t.Errorf("the log ends at %d, %v; want %d", head, err, before)
			}
			if a, err := a.db.Staff().AccountByEmail(t.Context(), demoEmail); err == nil {
				t.Errorf("the public login was made: %+v", a)
			}
		})
	}
}

// channels counts the rows of an analyst's view by channel.
func channels(t *testing.T, a *app, view string) map[string]uint64 {
	t.Helper()
	build, err := a.db.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tables(t, a, build).Query(context.Background(),
		fmt.Sprintf("SELECT toString(channel), count() FROM %s.%s GROUP BY 1", a.tables.ViewsDatabase(), view))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	counts := map[string]uint64{}
	for rows.Next() {
		var channel string
		var count uint64
		if err := rows.Scan(&channel, &count); err != nil {
			t.Fatal(err)
		}
		counts[channel] = count
	}
	return counts
}

// published waits until the analysts' views are there.
func (p *program) published(a *app) {
	p.t.Helper()
	p.eventually("the views are there", 30*time.Second, func() error {
		return tables(p.t, a, "b1").Exec(p.t.Context(), "SELECT channel FROM "+a.tables.ViewsDatabase()+".visits LIMIT 1")
	})
}

var analystsViews = []string{"conversations", "messages", "contacts", "visits", "ratings"}

func TestADemoLogSaysSo(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	seed := []string{"demo", "--months", "1", "--scale", "0.3"}
	p.mustRun(seed...)
	p.start()
	a := p.app()
	p.applied(a)
	p.published(a)
	for _, view := range analystsViews {
		if counts := channels(t, a, view); counts["demo"] == 0 || len(counts) != 1 {
			t.Errorf("%s of a demo history: %v", view, counts)
		}
	}
	if out, err := p.run("", "doctor"); !strings.Contains(out, "began as a demo") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	var kpis struct{ Demo bool }
	if err := p.get("/api/dashboard/kpis", p.signIn(), &kpis); err != nil || !kpis.Demo {
		t.Errorf("the dashboard is told %+v, %v", kpis, err)
	}
	// It goes on: by hand, as a clinic that somebody tries, and in demo mode again.
	p.mustRun(seed...)
	v := newVisit(t, a, "tried", someDay)
	about := event.Visit{VisitID: "tried", VisitStartedAt: someDay}
	v.add(&event.VisitStarted{Visit: about})
	v.add(&event.AssistantReplied{Conversation: v.about, Progress: event.Progress{Ordinal: 2}, Text: event.Text{Text: "¡Hola!"}})
	v.add(&event.ReplyRated{Conversation: v.about, Ordinal: 2, Rating: event.RatedPositive})
	v.add(&event.LeadCaptured{Conversation: v.about, HasPhone: true})
	p.stop()
	p.environ = append(p.environ, "BITACORA_DEMO=1")
	p.start()
	a = p.app()
	p.applied(a)
	for _, view := range analystsViews {
		if counts := channels(t, a, view); counts["web"] == 0 || counts["demo"] == 0 {
			t.Errorf("%s of a demo that was tried: %v", view, counts)
		}
	}
	if _, err := a.db.Staff().AccountByEmail(t.Context(), demoEmail); err != nil {
		t.Errorf("the demo login: %v", err)
	}
}

func TestAClinicsLogSaysNothingOfADemo(t *testing.T) {
	p, a, _ := running(t)
	p.published(a)
	var kpis map[string]any
	if err := p.get("/api/dashboard/kpis", p.signIn(), &kpis); err != nil || kpis["demo"] != nil {
		t.Errorf("the dashboard is told %v, %v", kpis["demo"], err)
	}
	if out, _ := p.run("", "doctor"); strings.Contains(out, "demo") {
		t.Error(out)
	}
	if counts := channels(t, a, "messages"); counts["web"] == 0 || len(counts) != 1 {
		t.Errorf("messages: %v", counts)
	}
}

// TestAnEarlierDemoIsKnown tells a history of a program that did not mark its events.
func TestAnEarlierDemoIsKnown(t *testing.T) {
	p := newProgram(t)
	a := p.app()
	v := visit{app: a, t: t, about: event.Conversation{ConversationID: "old", ConversationStartedAt: someDay}, at: someDay}
	v.add(&event.VisitStarted{Visit: event.Visit{VisitID: "old", VisitStartedAt: someDay}})
	v.add(&event.ConversationStarted{Conversation: v.about, Channel: "demo"})
	if yes, begun, err := newDemoMode(a.db, a.clinic).began(t.Context()); err != nil || !yes || !begun {
		t.Errorf("an earlier demo: %v, %v, %v", yes, begun, err)
	}
}

func TestAnAccountMayComeBeforeTheDemo(t *testing.T) {
	p := newProgram(t)
	a := p.app()
	if _, err := staffRegister(a).Add(t.Context(), operator, "ana@clinica.example", "hash", "owner"); err != nil {
		t.Fatal(err)
	}
	d := newDemoMode(a.db, a.clinic)
	if err := d.mayInvent(t.Context()); err != nil {
		t.Errorf("after an account was added on the command line: %v", err)
	}
	if _, err := a.db.Log().Append(t.Context(), event.Append{Stream: "staff/1", ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
		{ID: uuid.NewString(), OccurredAt: someDay, Payload: &event.StaffSignedIn{StaffID: "1"}},
	}}); err != nil {
		t.Fatal(err)
	}
	if err := d.mayInvent(t.Context()); !errors.Is(err, errRealLog) {
		t.Errorf("after somebody signed in: %v", err)
	}
}
