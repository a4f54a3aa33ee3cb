package backup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

func noted(t *testing.T, log *postgres.Log, id string) {
	t.Helper()
	_, err := log.Append(t.Context(), event.Append{Stream: event.ContactStream(id), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
		ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.ContactMessageReceived{
			ContactID: id, Channel: "web", NoticeVersion: "1", Name: "Ana Pérez", Phone: "6123-4567", Message: "hola", HasPhone: true,
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

func rotations(t *testing.T, log *postgres.Log) (all []event.KeysRotated) {
	t.Helper()
	events, err := log.ReadStream(t.Context(), event.OperatorStream)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		all = append(all, *e.Payload.(*event.KeysRotated))
	}
	return all
}

// TestKeysAreRotatedByCommand while the program runs, which goes on with the new key.
func TestKeysAreRotatedByCommand(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	log := p.App().DB.Log()
	noted(t, log, "m1")
	noted(t, log, "m2")
	if err := log.DestroyKey(t.Context(), event.ContactStream("m1")); err != nil {
		t.Fatal(err)
	}
	said := p.MustRun("keys", "rotate")
	if !strings.Contains(said, "key epoch 1 began: 1 keys") || !strings.Contains(said, "1 subjects had been erased") {
		t.Errorf("it said %q", said)
	}
	if all := rotations(t, log); len(all) != 1 || all[0] != (event.KeysRotated{KeyEpoch: 1, Survivors: 1, Erased: 1}) {
		t.Errorf("taken down: %+v", all)
	}
	files, err := filepath.Glob(filepath.Join(p.Dir, "data", "keys", "epoch-*"))
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "epoch-0001.key" {
		t.Errorf("key files %v, %v", files, err)
	}
	if _, err := os.Stat(filepath.Join(p.Dir, "data", "master.key")); !os.IsNotExist(err) {
		t.Errorf("a new installation has a master.key: %v", err)
	}
	noted(t, log, "m2")
	p.Stop()
	p.Start()
	events, err := p.App().DB.Log().ReadStream(t.Context(), event.ContactStream("m2"))
	if err != nil || len(events) != 2 || events[1].Payload.(*event.ContactMessageReceived).Name != "Ana Pérez" {
		t.Errorf("read %+v, %v", events, err)
	}
}

func TestKeysAreRotatedByNightWhereSomebodyWasErased(t *testing.T) {
	url, keys := postgrestest.Database(t), keyfiles.Store{Dir: t.TempDir()}
	log := postgrestest.Open(t, url, keys).Log()
	noted(t, log, "m1")
	noted(t, log, "m2")
	night := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	at := func(when time.Time, want int) {
		t.Helper()
		done, err := rotateIfDue(t.Context(), log, when)
		if err != nil || done.KeyEpoch != want {
			t.Errorf("at %v: %+v, %v; want key epoch %d", when, done, err, want)
		}
	}
	at(night, 0) // nobody was erased
	if err := log.DestroyKey(t.Context(), event.ContactStream("m1")); err != nil {
		t.Fatal(err)
	}
	at(night.Add(-time.Minute), 0)
	at(night.Add(2*time.Hour), 0)
	at(night.Add(2*time.Hour-time.Minute), 1)
	at(night.AddDate(0, 0, 1), 0)
	// One that was cut off is finished by day, and one that was not taken down is.
	ctx, cut := context.WithCancel(t.Context())
	if _, err := log.Rotate(ctx, func(int, int) { cut() }); err == nil {
		t.Fatal("it was not cut off")
	}
	at(night.Add(12*time.Hour), 2)
	if _, err := log.Rotate(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	at(night.Add(12*time.Hour), 0)
	at(night.Add(13*time.Hour), 0)
	all := rotations(t, log)
	for i, want := range []event.KeysRotated{{KeyEpoch: 1, Survivors: 1, Erased: 1}, {KeyEpoch: 2, Survivors: 1}, {KeyEpoch: 3, Survivors: 1}} {
		if len(all) != 3 || all[i] != want {
			t.Errorf("taken down: %+v", all)
			break
		}
	}
}
