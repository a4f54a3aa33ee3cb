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
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
	"bitacora/domain/event"
	team "bitacora/domain/staff"
)

func TestAddressesAreForgottenAlsoWhereNoLetterCanBeSent(t *testing.T) {
	a := programtest.NewProgram(t).App()
	seen := time.Now().UTC() // where every day has 24 hours
	if err := a.DB.NoteProxy(t.Context(), postgres.UnnamedProxy{Address: netip.MustParseAddr("192.0.2.77"), Header: "Via", SeenAt: seen}); err != nil {
		t.Fatal(err)
	}
	kept := func() int {
		list, err := postgres.UnnamedProxies(t.Context(), a.DB, seen)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	n := mail.Notifier{Memory: a.DB.Log(), Now: time.Now, Logger: a.Log}
	for after, want := range []int{1, 0} {
		// There are no tables yet, so the week's summary cannot be written.
		if err := serve.NoticesOf(t.Context(), a, n, seen.AddDate(0, 0, after).In(a.Clinic.Zone), ""); err == nil || !strings.Contains(err.Error(), "summary") {
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
		week := serve.LastWeek(at.In(panama))
		if got := week.From.Format(time.DateOnly); got != want || week.To.Sub(week.From) != 7*24*time.Hour {
			t.Errorf("%s: the week of %s, want %s", now, got, want)
		}
	}
}

func TestWhoseCodesAreGuessedGetsALetter(t *testing.T) {
	a := programtest.NewProgram(t).App()
	ana, err := a.DB.Staff().AddAccount(t.Context(), "ana@clinica.example", "x", team.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().In(a.Clinic.Zone)
	for _, who := range []string{ana.ID, "0d7b6a0e-52cf-4d0f-8c6f-6f7a3c1d9e22"} { // the other was removed meanwhile
		if _, err := a.DB.Log().Append(t.Context(), event.Append{Stream: team.Stream(who), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
			{ID: event.DerivedID("spent", who), OccurredAt: now.Add(-time.Minute), Payload: &event.StaffCodeBudgetSpent{StaffID: who}},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	folder := app.OutboxFolder(a)
	n := mail.Notifier{Memory: a.DB.Log(), Outbox: folder, Now: time.Now, Logger: a.Log}
	for range 2 {
		due := slices.DeleteFunc(serve.DueNotices(t.Context(), a, now, "https://clinica.example"), func(one mail.Notice) bool { return one.Name != "codes" })
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

// TestTheSummarySaysWhoWaitsAndWhoComes counts people beside what a letter must leave out: who was seen to, and
// appointments that were cancelled, moved, or lie outside the seven days that begin now.
func TestTheSummarySaysWhoWaitsAndWhoComes(t *testing.T) {
	p, a, visits := programtest.Running(t)
	now := time.Now().UTC().Truncate(time.Second)
	for i, v := range visits {
		v.At = now.Add(-time.Hour)
		v.Add(&event.LeadCaptured{Conversation: v.About, HasPhone: true})
		if i == 0 {
			v.Add(&event.ConversationFlagged{Conversation: v.About, Flag: event.FlagCrisis, MessageID: "m1"})
		}
		if i == 1 {
			v.Add(&event.ContactAttempted{
				Contact: event.Contact{Kind: "lead", ContactID: v.About.ConversationID, ContactAt: v.About.ConversationStartedAt}, Outcome: event.AttemptDone, StaffID: "1",
			})
		}
	}
	book := func(v *programtest.Visit, id, replaces string, in time.Duration) {
		v.Add(&event.AppointmentBooked{Conversation: v.About, BookingID: id, Replaces: replaces, Source: "form", Slot: now.Add(in)})
	}
	const day = 24 * time.Hour
	book(visits[2], "stands", "", 2*day)
	book(visits[3], "was moved", "", day)
	book(visits[3], "stands too", "was moved", 7*day-time.Hour)
	book(visits[4], "later", "", 8*day)
	book(visits[5], "cancelled", "", 3*day)
	visits[5].Add(&event.AppointmentCancelled{Conversation: visits[5].About, BookingID: "cancelled", Source: "form"})
	book(visits[0], "cancelled late", "", 4*day)
	visits[0].Add(&event.AppointmentOutcomeRecorded{Conversation: visits[0].About, BookingID: "cancelled late", Outcome: event.OutcomeCancelledLate, Slot: now.Add(4 * day)})
	visits[0].Add(&event.AppointmentCancelled{Conversation: visits[0].About, BookingID: "cancelled late", Source: "staff"})
	p.Applied(a)

	for _, due := range serve.DueNotices(t.Context(), a, now.In(a.Clinic.Zone), "") {
		if due.Name != "summary" {
			continue
		}
		letter, _, err := due.Letter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// A booking answers all but a crisis.
		for _, said := range []string{"Por llamar ahora: 1, de ellas 1 por una crisis o emergencia", "Citas de los próximos 7 días: 2\n"} {
			if !strings.Contains(letter.Text, said) {
				t.Errorf("%q is missing in\n%s", said, letter.Text)
			}
		}
		return
	}
	t.Error("no summary is due")
}
