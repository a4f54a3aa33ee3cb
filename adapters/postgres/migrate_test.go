package postgres_test

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
)

func TestMigrateAppliesEachFileOnce(t *testing.T) {
	url := enginestest.Postgres(t)
	var mu sync.Mutex
	total := 0
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			applied, err := postgres.Migrate(t.Context(), url)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			total += len(applied)
		})
	}
	running.Wait()
	var recorded int
	if err := owner(t, url).QueryRow(t.Context(), "SELECT count(*) FROM schema_migrations").Scan(&recorded); err != nil {
		t.Fatal(err)
	}
	if total != recorded || total == 0 {
		t.Errorf("%d files applied, %d recorded", total, recorded)
	}
}

func TestOpenExplainsWhatIsMissing(t *testing.T) {
	url := enginestest.Postgres(t)
	_, err := postgres.Open(t.Context(), url, testKey, slog.New(slog.DiscardHandler))
	if !errors.Is(err, postgres.ErrNotMigrated) {
		t.Errorf("database without tables: got %v", err)
	}
}

func TestForeignMigrationsAreRefused(t *testing.T) {
	for name, change := range map[string]string{
		"newer program":   "INSERT INTO schema_migrations (name, sha256) VALUES ('9999_future.sql', '')",
		"another content": "UPDATE schema_migrations SET sha256 = '' WHERE name LIKE '0001%'",
	} {
		url, _ := fresh(t)
		exec(t, owner(t, url), change)
		if _, err := postgres.Migrate(t.Context(), url); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: migrate gives %v", name, err)
		}
		if _, err := postgres.Open(t.Context(), url, testKey, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestEveryTableAndColumnIsDescribed(t *testing.T) {
	url, _ := fresh(t)
	rows, err := owner(t, url).Query(t.Context(), `SELECT relname FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND obj_description(oid, 'pg_class') IS NULL`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		t.Errorf("table %s has no comment", table)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestLogIsAppendOnly(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	statements := []string{
		"UPDATE events SET data = '{}'",
		"UPDATE events SET data = '{}' WHERE false",
		"DELETE FROM events",
		"TRUNCATE events",
	}
	boss, writer := owner(t, url), owner(t, url)
	exec(t, writer, "SET ROLE bitacora_writer")
	for _, statement := range statements {
		if _, err := boss.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("owner: %s: got %v", statement, err)
		}
		if _, err := writer.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("writer: %s: got %v", statement, err)
		}
	}
	if _, err := writer.Exec(t.Context(), "ALTER TABLE events DISABLE TRIGGER append_only"); err == nil {
		t.Error("the writer could switch the trigger off")
	}
	if _, err := writer.Exec(t.Context(), "UPDATE log_epoch SET epoch = gen_random_uuid()"); err == nil {
		t.Error("the writer could change the epoch")
	}
	if all := mustRead(t, db.Log(), 0, 10); len(all) != 1 {
		t.Errorf("%d events left", len(all))
	}
}
