package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/content"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/setup"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// TestADemoIsKeptFromRealPatients tries to write a demo history into logs of a clinic,
// however little is in them, by the command and by demo mode.
func TestADemoIsKeptFromRealPatients(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(a *app.App){
		"a chat": func(a *app.App) { programtest.NewVisit(t, a, "real", programtest.SomeDay) },
		"a visit": func(a *app.App) {
			v := programtest.Visit{App: a, T: t, About: event.Conversation{ConversationID: "real"}, At: programtest.SomeDay}
			v.Add(&event.VisitStarted{Visit: event.Visit{VisitID: "real", VisitStartedAt: programtest.SomeDay}})
		},
		"a sign-in": func(a *app.App) {
			_, err := a.DB.Log().Append(t.Context(), event.Append{Stream: "staff/1", ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
				{ID: uuid.NewString(), OccurredAt: programtest.SomeDay, Payload: &event.StaffSignedIn{StaffID: "1"}},
			}})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := programtest.NewProgram(t)
			a := p.App()
			happens(a)
			before, err := a.DB.Log().Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Run("", "demo", "--months", "1")
			if err == nil || !strings.Contains(out, "did not begin as a demo") {
				t.Errorf("bitacora demo: %v\n%s", err, out)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			serve := p.Command("serve")
			serve.Env = append(slices.Clone(p.Environ), "BITACORA_DEMO=1")
			if out, err := serve.CombinedOutput(); err == nil || !strings.Contains(string(out), "BITACORA_DEMO=0") {
				t.Errorf("serve in demo mode: %v\n%s", err, out)
			}
			a = p.App()
			if head, err := a.DB.Log().Head(t.Context()); err != nil || head != before {
				t.Errorf("the log ends at %d, %v; want %d", head, err, before)
			}
			if a, err := a.DB.Staff().AccountByEmail(t.Context(), setup.DemoEmail); err == nil {
				t.Errorf("the public login was made: %+v", a)
			}
		})
	}
}

var analystsViews = []string{"conversations", "messages", "contacts", "visits", "ratings", "outcomes", "bookings", "contact_history"}

func TestADemoLogSaysSo(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	seed := []string{"demo", "--months", "1", "--scale", "0.3"}
	p.MustRun(seed...)
	p.Start()
	a := p.App()
	p.Applied(a)
	p.Published(a)
	for _, view := range analystsViews {
		if counts := programtest.Channels(t, a, view); counts["demo"] == 0 || len(counts) != 1 {
			t.Errorf("%s of a demo history: %v", view, counts)
		}
	}
	if out, err := p.Run("", "doctor"); !strings.Contains(out, "began as a demo") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	var kpis struct{ Demo bool }
	if err := p.Get("/api/dashboard/kpis", p.SignIn(), &kpis); err != nil || !kpis.Demo {
		t.Errorf("the dashboard is told %+v, %v", kpis, err)
	}
	// It goes on: by hand, as a clinic that somebody tries, and in demo mode again.
	p.MustRun(seed...)
	v := programtest.NewVisit(t, a, "tried", programtest.SomeDay)
	about := event.Visit{VisitID: "tried", VisitStartedAt: programtest.SomeDay}
	v.Add(&event.VisitStarted{Visit: about})
	v.Add(&event.AssistantReplied{Conversation: v.About, Progress: event.Progress{Ordinal: 2}, Text: event.Text{Text: "¡Hola!"}})
	v.Add(&event.ReplyRated{Conversation: v.About, Ordinal: 2, Rating: event.RatedPositive})
	v.Add(&event.LeadCaptured{Conversation: v.About, HasPhone: true})
	v.Add(&event.AppointmentBooked{Conversation: v.About, BookingID: "b", Source: "chat", Slot: programtest.SomeDay})
	v.Add(&event.AppointmentOutcomeRecorded{
		Conversation: v.About, BookingID: "b", Outcome: event.OutcomeCame, BookedBy: "chat", BookedAt: programtest.SomeDay, Slot: programtest.SomeDay,
	})
	p.Stop()
	p.Environ = append(p.Environ, "BITACORA_DEMO=1")
	p.Start()
	a = p.App()
	p.Applied(a)
	for _, view := range analystsViews {
		if counts := programtest.Channels(t, a, view); counts["web"] == 0 || counts["demo"] == 0 {
			t.Errorf("%s of a demo that was tried: %v", view, counts)
		}
	}
	if _, err := a.DB.Staff().AccountByEmail(t.Context(), setup.DemoEmail); err != nil {
		t.Errorf("the demo login: %v", err)
	}
}

// TestTheAccountsOfADemoComeAndGo: everybody knows their password, so that they go with the demo, the owner too.
func TestTheAccountsOfADemoComeAndGo(t *testing.T) {
	p := programtest.NewProgram(t)
	a := p.App()
	demo := setup.DemoOf(a.DB, a.Clinic)
	real, err := accounts.StaffRegister(a).Add(t.Context(), accounts.Operator, "ana@clinica.example", "hash", "staff")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := demo.Admit(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	all, err := a.DB.Staff().Accounts(t.Context())
	roles := map[staff.Role]int{}
	for _, one := range all {
		roles[one.Role]++
	}
	if err != nil || len(all) < 5 || roles[staff.RoleOwner] != 1 || roles[staff.RoleReader] == 0 {
		t.Errorf("accounts %v, %v", roles, err)
	}
	if owner, err := a.DB.Staff().AccountByEmail(t.Context(), setup.DemoOwner); err != nil || owner.Role != staff.RoleOwner {
		t.Errorf("owner %+v, %v", owner, err)
	}
	if _, _, err := content.SiteContent(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := demo.Teach(t.Context(), privacy.TeachingRegister(a)); err != nil {
			t.Fatal(err)
		}
	}
	taught, _, err := privacy.TeachingRegister(a).List(t.Context())
	if err != nil || len(taught) != 2 || len(taught[0].Versions) != 1 || time.Since(taught[0].Current.At) < 14*24*time.Hour {
		t.Errorf("taught %+v, %v", taught, err)
	}
	if err := demo.Admit(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if left, err := a.DB.Staff().Accounts(t.Context()); err != nil || len(left) != 1 || left[0].ID != real.ID {
		t.Errorf("after the demo %+v, %v", left, err)
	}
}

func TestAClinicsLogSaysNothingOfADemo(t *testing.T) {
	p, a, _ := programtest.Running(t)
	p.Published(a)
	var kpis map[string]any
	if err := p.Get("/api/dashboard/kpis", p.SignIn(), &kpis); err != nil || kpis["demo"] != nil {
		t.Errorf("the dashboard is told %v, %v", kpis["demo"], err)
	}
	if out, _ := p.Run("", "doctor"); strings.Contains(out, "demo") {
		t.Error(out)
	}
	if counts := programtest.Channels(t, a, "messages"); counts["web"] == 0 || len(counts) != 1 {
		t.Errorf("messages: %v", counts)
	}
}

// TestAnEarlierDemoIsKnown tells a history of a program that did not mark its events.
func TestAnEarlierDemoIsKnown(t *testing.T) {
	p := programtest.NewProgram(t)
	a := p.App()
	v := programtest.Visit{App: a, T: t, About: event.Conversation{ConversationID: "old", ConversationStartedAt: programtest.SomeDay}, At: programtest.SomeDay}
	v.Add(&event.VisitStarted{Visit: event.Visit{VisitID: "old", VisitStartedAt: programtest.SomeDay}})
	v.Add(&event.ConversationStarted{Conversation: v.About, Channel: "demo"})
	if yes, begun, err := setup.DemoOf(a.DB, a.Clinic).Began(t.Context()); err != nil || !yes || !begun {
		t.Errorf("an earlier demo: %v, %v, %v", yes, begun, err)
	}
}

func TestAnAccountMayComeBeforeTheDemo(t *testing.T) {
	p := programtest.NewProgram(t)
	a := p.App()
	if _, err := accounts.StaffRegister(a).Add(t.Context(), accounts.Operator, "ana@clinica.example", "hash", "owner"); err != nil {
		t.Fatal(err)
	}
	d := setup.DemoOf(a.DB, a.Clinic)
	if err := d.MayInvent(t.Context()); err != nil {
		t.Errorf("after an account was added on the command line: %v", err)
	}
	if _, err := a.DB.Log().Append(t.Context(), event.Append{Stream: "staff/1", ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
		{ID: uuid.NewString(), OccurredAt: programtest.SomeDay, Payload: &event.StaffSignedIn{StaffID: "1"}},
	}}); err != nil {
		t.Fatal(err)
	}
	if err := d.MayInvent(t.Context()); !errors.Is(err, setup.ErrRealLog) {
		t.Errorf("after somebody signed in: %v", err)
	}
}
