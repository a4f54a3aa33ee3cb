package main

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/mail"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

func TestShareOfAnAddressIsConfigured(t *testing.T) {
	for environ, want := range map[string]*event.AddressLimit{
		"":                            {Hourly: 60},
		"BITACORA_MONTHLY_LIMIT=1000": {Hourly: 60, Daily: 100},
		"BITACORA_MONTHLY_LIMIT=150":  {Hourly: 60, Daily: 20},
		"BITACORA_MONTHLY_LIMIT=1000 BITACORA_ADDRESS_DAILY_LIMIT=7":   {Hourly: 60, Daily: 7},
		"BITACORA_ADDRESS_HOURLY_LIMIT=3":                              {Hourly: 3},
		"BITACORA_THROTTLE=off BITACORA_MONTHLY_LIMIT=1000":            nil,
		"BITACORA_THROTTLE=off BITACORA_ADDRESS_HOURLY_LIMIT=1":        nil,
		"BITACORA_ADDRESS_HOURLY_LIMIT= BITACORA_ADDRESS_DAILY_LIMIT=": {Hourly: 60},
	} {
		c, err := settings.Load(strings.Fields(environ))
		if err != nil {
			t.Errorf("%s: %v", environ, err)
			continue
		}
		if got := c.PerAddress(); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %+v, want %+v", environ, got, want)
		}
	}
	for _, name := range []string{"BITACORA_ADDRESS_HOURLY_LIMIT", "BITACORA_ADDRESS_DAILY_LIMIT"} {
		if _, err := settings.Load([]string{name + "=0"}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=0: %v", name, err)
		}
	}
}

func TestOneVisitorDoesNotUseUpTheMonth(t *testing.T) {
	p := programtest.NewProgram(t, "BITACORA_THROTTLE=on", "BITACORA_MONTHLY_LIMIT=300", "BITACORA_ADDRESS_HOURLY_LIMIT=20")
	p.Start()
	refused, days := 0, map[string]bool{}
	begin := func(session string) {
		t.Helper()
		err := p.Post("/api/chatbot", map[string]string{"sessionId": session, "message": "hola"}, nil)
		var r *programtest.Refusal
		switch {
		case errors.As(err, &r) && r.Status == http.StatusServiceUnavailable:
			refused++
			days[time.Now().In(clinic.Default().Zone).Format(time.DateOnly)] = true
		case err != nil:
			t.Fatal(err)
		}
	}
	for i := range 60 {
		begin(fmt.Sprint("s", i))
	}
	if refused != 40 {
		t.Errorf("%d of 60 conversations from one address were refused, want 40", refused)
	}
	var status struct{ LimitReached bool }
	if err := p.Get("/api/chatbot/status", "", &status); err != nil || status.LimitReached {
		t.Errorf("the month is used up: %+v, %v", status, err)
	}
	p.Stop()
	p.Start()
	begin("after the restart")
	if refused != 41 {
		t.Error("a restart forgets what an address began")
	}
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s0", "message": "gracias"}, nil); err != nil {
		t.Errorf("a conversation that was begun goes on: %v", err)
	}
	staffIsNotifiedOnceADay(t, p.App(), len(days))
}

func staffIsNotifiedOnceADay(t *testing.T, a *app.App, days int) {
	now := time.Now().In(a.Clinic.Zone)
	dir := t.TempDir()
	n := mail.Notifier{Memory: a.DB.Log(), Outbox: mail.NewFolder(dir, a.Clinic.Email, []string{a.Clinic.Email}), Now: time.Now, Logger: a.Log}
	// Midnight may have passed meanwhile: what was tried is told then as well.
	for _, at := range []time.Time{now, now, now.AddDate(0, 0, 1)} {
		if err := n.Send(t.Context(), serve.DueNotices(t.Context(), a, at, "https://clinica.example")); err != nil {
			t.Fatal(err)
		}
	}
	letters, err := filepath.Glob(filepath.Join(dir, "conexion-*.eml"))
	if err != nil || len(letters) != days {
		t.Fatalf("letters: %v, %v", letters, err)
	}
	reported := 0
	for _, notice := range serve.DueNotices(t.Context(), a, now.AddDate(0, 0, 2), "") {
		if notice.Name == "address-limit" {
			reported++
		}
	}
	if reported != 0 {
		t.Error("an old refusal is told again")
	}
}
