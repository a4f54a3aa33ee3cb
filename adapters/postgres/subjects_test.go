package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// gave is a message in which a phone number was masked.
func gave(number string) event.Draft {
	d := said("llámame al " + number)
	d.Payload.(*event.VisitorMessageSent).Masked = "llámame al [teléfono]"
	return d
}

func wrote(phone, email, message string) event.Draft {
	return event.Draft{ID: uuid.NewString(), OccurredAt: at, Payload: &event.ContactMessageReceived{
		ContactID: "m1", Channel: "web", NoticeVersion: "1", Name: "Ana Pérez", Phone: phone, Email: email, Message: message,
	}}
}

func subjects(t testing.TB, log *postgres.Log, typed ...string) []string {
	t.Helper()
	ids := make([]privacy.Identifier, len(typed))
	for i, text := range typed {
		var err error
		if ids[i], err = privacy.ParseIdentifier(text); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	found, err := log.Subjects(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAPersonIsFoundInEveryStream(t *testing.T) {
	url, db := fresh(t)
	log := db.Log()
	mustAppend(t, log, request("chat-1", 0, gave("6123 4567"), said("hola"), gave("6123-4567")))
	if err := log.AppendAll(t.Context(), []event.Append{
		request("contact/m1", 0, wrote("+507 6123-4567", "Ana@Gmail.com", "mi cédula es 8-123-4567")),
		request("chat-2", 0, gave("264-1234")),
		request("chat-3", 0, said("hola")),
	}); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, log, request("chat-2", 1, wrote("", "ana@gmail.com", "")))
	for _, tt := range []struct{ typed, found []string }{
		{[]string{"61234567"}, []string{"chat-1", "contact/m1"}},
		{[]string{"ana arroba gmail punto com"}, []string{"chat-2", "contact/m1"}},
		{[]string{"8-123-4567"}, []string{"contact/m1"}},
		{[]string{"2641234", "+507 6123 4567"}, []string{"chat-1", "chat-2", "contact/m1"}},
		{[]string{"6123-4568"}, []string{}},
	} {
		if diff := cmp.Diff(tt.found, subjects(t, open(t, url, testKey).Log(), tt.typed...)); diff != "" {
			t.Errorf("%v: %s", tt.typed, diff)
		}
	}
	rows := 0
	if err := owner(t, url).QueryRow(t.Context(), "SELECT count(*) FROM subject_terms").Scan(&rows); err != nil || rows != 8 { // with the name in each of two
		t.Errorf("%d terms, %v", rows, err)
	}
}

func TestTheIndexAloneTellsNothing(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("contact/m1", 0, wrote("6123-4567", "ana@gmail.com", "")))
	var stored string
	if err := owner(t, url).QueryRow(t.Context(), "SELECT string_agg(encode(term, 'escape') || encode(sealed, 'escape'), '') FROM subject_terms").Scan(&stored); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"61234567", "ana@gmail.com", "phone"} {
		if strings.Contains(stored, value) {
			t.Errorf("%q is in %q", value, stored)
		}
	}
	// Without the key nobody can try out values.
	if rows, err := owner(t, url).Exec(t.Context(), "SELECT FROM subject_terms WHERE term = sha256($1) OR term = sha256($2)", []byte("61234567"), []byte("phone\n61234567")); err != nil || rows.RowsAffected() > 0 {
		t.Errorf("terms are bare hashes: %v, %v", rows, err)
	}
}

func TestWhatWasNotStoredIsNotIndexed(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	if _, err := db.Log().Append(t.Context(), request("chat-1", 5, gave("6123-4567"))); !errors.Is(err, event.ErrConflict) {
		t.Fatal(err)
	}
	if found := subjects(t, db.Log(), "6123-4567"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

func TestAnErasedSubjectIsFoundByNothing(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, gave("6123-4567")))
	mustAppend(t, db.Log(), request("chat-2", 0, gave("6123-4567")))
	if err := db.Log().DestroyKey(t.Context(), "chat-1"); err != nil {
		t.Fatal(err)
	}
	if found := subjects(t, db.Log(), "6123-4567"); !cmp.Equal(found, []string{"chat-2"}) {
		t.Errorf("found %v", found)
	}
}

// Else the terms of an append that has read the key would be written after they were deleted.
func TestAnErasureWaitsForTheAppendBeforeIt(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, gave("6123-4567")))
	boss := owner(t, url)
	appending, err := boss.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := appending.Exec(t.Context(), "SELECT pg_advisory_xact_lock(7310575211900612)"); err != nil {
		t.Fatal(err)
	}
	erased := make(chan error, 1)
	go func() { erased <- db.Log().DestroyKey(t.Context(), "chat-1") }()
	for waiting := false; !waiting && len(erased) == 0; {
		if err := boss.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if len(erased) > 0 {
		t.Error("the key was destroyed during an append")
	}
	if err := appending.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-erased; err != nil {
		t.Fatal(err)
	}
}

func TestOlderEventsAreIndexedOnceAndNoErasedOnes(t *testing.T) {
	url, db := fresh(t)
	for i := range 1500 {
		mustAppend(t, db.Log(), request(fmt.Sprintf("chat-%04d", i%30), event.AnyVersion, gave(fmt.Sprintf("6%07d", i%30))))
	}
	if err := db.Log().DestroyKey(t.Context(), "chat-0007"); err != nil {
		t.Fatal(err)
	}
	boss := owner(t, url)
	exec(t, boss, "DELETE FROM subject_terms")
	exec(t, boss, "UPDATE subject_index SET through = 0, target = 1500")
	id := privacy.Identifier{Kind: privacy.KindPhone, Value: "60000003"}
	if _, err := db.Log().Subjects(t.Context(), id); !errors.Is(err, postgres.ErrIndexing) {
		t.Errorf("an index that is not whole: %v", err)
	}
	// Cut off after its first part, it goes on from there.
	ctx, cut := context.WithCancel(t.Context())
	err := db.Log().IndexSubjects(ctx, func(done, _ int64) {
		if done > 0 {
			cut()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var seen []int64
	if err := open(t, url, testKey).Log().IndexSubjects(t.Context(), func(done, total int64) { seen = append(seen, done, total) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1000, 1500, 1500, 1500}, seen); diff != "" {
		t.Error(diff)
	}
	if found := subjects(t, db.Log(), "6000-0003", "6000-0007", "6000-0029"); !cmp.Equal(found, []string{"chat-0003", "chat-0029"}) {
		t.Errorf("found %v", found)
	}
}
