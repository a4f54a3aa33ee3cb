package main

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	team "bitacora/domain/staff"
)

func TestAddressesAreForgottenAlsoWhereNoLetterCanBeSent(t *testing.T) {
	a := newProgram(t).app()
	seen := time.Now().UTC() // where every day has 24 hours
	if err := a.db.NoteProxy(t.Context(), postgres.UnnamedProxy{Address: netip.MustParseAddr("192.0.2.77"), Header: "Via", SeenAt: seen}); err != nil {
		t.Fatal(err)
	}
	kept := func() int {
		list, err := postgres.UnnamedProxies(t.Context(), a.db, seen)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	n := mail.Notifier{Memory: a.db.Log(), Now: time.Now, Logger: a.log}
	for after, want := range []int{1, 0} {
		// There are no tables yet, so the week's summary cannot be written.
		if err := noticesOf(t.Context(), a, n, seen.AddDate(0, 0, after).In(a.clinic.Zone), ""); err == nil || !strings.Contains(err.Error(), "summary") {
			t.Errorf("after %d days: %v", after, err)
		}
		if got := kept(); got != want {
			t.Errorf("after %d days %d addresses are kept, want %d", after, got, want)
		}
	}
}

func TestSummaryIsOfTheLastWholeWeek(t *testing.T) {
	panama, err := time.LoadLocation("America/Panama")
	if err != nil {
		t.Fatal(err)
	}
	for now, want := range map[string]string{
		"2026-11-16T06:59:59-05:00": "2026-11-02",
		"2026-11-16T07:00:00-05:00": "2026-11-09",
		"2026-11-18T12:00:00-05:00": "2026-11-09",
		"2026-11-22T23:59:00-05:00": "2026-11-09",
		"2026-11-23T11:00:00Z":      "2026-11-09",
		"2026-11-23T12:00:00Z":      "2026-11-16",
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		week := lastWeek(at.In(panama))
		if got := week.From.Format(time.DateOnly); got != want || week.To.Sub(week.From) != 7*24*time.Hour {
			t.Errorf("%s: the week of %s, want %s", now, got, want)
		}
	}
}

func TestWhoseCodesAreGuessedGetsALetter(t *testing.T) {
	a := newProgram(t).app()
	ana, err := a.db.Staff().AddAccount(t.Context(), "ana@clinica.example", "x", team.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().In(a.clinic.Zone)
	for _, who := range []string{ana.ID, "0d7b6a0e-52cf-4d0f-8c6f-6f7a3c1d9e22"} { // the other was removed meanwhile
		if _, err := a.db.Log().Append(t.Context(), event.Append{Stream: team.Stream(who), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
			{ID: event.DerivedID("spent", who), OccurredAt: now.Add(-time.Minute), Payload: &event.StaffCodeBudgetSpent{StaffID: who}},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	folder := outboxFolder(a)
	n := mail.Notifier{Memory: a.db.Log(), Outbox: folder, Now: time.Now, Logger: a.log}
	for range 2 {
		due := slices.DeleteFunc(dueNotices(t.Context(), a, now, "https://clinica.example"), func(one mail.Notice) bool { return one.Name != "codes" })
		if err := n.Send(t.Context(), due); err != nil {
			t.Fatal(err)
		}
	}
	letters, err := filepath.Glob(filepath.Join(folder.Dir(), "*.eml"))
	if err != nil || len(letters) != 1 {
		t.Fatalf("letters %q, %v", letters, err)
	}
	text, err := os.ReadFile(letters[0])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "ana@clinica.example") || !strings.Contains(string(text), "https://clinica.example/dashboard/cuenta") {
		t.Errorf("%s", text)
	}
}
