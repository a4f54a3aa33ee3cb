package crash

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// edit is a change of a source file: text that stands in it once, and what replaces it; without a text
// it is a new file.
type edit struct{ file, old, new string }

// updated builds the programs of this checkout as a later version of them may be, into a directory of that name
// in the checkout's cache, which outlives the test: more than one may use it.
func updated(t *testing.T, name string, edits ...edit) (dir string) {
	t.Helper()
	beside, err := programtest.Binaries()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(beside, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	for _, e := range edits {
		file, err := filepath.Abs(filepath.Join("../../..", e.file))
		if err != nil {
			t.Fatal(err)
		}
		if overlay[file] == "" {
			overlay[file] = file
		}
		var text []byte
		if e.old != "" {
			if text, err = os.ReadFile(overlay[file]); err != nil || strings.Count(string(text), e.old) != 1 {
				t.Fatalf("%s does not hold %q once: %v", e.file, e.old, err)
			}
		}
		overlay[file] = filepath.Join(dir, filepath.Base(e.file))
		if err := os.WriteFile(overlay[file], []byte(strings.Replace(string(text), e.old, e.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-tags", "nodynamic", "-overlay", filepath.Join(dir, "overlay.json"), "-o", dir+"/", "bitacora/cmd/bitacora", "bitacora/cmd/chserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build updated programs: %v\n%s", err, out)
	}
	return dir
}

// TestEventsOfAnOlderVersionMeanTheSameToALaterProgram updates the program to one in which
// a booking has a further version, and rebuilds what the one before recorded.
func TestEventsOfAnOlderVersionMeanTheSameToALaterProgram(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.Running(t)
	v := visits[1]
	booked := v.Add(&event.AppointmentBooked{Conversation: v.About, BookingID: "b-1", Source: "staff", Slot: v.At.Add(24 * time.Hour)})
	p.Applied(a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	p.Programs = laterProgram(t)
	p.Start()
	a = p.App()
	if out := p.MustRun("rebuild"); !strings.Contains(out, "no difference") || !strings.Contains(out, "build b2 is live") {
		t.Error(out)
	}
	for _, build := range []string{"b1", "b2"} {
		var sources []string
		var position uint64
		err := programtest.Tables(t, a, build).QueryRow(context.Background(),
			"SELECT booking_sources, booked_position FROM conversations FINAL WHERE conversation_id = 'visit-1'").Scan(&sources, &position)
		if err != nil || !slices.Equal(sources, []string{"staff"}) || position != uint64(booked) {
			t.Errorf("build %s: booked by %v at %d, %v", build, sources, position, err)
		}
	}
	p.MustRun("verify")
}

// TestARollingUpdateAndBack updates two programs behind a proxy one after the other to a version with a
// migration, starts one of the former version anew beside them, and goes back, of which nobody notices anything.
func TestARollingUpdateAndBack(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	schema, err := postgres.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	const later = "9000_later"
	next := updated(t, "migrated", edit{file: "schema/postgres/" + later + ".sql", new: "-- Programs that know " + schema + ` go on beside it.
ALTER TABLE staff_accounts ADD COLUMN telephone text;
COMMENT ON COLUMN staff_accounts.telephone IS 'Of nobody yet.';
`})
	i := manyPrograms(t, nil, nil)
	people := newClients(t, i.door)
	people.arrive(4, 50*time.Millisecond)
	i.failures()
	i.strict.Store(true)
	replace := func(p *programtest.Program, programs, schema string) {
		t.Helper()
		before := people.acknowledgements()
		p.Stop()
		p.Programs = programs
		i.returns(p)
		if p.Does == "" {
			if said, err := p.Readiness(); err != nil || said.Version == nil || said.Version.Schema != schema {
				t.Errorf("%s runs %+v, %v", p.Addr, said.Version, err)
			}
		}
		p.Eventually("people are answered", time.Minute, func() error {
			if people.acknowledgements() < before+20 {
				return errors.New("fewer than 20 answers since")
			}
			return nil
		})
	}
	now := strings.TrimSuffix(schema, ".sql")
	replace(i.servers[0], next, later)
	replace(i.servers[1], "", now)
	update := append(slices.Clone(i.servers), i.followers[0])
	for _, p := range update[1:] {
		replace(p, next, later)
	}
	for _, p := range update {
		replace(p, "", now)
	}
	i.strict.Store(false)
	if failed := i.failures(); len(failed) > 0 {
		t.Errorf("%d requests failed: %v", len(failed), failed)
	}
	people.leave()
	people.servers = i.servers
	people.mustAddUp()
	if out, err := i.servers[0].Run("", "doctor"); !strings.Contains(out, "->  versions") || !strings.Contains(out, "goes on beside it") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
}
