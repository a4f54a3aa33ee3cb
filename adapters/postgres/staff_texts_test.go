package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/teaching"
)

const staffSecret = "lo pidió Zoraida Quintanar por su periodontitis"

// secretive is an answer whose every text tells of somebody, as if no check had been there.
func secretive(text string) clinic.Answer {
	return clinic.Answer{Slug: "agua", Topic: "clinica", Questions: []string{staffSecret + " uno", staffSecret + " dos"}, Text: text, English: staffSecret}
}

// teachesSecrets stores an answer with its event, past what would refuse it.
func teachesSecrets(t *testing.T, db *postgres.DB, said event.Payload, stream string, answers func([]clinic.Answer) []clinic.Answer) {
	t.Helper()
	err := db.Teaching().ChangeAnswer(t.Context(), "agua", func(content clinic.Content, _ []event.Recorded) (teaching.Change, error) {
		return teaching.Change{Answers: answers(content.Answers), Append: event.Append{
			Stream: stream, Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: time.Now(), Payload: said}},
		}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTextsOfTheStaffAreSealedEachUnderAKeyOfItsOwn writes a person's data into each text there is,
// destroys one key after the other, and goes on teaching the same answer.
func TestTextsOfTheStaffAreSealedEachUnderAKeyOfItsOwn(t *testing.T) {
	url, _, db := rotatable(t)
	r := schoolOf(t, db)
	first, second := secretive(staffSecret), secretive("Sí, "+staffSecret)
	with := func(a clinic.Answer) func([]clinic.Answer) []clinic.Answer {
		return func(all []clinic.Answer) []clinic.Answer { return clinic.WithAnswer(all, a) }
	}
	teachesSecrets(t, db, &event.AnswerTaught{Answer: event.Answer(first), Before: new(event.Answer(second)), Version: 1, By: "ana", Reason: staffSecret}, event.AnswerStream("agua", 1), with(first))
	teachesSecrets(t, db, &event.AnswerTaught{Answer: event.Answer(second), Replaced: 1, Version: 2, By: "ana", Reason: staffSecret}, event.AnswerStream("agua", 2), with(second))
	teachesSecrets(t, db, &event.AnswerUndone{Version: 2, By: "ana", Reason: staffSecret}, event.AnswerUndoneStream("agua", 2), with(first))
	mustAppend(t, db.Log(), event.Append{Stream: event.SkippedStream(7), Drafts: []event.Draft{{
		ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.EventSkipped{Position: 7, Stream: "chat-1", Reason: staffSecret},
	}}})
	mustAppend(t, db.Log(), event.Append{Stream: event.ChartNoteStream("n"), Drafts: []event.Draft{{
		ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.ChartNoted{From: "2026-11-02", To: "2026-11-02", By: "ana", Note: staffSecret},
	}}})
	streams := []string{event.AnswerStream("agua", 1), event.AnswerStream("agua", 2), event.AnswerUndoneStream("agua", 2), event.SkippedStream(7), event.ChartNoteStream("n")}

	boss := owner(t, url)
	rows, err := boss.Query(t.Context(), "SELECT stream || type || data || metadata || sealed FROM events")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(sealed) != len(streams) {
		t.Fatalf("%d events are sealed, %v", len(sealed), err)
	}
	for _, row := range sealed {
		for _, word := range strings.Fields(staffSecret) {
			if len(word) > 4 && strings.Contains(row, word) {
				t.Errorf("%q stands in the clear: %s", word, row)
			}
		}
	}
	readable := func() string {
		events, err := db.Log().StaffTexts(t.Context())
		if err != nil || len(events) != len(streams) {
			t.Fatalf("%d events, %v", len(events), err)
		}
		var are []string
		for _, e := range events {
			texts := 0
			for _, f := range e.Payload.(event.Personal).PersonalFields() {
				if strings.Contains(*f.Value, staffSecret) {
					texts++
				}
			}
			are = append(are, fmt.Sprint(texts, e.Erased))
		}
		return strings.Join(are, ", ")
	}
	if got := readable(); got != "9 false, 5 false, 1 false, 1 false, 1 false" {
		t.Errorf("readable are %s", got)
	}
	mustRotate(t, db.Log())
	for i, want := range []string{
		"0 true, 5 false, 1 false, 1 false, 1 false", "0 true, 0 true, 1 false, 1 false, 1 false", "0 true, 0 true, 0 true, 1 false, 1 false",
		"0 true, 0 true, 0 true, 0 true, 1 false", "0 true, 0 true, 0 true, 0 true, 0 true",
	} {
		if err := db.Log().DestroyKey(t.Context(), streams[i]); err != nil {
			t.Fatal(err)
		}
		if got := readable(); got != want {
			t.Errorf("without the key of %s, readable are %s; want %s", streams[i], got, want)
		}
	}
	list, _, err := r.List(t.Context())
	if err != nil || len(list) != 1 || len(list[0].Versions) != 2 || !list[0].Versions[1].Erased || list[0].Current != nil {
		t.Errorf("%+v, %v", list, err)
	}
	if skipped, err := db.Log().Skipped(t.Context()); err != nil || !skipped[7] {
		t.Errorf("passed over are %v, %v", skipped, err)
	}
	mustTeach(t, r, water, new(2))
	if err := r.Undo(t.Context(), ana, "agua", 3, "Ya no."); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, db, "agua"); got != staffSecret {
		t.Errorf("taken back to %q", got)
	}
}

// TestWhatAnErasedVersionHadReplacedIsNotBroughtBack takes back a version whose predecessor was erased.
func TestWhatAnErasedVersionHadReplacedIsNotBroughtBack(t *testing.T) {
	_, db, r := school(t)
	mustTeach(t, r, water, nil)
	later := water
	later.Text = "Sí, en cada piso."
	mustTeach(t, r, later, new(1))
	if withdrawn, err := r.WithdrawAnswer(t.Context(), "operator", "agua", 1); err != nil || withdrawn {
		t.Errorf("withdrawn though another version holds: %v, %v", withdrawn, err)
	}
	if err := db.Log().DestroyKey(t.Context(), event.AnswerStream("agua", 1)); err != nil {
		t.Fatal(err)
	}
	if err := r.Undo(t.Context(), ana, "agua", 2, "Ya no."); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, db, "agua"); got != "" {
		t.Errorf("taken back to %q", got)
	}
	mustTeach(t, r, water, nil)
	_, before := readContent(t, db.Content())
	for i, want := range []bool{true, false} {
		if withdrawn, err := r.WithdrawAnswer(t.Context(), "operator", "agua", 3); err != nil || withdrawn != want || stored(t, db, "agua") != "" {
			t.Errorf("withdrawal %d: %v, %v", i+1, withdrawn, err)
		}
	}
	// An import of what was exported before does not bring it back.
	content, _ := readContent(t, db.Content())
	content.Answers = clinic.WithAnswer(content.Answers, water)
	if _, left, err := db.Content().ReplaceSince(t.Context(), content, before); err != nil || len(left) != 1 || stored(t, db, "agua") != "" {
		t.Errorf("the import left %v, %v", left, err)
	}
}

// TestAnAnswerIsTaughtWhileKeysAreRotated teaches by a program that does not know of the new key epoch.
func TestAnAnswerIsTaughtWhileKeysAreRotated(t *testing.T) {
	url, keys, db := rotatable(t)
	r := schoolOf(t, db)
	mustRotate(t, open(t, url, keys).Log())
	mustTeach(t, r, water, nil)
	list, _, err := r.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Versions[0].Answer.Text != water.Text {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestAnswersTaughtBeforeTextsWereSealedGoOn reads versions in the clear, takes one back and teaches the next.
func TestAnswersTaughtBeforeTextsWereSealedGoOn(t *testing.T) {
	url, db, r := school(t)
	for version, data := range []string{
		`{"answer":{"slug":"agua","topic":"clinica","questions":["hay agua"],"text":"Sí."},"version":1,"by":"ana","reason":"Una."}`,
		`{"answer":{"slug":"agua","topic":"clinica","questions":["hay agua"],"text":"No."},"before":{"slug":"agua","topic":"clinica","questions":["hay agua"],"text":"Sí."},"version":2,"by":"ana","reason":"Dos."}`,
	} {
		exec(t, owner(t, url), fmt.Sprintf(`INSERT INTO events (position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, metadata, payload_hash)
			SELECT %d, id, 'answer/agua', %[1]d, 'AnswerTaught', 1::smallint, now(), now(), d, '{}', stored_event_hash(id, 'answer/agua', %[1]d, 'AnswerTaught', 1::smallint, now(), d, NULL)
			  FROM (SELECT gen_random_uuid() AS id, '%s' AS d) e`, version+1, data))
	}
	list, content, err := r.List(t.Context())
	if err != nil || len(list) != 1 || list[0].Slug != "agua" || len(list[0].Versions) != 2 || list[0].Versions[0].Reason != "Dos." {
		t.Fatalf("%+v, %v", list, err)
	}
	content.Answers = clinic.WithAnswer(content.Answers, list[0].Versions[0].Answer)
	if _, err := db.Content().Replace(t.Context(), content); err != nil {
		t.Fatal(err)
	}
	if err := r.Undo(t.Context(), ana, "agua", 2, "Ya no."); err != nil || stored(t, db, "agua") != "Sí." {
		t.Errorf("taken back to %q, %v", stored(t, db, "agua"), err)
	}
	mustTeach(t, r, water, new(2))
	if err := r.Undo(t.Context(), ana, "agua", 3, "Ya no."); err != nil || stored(t, db, "agua") != "Sí." {
		t.Errorf("taken back to %q, %v", stored(t, db, "agua"), err)
	}
	if _, err := r.Publish(t.Context(), ana, teaching.Draft{Answer: water, Reason: "Otra vez.", Seen: new(2)}); !errors.Is(err, teaching.ErrChanged) {
		t.Errorf("taught over what was not seen: %v", err)
	}
	if report, err := db.Log().Check(t.Context(), nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("%v, %v", report.Findings, err)
	}
}
