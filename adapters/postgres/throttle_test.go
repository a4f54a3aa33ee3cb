package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/throttle"
)

// TestBucketsHoldInSum takes of the same buckets at three processes at once.
func TestBucketsHoldInSum(t *testing.T) {
	url, _ := fresh(t)
	var processes []*postgres.DB
	for range 3 {
		processes = append(processes, postgrestest.Open(t, url, testKey))
	}
	r := throttle.Rate{Every: time.Second, Burst: 10, Patience: 5}
	at := time.Now()
	take := func(i int, at time.Time) throttle.Verdict {
		needed, err := processes[i%3].Throttle(func() time.Time { return at }).Take(t.Context(),
			throttle.Bucket{Rate: throttle.Rate{Every: time.Microsecond, Burst: 1000}, Key: "everybody"}, throttle.Bucket{Rate: r, Key: "one"})
		if err != nil {
			t.Error(err)
			return throttle.Abuse
		}
		v, _ := r.Judge(needed[1])
		return v
	}
	all := func(at time.Time) (count [3]int) {
		var mu sync.Mutex
		var taking sync.WaitGroup
		for i := range 60 {
			taking.Go(func() {
				v := take(i, at)
				mu.Lock()
				defer mu.Unlock()
				count[v]++
			})
		}
		taking.Wait()
		return count
	}
	if count := all(at); count != [3]int{10, 5, 45} {
		t.Errorf("passed, slowed down, refused: %v", count)
	}
	if count := all(at.Add(8 * time.Second)); count != [3]int{3, 5, 52} {
		t.Errorf("8 seconds later: %v", count)
	}
	if count := all(at.Add(time.Hour)); count != [3]int{10, 5, 45} {
		t.Errorf("an hour later: %v", count)
	}
}

// TestBucketsGoByTheClockOfTheDatabase and by none of a process, which may be ahead of another's.
func TestBucketsGoByTheClockOfTheDatabase(t *testing.T) {
	url, db := fresh(t)
	conn := owner(t, url)
	now := func() (now time.Time) {
		if err := conn.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&now); err != nil {
			t.Fatal(err)
		}
		return now
	}
	const every = time.Hour
	from := now()
	for n := range 2 {
		needed, err := db.Throttle(nil).Take(t.Context(), throttle.Bucket{Rate: throttle.Rate{Every: every, Burst: 3}, Key: "one"})
		if err != nil || len(needed) != 1 || needed[0].Round(time.Minute) != time.Duration(n)*every {
			t.Errorf("token %d: %v, %v", n, needed, err)
		}
	}
	var fullAt time.Time
	if err := conn.QueryRow(t.Context(), "SELECT full_at FROM throttles").Scan(&fullAt); err != nil {
		t.Fatal(err)
	}
	if first := fullAt.Add(-2 * every); first.Before(from) || first.After(now()) {
		t.Errorf("the first token was taken at %v", first)
	}
}

// TestFullBucketsAreForgotten leaves no trace of an address once it owes nothing, whatever the clock of
// whoever looks says, and waits for nobody who takes a token.
func TestFullBucketsAreForgotten(t *testing.T) {
	url, db := fresh(t)
	now := time.Now()
	for key, at := range map[string]time.Time{"empty": now.Add(time.Hour), "full": now.Add(-time.Hour), "being taken of": now.Add(-2 * time.Hour)} {
		b := throttle.Bucket{Rate: throttle.Rate{Every: time.Second, Burst: 10}, Key: key}
		if _, err := db.Throttle(func() time.Time { return at }).Take(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	conn := owner(t, url)
	taking, err := owner(t, url).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := taking.Exec(t.Context(), "SELECT FROM throttles ORDER BY full_at LIMIT 1 FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	forget := func(want int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, clock := range []time.Time{now.Add(-24 * time.Hour), now.Add(24 * time.Hour)} {
			if err := db.Log().ForgetAddresses(ctx, clock); err != nil {
				t.Fatal(err)
			}
		}
		var kept int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM throttles").Scan(&kept); err != nil || kept != want {
			t.Errorf("%d buckets are kept, want %d, %v", kept, want, err)
		}
	}
	forget(2)
	if err := taking.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	forget(1)
}

// TestWhatIsAnnouncedWhileNobodyListensIsLookedFor once the connection is there again.
func TestWhatIsAnnouncedWhileNobodyListensIsLookedFor(t *testing.T) {
	url, db := fresh(t)
	account, err := db.Staff().AddAccount(t.Context(), "ana@clinica.example", "hash", "staff")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Staff().CreateSession(t.Context(), [32]byte{1}, account.ID, "", time.Now()); err != nil {
		t.Fatal(err)
	}
	other := postgrestest.Open(t, url, testKey)
	<-other.SessionsEnded()
	ended := other.SessionsEnded()
	// It takes a second before it connects again.
	exec(t, owner(t, url), `WITH cut AS MATERIALIZED (
			SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'
		) DELETE FROM staff_sessions WHERE (SELECT bool_and(pg_terminate_backend) FROM cut)`)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the session that ended meanwhile was not announced")
	}
	if open, err := other.Staff().SessionOpen(t.Context(), [32]byte{1}, time.Now()); open || err != nil {
		t.Errorf("the session is open: %v, %v", open, err)
	}
}

// TestAnEndedSessionIsAnnounced to other processes, whatever ended it.
func TestAnEndedSessionIsAnnounced(t *testing.T) {
	url, db := fresh(t)
	other := postgrestest.Open(t, url, testKey)
	accounts := db.Staff()
	account, err := accounts.AddAccount(t.Context(), "ana@clinica.example", "hash", "staff")
	if err != nil {
		t.Fatal(err)
	}
	// The first is closed once the other process listens.
	<-other.SessionsEnded()
	for i, end := range []func() error{
		func() error { _, err := accounts.DeleteSession(t.Context(), [32]byte{0}); return err },
		func() error { _, err := accounts.EndSessions(t.Context(), account.ID, [32]byte{}); return err },
		func() error { return accounts.SetPassword(t.Context(), account.ID, "another", [32]byte{}) },
		func() error { return accounts.RemoveAccount(t.Context(), account.ID) },
	} {
		ended := other.SessionsEnded()
		if err := accounts.CreateSession(t.Context(), [32]byte{byte(i)}, account.ID, "", time.Now()); err != nil {
			t.Fatal(err)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Errorf("way %d of ending a session was not announced", i)
		}
	}
}
