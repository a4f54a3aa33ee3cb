package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/offsite"
	"bitacora/adapters/offsite/offsitetest"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/staff"
)

// copies are two places for the copy of a log, and who can open it.
type copies struct{ log, keys, identity, recipient string }

func newCopies(t *testing.T, log string) copies {
	t.Helper()
	who, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	e := copies{log, "file://" + t.TempDir(), filepath.Join(t.TempDir(), "identity"), who.Recipient().String()}
	programtest.Write(t, e.identity, []byte(who.String()), 0o600)
	return e
}

func (e copies) settings() []string {
	return []string{"BITACORA_REPLICATE=" + e.log, "BITACORA_REPLICATE_KEYS=" + e.keys, "BITACORA_REPLICATE_RECIPIENTS=" + e.recipient}
}

func (e copies) restore(more ...string) []string {
	return append([]string{"restore", "--from", e.log, "--keys", e.keys, "--identity", e.identity}, more...)
}

// copied waits until the copy elsewhere has all that was committed until now, and can be restored.
func (e copies) copied(p *programtest.Program) {
	p.T.Helper()
	log, err := offsite.Open(e.log)
	if err != nil {
		p.T.Fatal(err)
	}
	now := time.Now()
	p.Eventually("the log is copied elsewhere", 2*time.Minute, func() error {
		ready, err := p.Readiness()
		if err != nil {
			return err
		}
		if ready.OffsiteAsOf == nil || ready.OffsiteAsOf.Before(now) {
			return fmt.Errorf("it is as of %v, and this is %v", ready.OffsiteAsOf, now)
		}
		_, err = offsite.Find(p.T.Context(), log, time.Time{})
		return err
	})
}

// opened is all that the copy has up to a point, one file after the other, as whoever has the identity but no key reads it.
func (e copies) opened(t *testing.T, log offsite.Target, point offsite.Point) (all []byte) {
	t.Helper()
	text, err := os.ReadFile(e.identity)
	if err != nil {
		t.Fatal(err)
	}
	who, err := age.ParseIdentities(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := point.Fetch(t.Context(), log, who, dir, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// disappear ends a program with its machine.
func disappear(p *programtest.Program, a *app.App) {
	p.T.Helper()
	p.Kill("serve")
	if err := errors.Join(a.Close(), os.RemoveAll(filepath.Join(p.Dir, "data"))); err != nil {
		p.T.Fatal(err)
	}
}

func TestALogComesBackFromACopyElsewhere(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	there := newCopies(t, "file://"+t.TempDir())
	p, a, visits := programtest.RunningEmbedded(t, there.settings()...)
	p.SignIn()
	there.copied(p)
	before, formerKeys := time.Now(), t.TempDir()
	if err := os.CopyFS(formerKeys, os.DirFS(strings.TrimPrefix(there.keys, "file://"))); err != nil {
		t.Fatal(err)
	}
	visits[0].Say("esto viene después")
	events := a.DB.Log()
	if err := errors.Join(a.Config.Ledger().Add([]string{chat.Stream("visit-2")}, time.Now()), events.DestroyKey(t.Context(), chat.Stream("visit-2"))); err != nil {
		t.Fatal(err)
	}
	there.copied(p)
	head, err := events.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f := p.Examined("offsite"); f.Status != "ok" {
		t.Errorf("doctor says %+v", f)
	}
	if out := p.MustRun(there.restore("--drill")...); !strings.Contains(out, fmt.Sprintf("%d events came back for a trial", head)) {
		t.Errorf("a drill says:\n%s", out)
	}
	log, err := offsite.Open(there.log)
	if err != nil {
		t.Fatal(err)
	}
	if err := offsite.NoteDrill(t.Context(), log, offsite.Drill{At: time.Now().AddDate(0, 0, -36)}); err != nil {
		t.Fatal(err)
	}
	if f := p.Examined("offsite"); f.Status != "warning" || !strings.Contains(f.Sentence, "nobody opened the copy") {
		t.Errorf("36 days after a drill, doctor says %+v", f)
	}
	disappear(p, a)

	point, err := offsite.Find(t.Context(), log, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	copied := there.opened(t, log, point)
	if !bytes.Contains(copied, []byte(chat.Stream("visit-2"))) || bytes.Contains(copied, []byte("esto viene")) {
		t.Error("who opens the copy reads texts in it, or nothing at all")
	}
	// Nothing that was copied is later than the end. The first one takes the places over, and has a base backup of its own there, which is later than the moments.
	for _, c := range []struct {
		name   string
		at     []string
		events int64
	}{
		{"newest", nil, head},
		{"end", []string{"--at", point.Until.Format(time.RFC3339Nano)}, head},
		{"position", []string{"--position", fmt.Sprint(head - 1)}, head - 1},
		{"before", []string{"--at", before.Format(time.RFC3339Nano)}, head - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := programtest.NewEmbedded(t, there.settings()...)
			out := q.MustRun(there.restore(c.at...)...)
			if !strings.Contains(out, fmt.Sprintf("\n%d events are back", c.events)) {
				t.Errorf("want %d events back:\n%s", c.events, out)
			}
			q.Start()
			b := q.App()
			if inLog, inTables := programtest.ReadableTexts(t, b, len(visits)); inLog != "01345" || inTables != "01345" {
				t.Errorf("the log tells of %s, the tables of %s; want all but 2", inLog, inTables)
			}
			if open, err := b.DB.Staff().OpenSessions(t.Context(), staff.Token{}, time.Now()); err != nil || len(open) > 0 {
				t.Errorf("the sessions %v came back, %v", open, err)
			}
			there.copied(q)
			if out, err := q.Run("", there.restore()...); err == nil || !strings.Contains(out, "holds a database") {
				t.Errorf("a restore over a log: %v\n%s", err, out)
			}
		})
	}

	noKeys, olderKeys, stranger := there, there, newCopies(t, there.log)
	noKeys.keys, olderKeys.keys, stranger.keys = "file://"+t.TempDir(), "file://"+formerKeys, there.keys
	for says, from := range map[string]copies{"holds no keys": noKeys, "has a ledger of 0 erasures, and 2 were there": olderKeys, "identity did not match": stranger} {
		q := programtest.NewEmbedded(t)
		if out, err := q.Run("", from.restore()...); err == nil || !strings.Contains(out, says) {
			t.Errorf("want %q: %v\n%s", says, err, out)
		}
		if left, _ := filepath.Glob(filepath.Join(q.Dir, "data", "keys", "*")); len(left) > 0 {
			t.Errorf("%q leaves %v", says, left)
		}
	}
}

// TestASlotThatNobodyUsesIsDropped, also on a server of one's own. It is the server's, so no other program starts meanwhile.
func TestASlotThatNobodyUsesIsDropped(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	a := p.App()
	programtest.SQL(t, a, "SELECT pg_create_physical_replication_slot('"+offsite.Slot+"', true)")
	if f := p.Examined("offsite"); f.Status != "failed" || !strings.Contains(f.Sentence, "for a copy that is no longer made") {
		t.Errorf("doctor says %+v", f)
	}
	p.Stop()
	p.Start()
	p.Eventually("the slot is gone", time.Minute, func() error {
		if about, err := postgres.AboutServer(t.Context(), a.At.DatabaseURL); err != nil || about.Slot.Kept != nil {
			return fmt.Errorf("%+v, %v", about.Slot, err)
		}
		return nil
	})
	if f := p.Examined("offsite"); f.Status == "failed" {
		t.Errorf("doctor says %+v", f)
	}
}

// TestAMachineThatDisappearsLosesNoMoreThanItSaid kills everything under load, at places of each kind. BITACORA_CRASH_ROUNDS
// repeats it.
func TestAMachineThatDisappearsLosesNoMoreThanItSaid(t *testing.T) {
	enginestest.Long(t)
	rounds, _ := strconv.Atoi(os.Getenv("BITACORA_CRASH_ROUNDS"))
	for round := range max(1, rounds) {
		for kind, log := range offsitetest.Targets(t) {
			t.Run(fmt.Sprint(kind, round), func(t *testing.T) {
				t.Parallel()
				there := newCopies(t, log)
				p, a, visits := programtest.RunningEmbedded(t, there.settings()...)
				there.copied(p)
				var mu sync.Mutex
				acknowledged := map[int64]time.Time{}
				stop := make(chan struct{})
				var saying sync.WaitGroup
				saying.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-stop:
							return
						case <-time.After(20 * time.Millisecond):
						}
						at := visits[0].Say(fmt.Sprintf("mensaje %d", i))
						mu.Lock()
						acknowledged[at] = time.Now()
						mu.Unlock()
					}
				})
				there.copied(p)
				ready, err := p.Readiness()
				if err != nil || ready.OffsiteAsOf == nil {
					t.Fatalf("%+v, %v", ready, err)
				}
				close(stop)
				saying.Wait()
				disappear(p, a)

				q := programtest.NewEmbedded(t)
				out := q.MustRun(there.restore()...)
				var back int64
				line := out[strings.LastIndex(out[:strings.Index(out, " events are back")], "\n")+1:]
				if _, err := fmt.Sscan(line, &back); err != nil {
					t.Fatalf("%v:\n%s", err, out)
				}
				for position, at := range acknowledged {
					if position > back && at.Before(*ready.OffsiteAsOf) {
						t.Errorf("event %d of %v is lost, and the copy was as of %v", position, at, ready.OffsiteAsOf)
					}
				}
			})
		}
	}
}
