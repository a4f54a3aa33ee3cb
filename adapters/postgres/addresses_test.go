package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// begin is the first message of a conversation that an address begins.
func begin(log *postgres.Log, stream string, share event.AddressLimit, limit *int, now time.Time) error {
	draft := said("hola")
	draft.OccurredAt = now
	a := request(stream, 0, draft)
	a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", Limit: limit, AddressLimit: &share}
	_, err := log.Append(context.Background(), a)
	return err
}

// wants checks that an attempt was refused, and for how long.
func wants(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	var exhausted event.AddressLimitReached
	if !errors.As(err, &exhausted) || exhausted.Wait != wait {
		t.Errorf("got %v, want to wait %v", err, wait)
	}
}

func TestAnAddressBeginsItsShareOverAllProcesses(t *testing.T) {
	url, db := fresh(t)
	const hourly, parallel = 20, 60
	logs := []*postgres.Log{db.Log(), open(t, url, testKey).Log()}
	var mu sync.Mutex
	var running sync.WaitGroup
	begun := 0
	for i := range parallel {
		running.Go(func() {
			err := begin(logs[i%2], fmt.Sprint("chat-", i), event.AddressLimit{Address: "192.0.2.1", Hourly: hourly}, nil, at)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				begun++
			} else if !errors.As(err, new(event.AddressLimitReached)) {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if taken, _ := db.Log().MonthlyCount(t.Context(), "2026-11"); begun != hourly || taken != hourly {
		t.Errorf("%d conversations began and %d of the month are taken, want %d", begun, taken, hourly)
	}
	if err := begin(db.Log(), "chat-other", event.AddressLimit{Address: "192.0.2.2", Hourly: hourly}, nil, at); err != nil {
		t.Errorf("another address: %v", err)
	}
	if err := begin(open(t, url, testKey).Log(), "chat-restarted", event.AddressLimit{Address: "192.0.2.1", Hourly: hourly}, nil, at); !errors.As(err, new(event.AddressLimitReached)) {
		t.Errorf("after a restart: %v", err)
	}
}

// TestStartsOfOneAddressWaitForEachOther begins a second conversation before the first is committed:
// it must not be counted without it. Another address waits for nobody.
func TestStartsOfOneAddressWaitForEachOther(t *testing.T) {
	url, _ := fresh(t)
	first, second, other := owner(t, url), owner(t, url), owner(t, url)
	start := func(q interface {
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	}, address byte, stream string) (refused bool, err error) {
		err = q.QueryRow(context.Background(), "SELECT address_start($1, $2, $3, 1, 0) IS NOT NULL", bytes.Repeat([]byte{address}, 32), stream, at).Scan(&refused)
		return refused, err
	}
	tx, err := first.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := start(tx, 1, "chat-1"); refused || err != nil {
		t.Fatal(refused, err)
	}
	answered := make(chan string, 1)
	go func() {
		refused, err := start(second, 1, "chat-2")
		answered <- fmt.Sprintf("refused %v, %v", refused, err)
	}()
	for waits, began := false, time.Now(); !waits && time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		if err := other.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND locktype = 'advisory' AND NOT granted)", second.PgConn().PID()).Scan(&waits); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-answered:
			t.Fatalf("the second did not wait for the first: %s", got)
		default:
		}
	}
	if refused, err := start(other, 2, "chat-3"); refused || err != nil {
		t.Errorf("another address: refused %v, %v", refused, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-answered; got != "refused true, <nil>" {
		t.Errorf("the second was %s", got)
	}
}

func TestTheShareOfAnAddressComesBack(t *testing.T) {
	_, db := fresh(t)
	share, n := event.AddressLimit{Address: "192.0.2.1", Hourly: 2, Daily: 5}, 0
	attempt := func(after time.Duration) error {
		n++
		return begin(db.Log(), fmt.Sprint("chat-", n), share, nil, at.Add(after))
	}
	for _, after := range []time.Duration{0, 20 * time.Minute} {
		if err := attempt(after); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, attempt(30*time.Minute), 30*time.Minute)
	for _, after := range []time.Duration{60 * time.Minute, 80 * time.Minute, 120 * time.Minute} {
		if err := attempt(after); err != nil {
			t.Fatalf("after %v: %v", after, err)
		}
	}
	// Five within a day, the first of them at 0.
	wants(t, attempt(5*time.Hour), 19*time.Hour)
	if err := attempt(24 * time.Hour); err != nil {
		t.Errorf("a day later: %v", err)
	}
}

func TestARepeatedBeginningTakesTheShareOnce(t *testing.T) {
	_, db := fresh(t)
	share := event.AddressLimit{Address: "192.0.2.1", Hourly: 1}
	mustAppend(t, db.Log(), request("chat-1", 0, opened()))
	for range 3 {
		if err := begin(db.Log(), "chat-1", share, nil, at); !errors.Is(err, event.ErrConflict) {
			t.Fatal(err)
		}
	}
	draft := said("hola")
	a := request("chat-1", 1, draft)
	a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", AddressLimit: &share}
	mustAppend(t, db.Log(), a)
	mustAppend(t, db.Log(), a)
	wants(t, begin(db.Log(), "chat-2", share, nil, at), time.Hour)
}

func TestAFullMonthTakesNoShareAndIsSaidFirst(t *testing.T) {
	_, db := fresh(t)
	share, limit := event.AddressLimit{Address: "192.0.2.1", Hourly: 2}, 1
	if err := begin(db.Log(), "chat-1", share, &limit, at); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := begin(db.Log(), fmt.Sprint("chat-full-", i), share, &limit, at); !errors.Is(err, event.ErrMonthlyLimitReached) {
			t.Fatal(err)
		}
	}
	more := 2
	if err := begin(db.Log(), "chat-2", share, &more, at); err != nil {
		t.Fatalf("the full month cost a share: %v", err)
	}
	if err := begin(db.Log(), "chat-3", share, &more, at); !errors.Is(err, event.ErrMonthlyLimitReached) {
		t.Errorf("with neither share nor month left: %v", err)
	}
}

// What is kept of addresses in clear is forgotten in time, also where nobody comes after.
func TestAddressesOfGuessersAndProxiesAreForgotten(t *testing.T) {
	url, db := fresh(t)
	if err := db.Staff().RecordLoginFailure(t.Context(), staff.Failure{Email: "ana@clinica.example", Address: "192.0.2.77", At: at}); err != nil {
		t.Fatal(err)
	}
	if err := db.NoteProxy(t.Context(), postgres.UnnamedProxy{Address: netip.MustParseAddr("192.0.2.77"), Header: "Via", SeenAt: at}); err != nil {
		t.Fatal(err)
	}
	conn := owner(t, url)
	for _, c := range []struct {
		after             time.Duration
		failures, proxies int
	}{{15*time.Minute - time.Second, 1, 1}, {15 * time.Minute, 0, 1}, {24*time.Hour - time.Second, 0, 1}, {24 * time.Hour, 0, 0}} {
		if err := db.Log().ForgetAddresses(t.Context(), at.Add(c.after)); err != nil {
			t.Fatal(err)
		}
		var failures, proxies int
		err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM login_failures), (SELECT count(*) FROM unnamed_proxies)`).Scan(&failures, &proxies)
		if err != nil || failures != c.failures || proxies != c.proxies {
			t.Errorf("after %v: %d failed logins and %d proxies are kept, %v", c.after, failures, proxies, err)
		}
	}
}

func TestAddressesAreHashedAndForgotten(t *testing.T) {
	url, db := fresh(t)
	share := event.AddressLimit{Address: "192.0.2.77", Hourly: 1}
	if first, err := db.Log().FirstRefusal(t.Context(), at.Add(-time.Hour), at.Add(time.Hour)); err != nil || !first.IsZero() {
		t.Errorf("refused at %v, %v", first, err)
	}
	if err := begin(db.Log(), "chat-1", share, nil, at); err != nil {
		t.Fatal(err)
	}
	wants(t, begin(db.Log(), "chat-2", share, nil, at.Add(time.Minute)), 59*time.Minute)
	first, err := db.Log().FirstRefusal(t.Context(), at.Add(-time.Hour), at.Add(time.Hour))
	if want := at.Add(time.Minute).Truncate(time.Minute); err != nil || !first.Equal(want) {
		t.Errorf("refused at %v, %v, want %v", first, err, want)
	}

	conn := owner(t, url)
	rows := func() (starts, refusals int, text string) {
		err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM address_starts), (SELECT count(*) FROM address_refusals),
			coalesce((SELECT string_agg(s::text || encode(address, 'escape'), '') FROM address_starts s), '')`).Scan(&starts, &refusals, &text)
		if err != nil {
			t.Fatal(err)
		}
		return starts, refusals, text
	}
	if _, _, text := rows(); text == "" || strings.Contains(text, "192.0.2.77") {
		t.Errorf("stored: %q", text)
	}
	for _, c := range []struct {
		after            time.Duration
		starts, refusals int
	}{{23 * time.Hour, 1, 1}, {24 * time.Hour, 0, 1}, {73 * time.Hour, 0, 0}} {
		if err := db.Log().ForgetAddresses(t.Context(), at.Add(c.after)); err != nil {
			t.Fatal(err)
		}
		if starts, refusals, _ := rows(); starts != c.starts || refusals != c.refusals {
			t.Errorf("after %v: %d starts and %d refusals are kept", c.after, starts, refusals)
		}
	}
}
