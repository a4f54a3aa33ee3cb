package postgres_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/staff"
	"bitacora/domain/teaching"
)

var (
	ana   = staff.Actor{ID: "ana"}
	water = clinic.Answer{Slug: "agua", Topic: "clinica", Questions: []string{"hay agua filtrada"}, Text: "Sí, en la sala."}
)

// school is a clinic with its own content, and who teaches it.
func school(t *testing.T) (url string, db *postgres.DB, r *teaching.Register) {
	t.Helper()
	url, db = fresh(t)
	return url, db, schoolOf(t, db)
}

func schoolOf(t *testing.T, db *postgres.DB) *teaching.Register {
	t.Helper()
	if _, err := db.Content().Seed(t.Context(), clinic.DefaultContent()); err != nil {
		t.Fatal(err)
	}
	return registerOf(db)
}

func registerOf(db *postgres.DB) *teaching.Register {
	return &teaching.Register{Store: db.Teaching(), Log: db.Log(), TellsOf: ofNobody, Clinic: clinic.Default(), Now: time.Now, NewID: uuid.NewString}
}

func ofNobody(context.Context, string) (bool, error) { return false, nil }

func mustTeach(t *testing.T, r *teaching.Register, a clinic.Answer, seen *int) {
	t.Helper()
	if _, err := r.Publish(t.Context(), ana, teaching.Draft{Answer: a, Reason: "Lo preguntan.", Seen: seen}); err != nil {
		t.Fatal(err)
	}
}

// stored is the answer that the content holds under a slug.
func stored(t *testing.T, db *postgres.DB, slug string) string {
	t.Helper()
	content, _, err := db.Content().Read(t.Context()) // it may be changing just now
	if err != nil {
		t.Fatal(err)
	}
	a, _ := clinic.AnswerOf(content.Answers, slug)
	return a.Text
}

func TestAnAnswerIsStoredWithItsEventOrNotAtAll(t *testing.T) {
	_, db, r := school(t)
	mustTeach(t, r, water, nil)
	if got := stored(t, db, "agua"); got != water.Text {
		t.Errorf("stored %q", got)
	}
	_, before := readContent(t, db.Content())
	broken := errors.New("no")
	for name, change := range map[string]func(teaching.Change) (teaching.Change, error){
		"refused": func(c teaching.Change) (teaching.Change, error) { return c, broken },
		"another version of the stream": func(c teaching.Change) (teaching.Change, error) {
			c.Append.ExpectedVersion = 7
			return c, nil
		},
	} {
		err := db.Teaching().ChangeAnswer(t.Context(), "agua", func(content clinic.Content, _ []event.Recorded) (teaching.Change, error) {
			return change(teaching.Change{Answers: clinic.WithoutAnswer(content.Answers, "agua"), Append: event.Append{
				Stream: event.AnswerUndoneStream("agua", 1),
				Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.AnswerUndone{Version: 1, By: "ana", Reason: "x"}}},
			}})
		})
		if _, version := readContent(t, db.Content()); err == nil || stored(t, db, "agua") == "" || version != before {
			t.Errorf("%s: %v, version %d of %d", name, err, version, before)
		}
	}
}

func TestTwoWhoTeachTheSameAnswerAtOnceDoNotOverwriteEachOther(t *testing.T) {
	_, db, r := school(t)
	mustTeach(t, r, water, nil)
	refused := make(chan error, 2)
	for _, text := range []string{"Sí, en el piso 1.", "Sí, en el piso 2."} {
		a := water
		a.Text = text
		go func() {
			_, err := r.Publish(context.WithoutCancel(t.Context()), ana, teaching.Draft{Answer: a, Reason: "Cambió.", Seen: new(1)})
			refused <- err
		}()
	}
	one, other := <-refused, <-refused
	if (one == nil) == (other == nil) || !errors.Is(errors.Join(one, other), teaching.ErrChanged) {
		t.Errorf("%v and %v", one, other)
	}
	if events, err := db.Log().StaffTexts(t.Context()); err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// The English text that was there says what the Spanish one said: another Spanish text does away with it, also
// where its publication is repeated.
func TestAnotherSpanishTextTakesTheOldEnglishOneAway(t *testing.T) {
	_, db, r := school(t)
	content, _ := readContent(t, db.Content())
	a, _ := clinic.AnswerOf(content.Answers, "mascotas")
	if a.English == "" {
		t.Fatal("mascotas has no English text")
	}
	a.Text, a.Open = "Los perros pequeños entran.", false
	for range 2 {
		version, err := r.Publish(t.Context(), ana, teaching.Draft{Answer: a, Reason: "Ya se sabe.", Seen: new(0)})
		if err != nil || version.Number != 1 || version.Answer.English != "" {
			t.Errorf("%+v, %v", version, err)
		}
	}
	content, _ = readContent(t, db.Content())
	if now, _ := clinic.AnswerOf(content.Answers, "mascotas"); now.Text != a.Text || now.English != "" {
		t.Errorf("%+v", now)
	}
	a.English = "Small dogs may come in."
	mustTeach(t, r, a, new(1))
	content, _ = readContent(t, db.Content())
	if now, _ := clinic.AnswerOf(content.Answers, "mascotas"); now.English != a.English {
		t.Errorf("%+v", now)
	}
}

// What was taught after an export is newer than what is imported from it.
func TestAnImportLeavesWhatWasTaughtSince(t *testing.T) {
	_, db, r := school(t)
	old := clinic.Answer{Slug: "pecera", Topic: "clinica", Questions: []string{"tienen pecera en la sala"}, Text: "No."}
	mustTeach(t, r, old, nil)
	exported, version := readContent(t, db.Content())
	mustTeach(t, r, water, nil)
	changed := old
	changed.Text = "Sí, con peces."
	mustTeach(t, r, changed, new(1))
	replace := func(since int64, want ...string) {
		t.Helper()
		_, left, err := db.Content().ReplaceSince(t.Context(), exported, since)
		if err != nil || !slices.Equal(left, want) {
			t.Errorf("since %d left %v, %v, want %v", since, left, err, want)
		}
	}
	replace(version, "agua", "pecera")
	if stored(t, db, "agua") != water.Text || stored(t, db, "pecera") != changed.Text {
		t.Error("what was taught is gone")
	}
	if err := r.Undo(t.Context(), ana, "agua", 1, "Ya no."); err != nil {
		t.Fatal(err)
	}
	replace(version, "pecera")
	replace(math.MaxInt64)
	if got := stored(t, db, "pecera"); got != "No." {
		t.Errorf("overwritten with %q", got)
	}
	list, _, err := r.List(t.Context())
	if err != nil || len(list) != 2 || list[1].Current != nil || list[1].Standing().Number != 2 {
		t.Errorf("after the import %+v, %v", list, err)
	}
	if err := r.Undo(t.Context(), ana, "pecera", 2, "Ya no."); !errors.Is(err, teaching.ErrChanged) {
		t.Errorf("undone what an import replaced: %v", err)
	}
	// What stays must not ask what is brought asks too.
	clash := exported
	clash.Answers = append(slices.Clone(exported.Answers), clinic.Answer{Slug: "otra", Topic: "clinica", Questions: []string{"¿Hay agua filtrada?"}, Text: "No."})
	mustTeach(t, r, water, nil)
	if _, _, err := db.Content().ReplaceSince(t.Context(), clash, version); !errors.Is(err, postgres.ErrTaughtClashes) {
		t.Errorf("imported a question twice: %v", err)
	}
}

func TestWhatWasTaughtComesBackWithABackup(t *testing.T) {
	url, db, r := school(t)
	mustTeach(t, r, water, nil)
	exported, version := readContent(t, db.Content())
	changed := water
	changed.Text = "Sí, en cada piso."
	mustTeach(t, r, changed, new(1))
	dir := filepath.Join(t.TempDir(), "dump")
	if _, err := logdump.Write(t.Context(), url, dir, logdump.Extras{}); err != nil {
		t.Fatal(err)
	}
	bundle := filepath.Join(t.TempDir(), "bundle")
	if _, err := logdump.WriteBundle(t.Context(), db, bundle); err != nil {
		t.Fatal(err)
	}
	again, err := restored(t, dir, logdump.Keys{Store: testKey, Bundle: openBundle(t, bundle)})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, again, "agua"); got != changed.Text {
		t.Errorf("restored %q", got)
	}
	if _, left, err := again.Content().ReplaceSince(t.Context(), exported, version); err != nil || !slices.Equal(left, []string{"agua"}) {
		t.Errorf("an import after the restore left %v, %v", left, err)
	}
	r = registerOf(again)
	if err := r.Undo(t.Context(), ana, "agua", 2, "Ya no."); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, again, "agua"); got != water.Text {
		t.Errorf("undone to %q", got)
	}
}
