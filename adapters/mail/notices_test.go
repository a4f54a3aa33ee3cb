package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
)

func summaryOfNovember() Week {
	monday := time.Date(2026, 11, 9, 0, 0, 0, 0, clinic.Default().Zone)
	return Week{
		Period:    analytics.Period{From: monday, To: monday.AddDate(0, 0, 7)},
		Now:       analytics.Counts{Conversations: 180, Leads: 40, Appointments: 16},
		Before:    analytics.Counts{Conversations: 150, Leads: 50},
		Closed:    analytics.Cell{Conversations: 75, Leads: 18, Appointments: 7},
		Topics:    []analytics.Topic{{Name: "precios", Conversations: 31}, {Name: "-", Conversations: 4}},
		Questions: []analytics.Question{{Text: "¿Aceptan <b>mi</b> seguro?", Count: 6}},
		Waiting:   118, Grave: 3, Booked: 12,
		Site:   "https://clinica.example",
		Anchor: "812:9f86:d081:2026-11-16T12:00:00.000Z", Checked: true,
	}
}

func TestSummarySaysTheSameTwice(t *testing.T) {
	at := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	l, err := summaryOfNovember().Letter(at)
	if err != nil {
		t.Fatal(err)
	}
	if l.Subject != "Resumen del asistente: semana del 9 al 15 de noviembre" || l.ID != "resumen-2026-11-09" {
		t.Errorf("letter %q, %q", l.Subject, l.ID)
	}
	for _, said := range []string{
		"180", "+20 % frente a 150", "-20 % frente a 50", "la semana anterior no hubo", "75 conversaciones, 18 leads, 7 citas",
		"Precios: 31", "Sin tema: 4", "(6)", "desde=2026-11-09", "hasta=2026-11-15", "812:9f86:d081:2026-11-16T12:00:00.000Z",
		"Por llamar ahora: 118, de ellas 3 por una crisis", "https://clinica.example/dashboard/bandeja",
		"Citas de los próximos 7 días: 12", "https://clinica.example/dashboard/agenda",
		"https://clinica.example/dashboard?vista=preguntas&desde=2026-11-09", "La revisión nocturna del registro no encontró diferencias.",
	} {
		html := strings.NewReplacer("&#43;", "+", "&amp;", "&", "<strong>", "", "</strong>", "").Replace(l.HTML)
		if !strings.Contains(l.Text, said) || !strings.Contains(html, said) {
			t.Errorf("%q is missing in\n%s\nor\n%s", said, l.Text, l.HTML)
		}
	}
	w := summaryOfNovember()
	w.Site, w.Grave, w.Differences = "", 0, 2
	if l, err := w.Letter(at); err != nil || !strings.Contains(l.Text, "encontró diferencias (2)") || !strings.Contains(l.HTML, "encontró diferencias (2)") {
		t.Errorf("with differences: %v, %s", err, l.Text)
	}
	if l, err := w.Letter(at); err != nil || strings.Contains(l.Text+l.HTML, "dashboard/") || strings.Contains(l.Text+l.HTML, "crisis") {
		t.Errorf("without a site and without a danger: %v, %s", err, l.Text)
	}
	if strings.Contains(l.HTML, "<b>mi") {
		t.Error("a visitor's text is markup")
	}
	across := Week{Period: analytics.Period{From: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}}
	if got := across.Days(); got != "30 de noviembre al 6 de diciembre" {
		t.Error(got)
	}
}

func TestChangeIsToldInWords(t *testing.T) {
	for f, want := range map[Figure]string{
		{Now: 0, Before: 0}: "igual que la semana anterior", {Now: 3, Before: 3}: "igual que la semana anterior",
		{Now: 3, Before: 0}: "la semana anterior no hubo", {Now: 0, Before: 2}: "-100 % frente a 2 de la semana anterior",
	} {
		if got := f.Change(); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

func TestLimitLetter(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	near := LimitLetter(*analytics.UsageOf(812, new(1000)), 80, at, at.AddDate(0, 0, 4), "https://clinica.example")
	if !strings.Contains(near.Subject, "80 %") || !strings.Contains(near.Text, "812 de 1000") || !strings.Contains(near.Text, "24 de noviembre") {
		t.Errorf("%+v", near)
	}
	full := LimitLetter(*analytics.UsageOf(1000, new(1000)), 100, at, time.Time{}, "")
	if !strings.Contains(full.Subject, "alcanzó su límite") || strings.Contains(full.Text, "agotarían") || full.ID == near.ID {
		t.Errorf("%+v", full)
	}
}

func TestAddressLimitLetter(t *testing.T) {
	first := time.Date(2026, 11, 20, 18, 41, 0, 0, time.UTC)
	letter := AddressLimitLetter(first, "https://clinica.example")
	for _, want := range []string{"viernes 20 de noviembre a las 6:41 p. m.", "BITACORA_TRUSTED_PROXIES", "https://clinica.example/dashboard"} {
		if !strings.Contains(letter.Text, want) {
			t.Errorf("%q is missing in %s", want, letter.Text)
		}
	}
	if next := AddressLimitLetter(first.AddDate(0, 0, 1), ""); next.ID == letter.ID {
		t.Error("the letters of two days have one name")
	}
}

func TestNoticesAreSentOnce(t *testing.T) {
	db, _ := clinicLog(t)
	office := newSMTPServer(t)
	server, err := NewServer("smtp://"+office.Addr().String(), "citas@clinica.example", []string{"recepcion@clinica.example"})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	notice := func(of string, worth bool) Notice {
		return Notice{Name: "summary", Of: of, Letter: func(context.Context) (Letter, bool, error) {
			written++
			l, err := summaryOfNovember().Letter(time.Now())
			l.ID += of
			return l, worth, err
		}}
	}
	n := Notifier{Memory: db.Log(), Outbox: server, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
	office.busy = 1
	if err := n.Send(t.Context(), []Notice{notice("2026-11-09", true)}); err == nil || len(office.taken()) != 0 {
		t.Fatalf("a server that refuses: %v, %d letters", err, len(office.taken()))
	}
	for range 3 {
		if err := n.Send(t.Context(), []Notice{notice("2026-11-09", true), notice("2026-11-16", false)}); err != nil {
			t.Fatal(err)
		}
	}
	letters := office.taken()
	if len(letters) != 1 || written != 3 {
		t.Fatalf("%d letters, written %d times", len(letters), written)
	}
	for _, part := range []string{"multipart/alternative", "text/plain", "text/html"} {
		if !strings.Contains(letters[0], part) {
			t.Errorf("%s is missing in\n%s", part, letters[0])
		}
	}
}

func TestOneFailureDoesNotHoldUpTheOthers(t *testing.T) {
	db, _ := clinicLog(t)
	folder := NewFolder(t.TempDir(), "citas@clinica.example", []string{"recepcion@clinica.example"})
	n := Notifier{Memory: db.Log(), Outbox: folder, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
	broken := errors.New("the tables are away")
	letter := LimitLetter(*analytics.UsageOf(80, new(100)), 80, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), time.Time{}, "")
	err := n.Send(t.Context(), []Notice{
		{Name: "summary", Of: "w", Letter: func(context.Context) (Letter, bool, error) { return Letter{}, false, broken }},
		{Name: "limit-80", Of: "2026-11", Letter: func(context.Context) (Letter, bool, error) { return letter, true, nil }},
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	content, err := os.ReadFile(folder.Path(letter))
	if err != nil || !strings.Contains(string(content), "80 de 100") {
		t.Errorf("%v in\n%s", err, content)
	}
}

func TestOneProcessAtATime(t *testing.T) {
	db, _ := clinicLog(t)
	ok, err := db.TryWithLease(t.Context(), "notices", time.Minute, func(ctx context.Context) error {
		if again, err := db.TryWithLease(ctx, "notices", time.Minute, func(context.Context) error {
			return errors.New("two at once")
		}); again || err != nil {
			return fmt.Errorf("a second one: %v, %w", again, err)
		}
		return nil
	})
	if !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if ok, err := db.TryWithLease(t.Context(), "notices", time.Minute, func(context.Context) error { return nil }); !ok || err != nil {
		t.Errorf("afterwards: %v, %v", ok, err)
	}
}
