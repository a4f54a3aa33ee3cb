package offsite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
)

func TestMain(m *testing.M) { enginestest.Main(m) }

// fault is what a place does with some of the objects that it is given.
type fault struct {
	// of is a part of their names.
	of string
	// put ends with an error, or the object is stored after it.
	put func(context.Context, io.Reader) error
}

var errAway, errFull = errors.New("the place is away"), &fs.PathError{Op: "write", Path: "piece", Err: syscall.ENOSPC}

func away(context.Context, io.Reader) error { return errAway }

// full takes a part of an object.
func full(_ context.Context, body io.Reader) error {
	_, _ = io.CopyN(io.Discard, body, 100)
	return errFull
}

// flaky is a target with a fault now and then.
type flaky struct {
	Target
	fault atomic.Pointer[fault]
}

func (f *flaky) Put(ctx context.Context, name string, body io.Reader) error {
	if fault := f.fault.Load(); fault != nil && strings.Contains(name, fault.of) {
		if err := fault.put(ctx, body); err != nil {
			return err
		}
	}
	return f.Target.Put(ctx, name, body)
}

// shipping is a shipper of a database of this test.
type shipping struct {
	*Shipper
	t        *testing.T
	conn     *pgx.Conn
	log      *flaky
	identity *age.X25519Identity
	erasures atomic.Int64
}

func newShipping(t *testing.T, epoch string, log, keys Target) *shipping {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	s := &shipping{t: t, log: &flaky{Target: log}, identity: identity}
	url := enginestest.Postgres(t)
	if s.conn, err = pgx.Connect(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.conn.Close(context.Background()) })
	key := filepath.Join(t.TempDir(), "epoch-0001.key")
	if err := os.WriteFile(key, []byte("the key"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := []age.Recipient{identity.Recipient()}
	s.Shipper = &Shipper{
		URL: url, Target: s.log, Recipients: to, Keep: time.Hour, Every: 50 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Epoch: func(context.Context) (string, error) { return epoch, nil },
		Files: &Files{Target: keys, Recipients: to, Here: func() (map[string]string, error) { return map[string]string{"keys/epoch-0001.key": key}, nil },
			Erasures: func() (int, error) { return int(s.erasures.Load()), nil }},
	}
	return s
}

// run ships until the test ends or stop is called.
func (s *shipping) run() (stop func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	stop = func() { cancel(); <-ended }
	s.t.Cleanup(func() {
		stop()
		if err := DropSlot(context.Background(), s.URL); err != nil {
			s.t.Error(err)
		}
	})
	return stop
}

func (s *shipping) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.conn.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

// eventually waits for a condition that shipping brings about.
func (s *shipping) eventually(what string, is func(Status) bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		st := s.Status()
		if is(st) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("not %s: %+v", what, st)
		}
	}
}

// caughtUp waits until all that was committed until now is at the target.
func (s *shipping) caughtUp() {
	s.t.Helper()
	// The log of a base backup ends after what was there when the backup was not.
	for range 2 {
		now := time.Now()
		s.eventually("caught up", func(st Status) bool { return st.AsOf.After(now) && !st.Base.IsZero() })
	}
}

// restored is the text of the files that a restore of a moment would bring.
func (s *shipping) restored(at time.Time) (p Point, text []byte) {
	s.t.Helper()
	p, err := Find(s.t.Context(), s.Target, at)
	if err != nil {
		s.t.Fatal(err)
	}
	dir := s.t.TempDir()
	if err := p.Fetch(s.t.Context(), s.Target, []age.Identity{s.identity}, dir, func(int64, int64) {}); err != nil {
		s.t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "pg_wal", "0*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range files {
		part, err := os.ReadFile(f)
		if err != nil {
			s.t.Fatal(err)
		}
		text = append(text, part...)
	}
	return p, text
}

func folders(t *testing.T) (log, keys Target) {
	t.Helper()
	return targetAt(t, "file://"+t.TempDir()), targetAt(t, "file://"+t.TempDir())
}

// TestTheLogIsShippedThroughFaults: a place that is away or full costs nothing but time, whichever object it refuses.
func TestTheLogIsShippedThroughFaults(t *testing.T) {
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	s.exec("CREATE TABLE shipped (line text)")
	s.run()
	s.caughtUp()
	wanted := []string{}
	for i, test := range []struct {
		fault
		err error
	}{{fault{"wal/", away}, errAway}, {fault{"wal/", full}, errFull}, {fault{"wal/", away}, errAway}, {fault{writerFile, away}, nil}} {
		s.log.fault.Store(&test.fault)
		before := s.Status().AsOf
		line := fmt.Sprintf("a line of the outage %d of the place", i)
		s.exec("INSERT INTO shipped VALUES ($1)", line)
		wanted = append(wanted, line)
		if test.err != nil { // the writer's file is only read after the first time
			s.eventually("noticed", func(st Status) bool { return errors.Is(st.Err, test.err) })
			if after := s.Status().AsOf; after.After(before.Add(s.Every * 4)) {
				t.Errorf("while %s was refused it went from %v to %v", test.of, before, after)
			}
		}
		s.log.fault.Store(nil)
		s.caughtUp()
	}
	if err := s.Status().Err; err != nil {
		t.Errorf("it goes on, and says %v", err)
	}
	p, text := s.restored(time.Time{})
	if p.Cut {
		t.Errorf("there is %+v", p)
	}
	for _, line := range wanted {
		if !bytes.Contains(text, []byte(line)) {
			t.Errorf("%q is missing", line)
		}
	}
	if names, err := keys.List(t.Context(), filesFolder); err != nil || len(names) != 1 {
		t.Errorf("the keys there are %v, %v", names, err)
	}
	filepath.WalkDir(strings.TrimPrefix(log.String(), "file://"), func(name string, _ os.DirEntry, _ error) error {
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("a line of the outage")) {
			t.Errorf("%s can be read", name)
		}
		return nil
	})
}

// TestASlowPlaceHoldsNobodyUp: the database takes what comes meanwhile, the lag says so, and nothing is lost.
func TestASlowPlaceHoldsNobodyUp(t *testing.T) {
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	s.exec("CREATE TABLE slowly (line text)")
	s.run()
	s.caughtUp()
	reached, goOn := make(chan struct{}, 1), make(chan struct{})
	s.log.fault.Store(&fault{"wal/", func(ctx context.Context, _ io.Reader) error {
		signal(reached)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-goOn:
			return nil
		}
	}})
	var wanted []string
	var held time.Time
	for i := range 20 {
		wanted = append(wanted, fmt.Sprintf("line %d while the place is slow", i))
		s.exec("INSERT INTO slowly VALUES ($1)", wanted[i])
		if i == 0 {
			<-reached
			held = s.Status().AsOf
		}
	}
	if st := s.Status(); st.Err != nil || !st.AsOf.Equal(held) {
		t.Errorf("while the place is slow, it holds up to %v: %+v", held, st)
	}
	close(goOn)
	s.caughtUp()
	if st := s.Status(); st.Err != nil {
		t.Errorf("afterwards it says %v", st.Err)
	}
	_, text := s.restored(time.Time{})
	for _, line := range wanted {
		if !bytes.Contains(text, []byte(line)) {
			t.Errorf("%q is missing", line)
		}
	}
}

// TestAMegabyteIsShippedBeforeItsTime: what a busy clinic would lose is bounded by its bytes, too.
func TestAMegabyteIsShippedBeforeItsTime(t *testing.T) {
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	s.Every = time.Hour
	s.exec("CREATE TABLE much (line text)")
	s.run()
	s.eventually("followed", func(st Status) bool { return !st.Base.IsZero() })
	s.exec("INSERT INTO much SELECT repeat(md5(i::text), 30) FROM generate_series(1, 4000) i")
	s.eventually("shipped", func(Status) bool {
		names, err := log.List(t.Context(), "epoch-1/wal")
		return err == nil && len(names) > 0
	})
}

// TestAPieceThatIsMissingEndsTheLog: nothing after it could be applied.
func TestAPieceThatIsMissingEndsTheLog(t *testing.T) {
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	s.exec("CREATE TABLE cut_log (line text)")
	stop := s.run()
	for i := range 3 {
		s.caughtUp()
		s.exec("INSERT INTO cut_log VALUES ($1)", fmt.Sprintf("line %d of the cut log", i))
	}
	s.caughtUp()
	stop()
	whole, err := Find(t.Context(), log, time.Time{})
	if err != nil || whole.Cut || whole.Pieces < 3 {
		t.Fatalf("%+v, %v", whole, err)
	}
	lost := whole.log[len(whole.log)-2]
	if err := log.Delete(t.Context(), lost.name); err != nil {
		t.Fatal(err)
	}
	cut, err := Find(t.Context(), log, time.Time{})
	if err != nil || !cut.Cut || cut.Pieces != whole.Pieces-2 || cut.reaches() != lost.start {
		t.Errorf("without a piece: %+v, %v", cut, err)
	}
	for _, p := range whole.log {
		if err := log.Delete(t.Context(), p.name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Find(t.Context(), log, time.Time{}); !errors.Is(err, ErrNothingThere) {
		t.Errorf("without the log: %v", err)
	}
}

// TestOneLogAtATarget: a machine that comes back from the dead adds nothing to what its successor copies.
func TestOneLogAtATarget(t *testing.T) {
	log, keys := folders(t)
	former := newShipping(t, "epoch-1", log, keys)
	former.exec("CREATE TABLE former (line text)")
	stop := former.run()
	former.caughtUp()
	if err := TakeOver(t.Context(), "epoch-2", log, keys); err != nil {
		t.Fatal(err)
	}
	former.exec("INSERT INTO former VALUES ('after its end')")
	former.eventually("refused", func(st Status) bool { return errors.Is(st.Err, ErrOtherWriter) })
	if p, err := Find(t.Context(), log, time.Time{}); err != nil || !strings.HasPrefix(p.base.name, "epoch-1/") {
		t.Errorf("as long as the successor has copied nothing: %+v, %v", p, err)
	}
	stop() // a slot is one shipper's, and here both have one server
	successor := newShipping(t, "epoch-2", log, keys)
	successor.run()
	successor.caughtUp()
	if p, err := Find(t.Context(), log, time.Time{}); err != nil || !strings.HasPrefix(p.base.name, "epoch-2/") {
		t.Errorf("of the successor: %+v, %v", p, err)
	}
	if err := former.Status().Err; !errors.Is(err, ErrOtherWriter) {
		t.Errorf("the former one: %v", err)
	}
}

// TestOlderCopiesGo: what no kept moment needs is removed, and a new base backup is made in time.
func TestOlderCopiesGo(t *testing.T) {
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	old := time.Now().UTC().Add(-72 * time.Hour)
	for _, name := range []string{"epoch-1/base/" + old.Format(stampLayout) + ".tar" + sealEnding,
		(piece{start: 1, end: 2, cutAt: old.Add(-48 * time.Hour)}).named(walFolder("epoch-1", 1))} {
		if err := putAll(t.Context(), log, name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	about := fmt.Sprintf(`{"takenAt": %q, "start": "0/1", "end": "0/2", "timeline": 1}`, old.Format(time.RFC3339))
	if err := putAll(t.Context(), log, "epoch-1/base/"+old.Format(stampLayout)+baseEnding, []byte(about)); err != nil {
		t.Fatal(err)
	}
	s.run()
	s.caughtUp()
	list, err := bases(t.Context(), log, "epoch-1")
	if err != nil || len(list) != 2 {
		t.Fatalf("the one before the oldest kept moment stays: %+v, %v", list, err)
	}
	s.Keep = time.Nanosecond
	if err := s.prune(t.Context(), "epoch-1", list); err != nil {
		t.Fatal(err)
	}
	names, err := log.List(t.Context(), "epoch-1/base")
	if err != nil || len(names) != 2 {
		t.Errorf("there are %v, %v", names, err)
	}
	if left, err := pieces(t.Context(), log, walFolder("epoch-1", 1), old.Add(-48*time.Hour)); err != nil || len(left) > 0 {
		t.Errorf("older pieces are left: %v, %v", left, err)
	}
}

// TestWhatIsDamagedAtTheTargetIsFoundWithoutAnIdentity, one share a day.
func TestWhatIsDamagedAtTheTargetIsFoundWithoutAnIdentity(t *testing.T) {
	const shares = 7
	log, keys := folders(t)
	s := newShipping(t, "epoch-1", log, keys)
	s.exec("CREATE TABLE checked (line text)")
	stop := s.run()
	s.caughtUp()
	stop()
	list, err := bases(t.Context(), log, "epoch-1")
	if err != nil || len(list) == 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	log1, err := log.List(t.Context(), "epoch-1/wal")
	if err != nil || len(log1) == 0 {
		t.Fatalf("%v, %v", log1, err)
	}
	check := func() (all []string) {
		t.Helper()
		for share := range shares {
			found, err := Check(t.Context(), log, "epoch-1", share, shares)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, found...)
		}
		return all
	}
	if found := check(); len(found) > 0 {
		t.Errorf("a whole copy: %v", found)
	}
	archive := list[0].name + ".tar" + sealEnding
	for _, name := range []string{archive, log1[0]} {
		text, err := getAll(t.Context(), log, name)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := putAll(t.Context(), log, name, text); err != nil {
			t.Fatal(err)
		}
		if found := check(); len(found) != 1 || !strings.HasPrefix(found[0], name+" is not as it was written") {
			t.Errorf("a bit of %s: %v", name, found)
		}
		text[len(text)/2] ^= 1
		if err := putAll(t.Context(), log, name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Delete(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	if found := check(); len(found) != 1 || found[0] != archive+" is missing" {
		t.Errorf("without the base backup: %v", found)
	}
}

// TestADrillIsRememberedAtTheTarget: before the first one, since when the place is written counts.
func TestADrillIsRememberedAtTheTarget(t *testing.T) {
	log, _ := folders(t)
	if err := takeOver(t.Context(), log, "epoch-1"); err != nil {
		t.Fatal(err)
	}
	if at, err := DrilledAt(t.Context(), log); err != nil || time.Since(at) > time.Hour {
		t.Errorf("before the first drill: %v, %v", at, err)
	}
	want := time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)
	if err := NoteDrill(t.Context(), log, Drill{At: want}); err != nil {
		t.Fatal(err)
	}
	if at, err := DrilledAt(t.Context(), log); err != nil || !at.Equal(want) {
		t.Errorf("after a drill: %v, %v", at, err)
	}
}
