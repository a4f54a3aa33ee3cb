package postgres_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/domain/event"
)

const secret = "mi teléfono es 6123-4567"

func TestDatabaseAloneTellsNothingPersonal(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said(secret), opened()))
	rows, err := owner(t, url).Query(t.Context(), "SELECT e::text || coalesce(k::text, '') FROM events e LEFT JOIN subject_keys k ON k.subject = e.stream")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(stored) != 2 {
		t.Fatal(stored, err)
	}
	for _, row := range stored {
		if strings.Contains(row, "6123-4567") || strings.Contains(row, base64.StdEncoding.EncodeToString([]byte(secret))) {
			t.Errorf("personal text in the clear: %s", row)
		}
	}
}

func TestDestroyedKeyErasesOneStream(t *testing.T) {
	url, db := fresh(t)
	other := open(t, url, testKey)
	again := said(secret)
	mustAppend(t, db.Log(), request("chat-1", 0, again, opened()))
	mustAppend(t, db.Log(), request("chat-2", 0, said(secret)))
	mustRead(t, other.Log(), 0, 10)
	for range 2 {
		if err := db.Log().DestroyKey(t.Context(), "chat-1"); err != nil {
			t.Fatal(err)
		}
	}
	// The other process had the key in memory.
	for _, log := range []*postgres.Log{db.Log(), other.Log()} {
		all := mustRead(t, log, 0, 10)
		gone, clear, kept := all[0], all[1], all[2]
		message := gone.Payload.(*event.VisitorMessageSent)
		if !gone.Erased || message.Text.Text != "" || message.MessageID != "m1" {
			t.Errorf("erased message reads %+v, %+v", gone, message)
		}
		if clear.Erased {
			t.Error("an event without personal data counts as erased")
		}
		if kept.Erased || kept.Payload.(*event.VisitorMessageSent).Text.Text != secret {
			t.Errorf("another stream's message reads %+v", kept)
		}
		if _, err := log.Append(t.Context(), request("chat-1", 2, said("otra vez"))); !errors.Is(err, postgres.ErrErased) {
			t.Errorf("append to the erased stream: %v", err)
		}
		if _, err := log.Append(t.Context(), request("chat-3", 0, opened())); err != nil && !errors.Is(err, event.ErrConflict) {
			t.Error(err)
		}
	}
	mustAppend(t, db.Log(), request("chat-1", 2, opened()))
}

func TestSubjectErasedBeforeItsFirstEvent(t *testing.T) {
	_, db := fresh(t)
	if err := db.Log().DestroyKey(t.Context(), "chat-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Log().Append(t.Context(), request("chat-1", 0, said(secret))); !errors.Is(err, postgres.ErrErased) {
		t.Errorf("got %v", err)
	}
}

func TestWrongMasterKeyIsAnErrorAndNoErasure(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said(secret)))
	quiet := slog.New(slog.DiscardHandler)
	if _, err := postgres.Open(t.Context(), url, keyfiles.NewMasterKey(), quiet); !errors.Is(err, postgres.ErrWrongKeys) {
		t.Errorf("open: %v", err)
	}
	// Even where the digest is gone, the subjects' keys tell.
	exec(t, owner(t, url), "UPDATE key_epochs SET key_check = NULL")
	wrong := open(t, url, keyfiles.NewMasterKey())
	if _, err := wrong.Log().Scan(t.Context(), 0, 10, 10); !errors.Is(err, postgres.ErrWrongKeys) {
		t.Errorf("read: %v", err)
	}
	if _, err := wrong.Log().Append(t.Context(), request("chat-1", 1, said(secret))); !errors.Is(err, postgres.ErrWrongKeys) {
		t.Errorf("append: %v", err)
	}
}

func TestSealedFieldCannotBeMovedOrChanged(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("uno"), said("dos")))
	boss := owner(t, url)
	exec(t, boss, "ALTER TABLE events DISABLE TRIGGER append_only")
	exec(t, boss, "UPDATE events SET sealed = (SELECT sealed FROM events WHERE position = 2) WHERE position = 1")
	unreadable := func(e event.Recorded) bool {
		u, is := e.Payload.(*event.Unreadable)
		return is && u.Nearest.(*event.VisitorMessageSent).Text.Text == ""
	}
	if e := mustRead(t, db.Log(), 0, 1)[0]; !unreadable(e) {
		t.Errorf("a sealed text was accepted in another event: %+v", e)
	}
	exec(t, boss, "DELETE FROM subject_keys")
	if e := mustRead(t, open(t, url, testKey).Log(), 1, 1)[0]; !unreadable(e) || e.Erased {
		t.Errorf("a lost key reads as an erasure: %+v", e)
	}
}

func TestProcessesAgreeOnOneKeyPerStream(t *testing.T) {
	url, db := fresh(t)
	logs := []*postgres.Log{db.Log(), open(t, url, testKey).Log(), open(t, url, testKey).Log()}
	var running sync.WaitGroup
	for i := range 30 {
		for _, log := range logs {
			running.Go(func() {
				if _, err := log.Append(context.Background(), request(fmt.Sprintf("chat-%d", i), event.AnyVersion, said(secret))); err != nil {
					t.Error(err)
				}
			})
		}
	}
	running.Wait()
	all := mustRead(t, open(t, url, testKey).Log(), 0, 100)
	if len(all) != 90 {
		t.Fatalf("%d events", len(all))
	}
	for _, e := range all {
		if e.Payload.(*event.VisitorMessageSent).Text.Text != secret {
			t.Errorf("event %d reads %+v", e.Position, e)
		}
	}
}

func TestMasterKeyForms(t *testing.T) {
	key := keyfiles.NewMasterKey()
	for name, text := range map[string]string{
		"hexadecimal": key.Text(),
		"base64":      base64.StdEncoding.EncodeToString(key[:]),
	} {
		parsed, err := keyfiles.ParseMasterKey(text)
		if diff := cmp.Diff(key, parsed); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, text := range []string{"", "secreto", key.Text()[:62], key.Text() + "00"} {
		if _, err := keyfiles.ParseMasterKey(text); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
	if strings.Contains(fmt.Sprintf("%v %+v %s", key, key, key), key.Text()[:8]) {
		t.Error("a printed key tells itself")
	}
}

// A log that went back in time has lost keys that its processes remember.
func TestASealedTextIsNeverStoredWithoutItsKey(t *testing.T) {
	for name, lose := range map[string]func(boss *pgx.Conn, other *postgres.Log){
		"the key is gone": func(boss *pgx.Conn, _ *postgres.Log) { exec(t, boss, "DELETE FROM subject_keys") },
		"another process drew another one": func(boss *pgx.Conn, other *postgres.Log) {
			exec(t, boss, "DELETE FROM subject_keys")
			mustAppend(t, other, request("chat-1", event.AnyVersion, opened(), said("otro")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, db := fresh(t)
			boss, other := owner(t, url), open(t, url, testKey).Log()
			mustAppend(t, db.Log(), request("chat-1", 0, said("uno")))
			lose(boss, other)
			log := db.Log()
			mustAppend(t, log, request("chat-1", event.AnyVersion, said("dos")))
			if err := log.AppendAll(t.Context(), []event.Append{request("chat-1", event.AnyVersion, said("tres")), request("chat-2", 0, said("cuatro"))}); err != nil {
				t.Fatal(err)
			}
			events := mustRead(t, open(t, url, testKey).Log(), 1, 10)
			for i, want := range []string{"dos", "tres", "cuatro"} {
				message, readable := events[len(events)-3+i].Payload.(*event.VisitorMessageSent)
				if !readable || message.Text.Text != want {
					t.Errorf("%q reads %+v", want, events[len(events)-3+i])
				}
			}
		})
	}
}

// An older program brings no key along where it believes that one is stored.
func TestASealedTextWithoutAKeyIsRefused(t *testing.T) {
	url, _ := fresh(t)
	var outcome string
	if err := owner(t, url).QueryRow(t.Context(), `SELECT outcome FROM append_events(ARRAY['chat-1'], '{}', '{1}', '{-1}', '{1}', '{true}', ARRAY[NULL::bytea],
		ARRAY[NULL::integer], ARRAY[NULL::integer], ARRAY[NULL::jsonb], ARRAY[NULL::text], '{1}', '{0}', ARRAY[gen_random_uuid()], '{VisitorMessageSent}', '{1}',
		ARRAY[now()], '{"{}"}', '{"{}"}', '{"{}"}')`).Scan(&outcome); err != nil || outcome != "key missing" {
		t.Errorf("%q, %v", outcome, err)
	}
}
