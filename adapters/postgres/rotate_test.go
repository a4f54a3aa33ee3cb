package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/event"
)

// rotatable is a migrated database whose keys lie in files.
func rotatable(t testing.TB) (url string, keys keyfiles.Store, db *postgres.DB) {
	t.Helper()
	url, keys = postgrestest.Database(t), keyfiles.Store{Dir: filepath.Join(t.TempDir(), "keys")}
	return url, keys, postgrestest.Open(t, url, keys)
}

func subject(i int) string { return fmt.Sprintf("chat-%05d", i) }
func number(i int) string  { return fmt.Sprintf("6%07d", i) }

// fill appends a message with a number of its own to each of n streams.
func fill(t testing.TB, log *postgres.Log, n int) {
	t.Helper()
	all := make([]event.Append, n)
	for i := range all {
		all[i] = request(subject(i), 0, gave(number(i)))
	}
	if err := log.AppendAll(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

func mustRotate(t testing.TB, log *postgres.Log) postgres.Rotation {
	t.Helper()
	done, err := log.Rotate(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// mustHold checks that of the first n streams all are read and found but those that were erased.
func mustHold(t testing.TB, log *postgres.Log, n int, erased ...int) {
	t.Helper()
	gone := map[string]bool{}
	for _, i := range erased {
		gone[subject(i)] = true
	}
	at := int64(0)
	for seen := 0; seen < n; {
		events := mustRead(t, log, at, 1000)
		for _, e := range events {
			if at = e.Position; e.Stream != subject(seen) {
				continue
			}
			message, ok := e.Payload.(*event.VisitorMessageSent)
			if !ok || e.Erased != gone[e.Stream] || (message.Text.Text == "") != gone[e.Stream] {
				t.Fatalf("%s reads %+v", e.Stream, e)
			}
			found := subjects(t, log, number(seen))
			if want := map[bool]int{true: 0, false: 1}[gone[e.Stream]]; len(found) != want {
				t.Fatalf("%s is found as %v", e.Stream, found)
			}
			seen++
		}
		if len(events) == 0 {
			t.Fatalf("%d of %d streams", seen, n)
		}
	}
}

// wrappedKeys is what a copy of the database holds.
func wrappedKeys(t testing.TB, conn *pgx.Conn) map[string][]byte {
	t.Helper()
	rows, err := conn.Query(t.Context(), "SELECT subject, wrapped_key FROM subject_keys WHERE wrapped_key IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string][]byte{}
	var name string
	var wrapped []byte
	if _, err := pgx.ForEachRow(rows, []any{&name, &wrapped}, func() error { keys[name] = append([]byte(nil), wrapped...); return nil }); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestAfterARotationNoKeyOpensWhatCopiesHold(t *testing.T) {
	url, keys, db := rotatable(t)
	other := open(t, url, keys)
	fill(t, db.Log(), 30)
	mustHold(t, other.Log(), 30)
	before := wrappedKeys(t, owner(t, url))
	opens := func() (n int) {
		t.Helper()
		held, err := keys.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, wrapped := range before {
			for _, key := range held {
				if key.Opens(name, wrapped) == nil {
					n++
				}
			}
		}
		return n
	}
	if n := opens(); n != 30 {
		t.Fatalf("%d of 30 keys open before", n)
	}
	for _, i := range []int{3, 4} {
		if err := db.Log().DestroyKey(t.Context(), subject(i)); err != nil {
			t.Fatal(err)
		}
	}
	if state, err := db.Log().KeyState(t.Context()); err != nil || state.Erased != 2 || state.Rotating {
		t.Errorf("%+v, %v", state, err)
	}
	done := mustRotate(t, db.Log())
	if diff := cmp.Diff(postgres.Rotation{KeyEpoch: 1, Survivors: 28, Erased: 2, At: done.At}, done); diff != "" {
		t.Error(diff)
	}
	if n := opens(); n != 0 {
		t.Errorf("%d keys of before open", n)
	}
	// Also the process that knew nothing of it goes on, without a restart.
	mustAppend(t, other.Log(), request(subject(30), 0, gave(number(30))))
	mustAppend(t, other.Log(), request(subject(0), 1, gave(number(0))))
	for _, log := range []*postgres.Log{db.Log(), other.Log(), open(t, url, keys).Log()} {
		mustHold(t, log, 31, 3, 4)
	}
	state, err := db.Log().KeyState(t.Context())
	if diff := cmp.Diff(postgres.KeyState{KeyEpoch: 1, Last: done}, state); diff != "" || err != nil {
		t.Error(diff, err)
	}
	var old int
	if err := owner(t, url).QueryRow(t.Context(), "SELECT (SELECT count(*) FROM subject_terms WHERE key_epoch < 1) + (SELECT count(*) FROM subject_keys WHERE key_epoch < 1 AND wrapped_key IS NOT NULL)").Scan(&old); err != nil || old > 0 {
		t.Errorf("%d of the epoch before, %v", old, err)
	}
	if again := mustRotate(t, other.Log()); again.KeyEpoch != 2 || again.Erased != 0 || again.Survivors != 29 {
		t.Errorf("%+v", again)
	}
	mustHold(t, db.Log(), 31, 3, 4)
}

func TestAppendsGoOnWhileKeysAreRotated(t *testing.T) {
	url, keys, db := rotatable(t)
	other := open(t, url, keys)
	const n = 2500
	fill(t, db.Log(), n)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	appended := make([]int, 4)
	for w := range appended {
		log := []*postgres.Log{db.Log(), other.Log()}[w%2]
		running.Go(func() {
			for i := 0; ctx.Err() == nil || i < 10; i++ {
				fresh := request(fmt.Sprintf("new-%d-%d", w, i), 0, gave("264-1234"))
				known := request(subject((i*7+w)%n), event.AnyVersion, gave("264-1234"))
				for _, a := range []event.Append{fresh, known} {
					if _, err := log.Append(context.Background(), a); err != nil {
						t.Errorf("append to %s: %v", a.Stream, err)
						return
					}
				}
				appended[w]++
			}
		})
	}
	for range 3 {
		mustRotate(t, db.Log())
	}
	stop()
	running.Wait()
	mustRotate(t, other.Log())
	log := open(t, url, keys).Log()
	mustHold(t, log, n)
	want := 0
	for _, each := range appended {
		want += each
	}
	streams := map[string]bool{}
	for _, name := range subjects(t, log, "264-1234") {
		streams[name] = true
	}
	for w, each := range appended {
		for i := range each {
			if !streams[fmt.Sprintf("new-%d-%d", w, i)] {
				t.Fatalf("the %d. stream of writer %d is not found", i, w)
			}
		}
	}
}

func TestOneRotatesAtATime(t *testing.T) {
	url, keys, db := rotatable(t)
	other := open(t, url, keys)
	fill(t, db.Log(), 3)
	tried := false
	if _, err := db.Log().Rotate(t.Context(), func(int, int) {
		tried = true
		if _, err := other.Log().Rotate(t.Context(), nil); !errors.Is(err, postgres.ErrRotating) {
			t.Errorf("a second one: %v", err)
		}
	}); err != nil || !tried {
		t.Fatal(err, tried)
	}
	mustRotate(t, other.Log())
}

func TestWhoIsErasedDuringARotationStaysErased(t *testing.T) {
	url, keys, db := rotatable(t)
	const n = 2500
	fill(t, db.Log(), n)
	erased := []int{5, 1500, 2400, 6, 1501, 2401}
	heard := 0
	done, err := db.Log().Rotate(t.Context(), func(int, int) {
		if heard < len(erased) {
			if err := db.Log().DestroyKey(t.Context(), subject(erased[heard])); err != nil {
				t.Error(err)
			}
		}
		heard++
	})
	if err != nil || heard < len(erased) {
		t.Fatal(err, heard)
	}
	if done.Survivors != n-len(erased) || done.Erased != 0 {
		t.Errorf("%+v", done)
	}
	log := open(t, url, keys).Log()
	mustHold(t, log, n, erased...)
	// The new epoch's key may have wrapped theirs: the next rotation makes it provable.
	if next := mustRotate(t, log); next.Erased != len(erased) {
		t.Errorf("%+v", next)
	}
}

func TestErasuresAndARotationDoNotMissEachOther(t *testing.T) {
	url, keys, db := rotatable(t)
	const n = 3000
	fill(t, db.Log(), n)
	var erased []int
	var running sync.WaitGroup
	running.Go(func() {
		for i := n - 1; i > 0; i -= 5 {
			if err := db.Log().DestroyKey(context.Background(), subject(i)); err != nil {
				t.Error(err)
			}
			erased = append(erased, i)
		}
	})
	mustRotate(t, db.Log())
	running.Wait()
	mustHold(t, open(t, url, keys).Log(), n, erased...)
}

// hookedStore does something once a key was added.
type hookedStore struct {
	postgres.KeyStore
	added func()
}

func (s hookedStore) Add(ctx context.Context, epoch int, key postgres.EpochKey) error {
	err := s.KeyStore.Add(ctx, epoch, key)
	s.added()
	return err
}

func TestAProgramThatStartsWithinARotationGoesOn(t *testing.T) {
	url, keys, db := rotatable(t)
	fill(t, db.Log(), 2)
	var started *postgres.DB
	rotating := open(t, url, hookedStore{keys, func() { started = open(t, url, keys) }})
	mustRotate(t, rotating.Log())
	mustAppend(t, started.Log(), request(subject(2), 0, gave(number(2))))
	mustHold(t, started.Log(), 3)
	var epochs []int
	if err := owner(t, url).QueryRow(t.Context(), "SELECT array_agg(DISTINCT key_epoch) FROM (SELECT key_epoch FROM subject_keys UNION SELECT key_epoch FROM subject_terms) e").Scan(&epochs); err != nil || !cmp.Equal(epochs, []int{1}) {
		t.Errorf("key epochs %v, %v", epochs, err)
	}
}

// Of a program that knows an older key epoch nothing sealed is taken: neither the key of a new
// subject nor the terms of a known one.
func TestNothingSealedIsTakenUnderAnOlderKeyEpoch(t *testing.T) {
	url, _, db := rotatable(t)
	fill(t, db.Log(), 1)
	mustRotate(t, db.Log())
	conn := owner(t, url)
	wrapped := wrappedKeys(t, conn)[subject(0)]
	for _, tt := range []struct {
		stream          string
		key             []byte
		knows, keyEpoch int
		want            string
	}{
		{subject(0), wrapped, 0, 1, "key outdated"},
		{subject(0), wrapped, 1, 1, "stored"},
		{"chat-new", []byte("key"), 0, 0, "key outdated"},
		{"chat-new", []byte("key"), 0, 1, "key outdated"},
		{"chat-new", []byte("key"), 1, 0, "key outdated"},
		{"chat-new", []byte("key"), 1, 1, "stored"},
	} {
		var outcome string
		if err := conn.QueryRow(t.Context(), `SELECT outcome FROM append_events(ARRAY[$1], '{}', '{1}', '{-1}', '{1}', '{true}', ARRAY[$2::bytea],
			ARRAY[NULL::integer], ARRAY[NULL::integer], ARRAY[NULL::jsonb], ARRAY[NULL::text], '{1}', '{0}', ARRAY[gen_random_uuid()], '{VisitorMessageSent}', '{1}',
			ARRAY[now()], '{"{}"}', '{"{}"}', '{"{}"}', ARRAY[$3::integer], ARRAY[$4::integer])`, tt.stream, tt.key, tt.knows, tt.keyEpoch).Scan(&outcome); err != nil || outcome != tt.want {
			t.Errorf("%+v: %q, %v", tt, outcome, err)
		}
	}
}

func TestATermWithoutAKeyDoesNotHoldARotationUp(t *testing.T) {
	url, _, db := rotatable(t)
	fill(t, db.Log(), 3)
	conn := owner(t, url)
	exec(t, conn, "INSERT INTO subject_terms SELECT 'chat-' || i, 0, int4send(i), 'sealed' FROM generate_series(-1500, -1) i")
	mustRotate(t, db.Log())
	mustHold(t, db.Log(), 3)
	var left int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM subject_terms").Scan(&left); err != nil || left != 3 {
		t.Errorf("%d terms, %v", left, err)
	}
}
