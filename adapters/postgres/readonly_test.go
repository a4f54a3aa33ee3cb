package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/adapters/postgres"
)

// TestADatabaseThatStoresNothing: the first append finds it out and is not repeated, the next ones of
// requests are not tried, and nobody's append finds out that it stores again.
func TestADatabaseThatStoresNothing(t *testing.T) {
	url, db := fresh(t)
	pings := func(want error) {
		t.Helper()
		err := errors.New("never tried")
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if err = db.Ping(t.Context()); errors.Is(err, want) {
				return
			}
		}
		t.Fatalf("ping gives %v, want %v", err, want)
	}
	conn := owner(t, url)
	exec(t, conn, "CREATE SEQUENCE attempts")
	exec(t, conn, "GRANT USAGE, SELECT ON attempts TO bitacora_writer")
	exec(t, conn, `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM nextval('attempts'); RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
	exec(t, conn, "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk()")
	if err := db.Ping(t.Context()); err != nil {
		t.Errorf("before anybody knows: %v", err)
	}
	if _, err := db.Log().Append(t.Context(), request("chat-1", 0, said("hola"))); !postgres.Unavailable(err) {
		t.Errorf("append gives %v", err)
	}
	var attempts int
	if err := conn.QueryRow(t.Context(), "SELECT last_value FROM attempts").Scan(&attempts); err != nil || attempts != 1 {
		t.Errorf("%d attempts at one append, %v", attempts, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { db.Watch(ctx, time.Second) })
	defer watching.Wait()
	defer stop()
	pings(postgres.ErrReadOnly)
	// Until Watch has begun, appends are tried.
	for refused := int64(0); refused < 3; {
		_, err := db.Log().Append(postgres.WithTimeout(t.Context(), time.Hour), request("chat-1", 0, said("hola")))
		now := db.Refused()
		if !postgres.Unavailable(err) || now != refused+1 && now != 0 {
			t.Fatalf("append gives %v, %d were refused", err, now)
		}
		refused = now
	}
	exec(t, conn, "DROP TRIGGER full_disk ON events")
	pings(nil)
	if n := len(mustRead(t, db.Log(), 0, 10)); n != 0 {
		t.Errorf("the rehearsal left %d events", n)
	}
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
}

// TestASessionThatBeganAsReadOnlyIsNotKept: work goes on as soon as the database stores again, whoever finds it out.
func TestASessionThatBeganAsReadOnlyIsNotKept(t *testing.T) {
	url, db := fresh(t)
	conn := owner(t, url)
	set := func(change string) {
		exec(t, conn, "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I "+change+"', current_database()); END $$")
	}
	work := func() error {
		_, err := db.TryWithLease(t.Context(), "work", time.Second, func(context.Context) error { return nil })
		return err
	}
	set("SET default_transaction_read_only = on")
	exec(t, conn, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	var refused *pgconn.PgError
	for end := time.Now().Add(time.Minute); !errors.As(work(), &refused) || refused.Code != "25006"; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v, want a refusal", refused)
		}
	}
	set("RESET default_transaction_read_only")
	if err := work(); err != nil {
		t.Error(err)
	}
}
