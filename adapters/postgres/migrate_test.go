package postgres_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/schema"
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

// TestPendingMigrationsSayWhetherThereIsAWayBack: a program goes on where it knows what each migration
// names, and an empty database had none.
func TestPendingMigrationsSayWhetherThereIsAWayBack(t *testing.T) {
	wanted := [][2]string{{"1", ""}, {"2", ""}, {"3", "2"}, {"4", "2"}, {"5", "3"}, {"6", ""}}
	for _, c := range []struct{ applied, names, parting string }{
		{"", "1 2 3 4 5 6", ""},
		{"1", "2 3 4 5 6", "2 3 4 5 6"},
		{"1 2", "3 4 5 6", "5 6"},
		{"1 2 3", "4 5 6", "6"},
		{"1 2 3 4 5", "6", "6"},
		{"1 2 3 4 5 6", "", ""},
		{"1 2 3 4 6", "5", ""},
	} {
		names, parting := postgres.Lacking(wanted, strings.Fields(c.applied)...)
		if strings.Join(names, " ") != c.names || strings.Join(parting, " ") != c.parting {
			t.Errorf("after %q: %v are lacking, and the former program cannot go on after %v", c.applied, names, parting)
		}
	}
}

// TestNothingIsMigratedWhereWhatComesBeforeFails, and what is to be done is only said once it is nothing.
func TestNothingIsMigratedWhereWhatComesBeforeFails(t *testing.T) {
	url := enginestest.Postgres(t)
	full := errors.New("the disk is full")
	applied, err := postgres.MigrateAfter(t.Context(), url, func(_ context.Context, p postgres.Pending) error {
		if len(p.Names) == 0 || len(p.Parting) > 0 {
			t.Errorf("an empty database: %+v", p)
		}
		return full
	})
	if !errors.Is(err, full) || len(applied) > 0 {
		t.Errorf("%v are applied, %v", applied, err)
	}
	if p, err := postgres.PendingMigrations(t.Context(), url); err != nil || p.Names[0] != "0000_migrations.sql" {
		t.Errorf("pending: %+v, %v", p, err)
	}
	if _, err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.MigrateAfter(t.Context(), url, func(context.Context, postgres.Pending) error { return full }); err != nil {
		t.Errorf("nothing is to be done: %v", err)
	}
	if p, err := postgres.PendingMigrations(t.Context(), url); err != nil || len(p.Names) > 0 {
		t.Errorf("pending: %+v, %v", p, err)
	}
}

// TestAProgramGoesOnBesideANewerSchema that says so of itself, and beside no other.
func TestAProgramGoesOnBesideANewerSchema(t *testing.T) {
	url, _ := fresh(t)
	newest, err := postgres.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	boss := owner(t, url)
	exec(t, boss, "INSERT INTO schema_migrations (name, sha256, goes_with) VALUES ('9998_future.sql', '', '"+newest+"')")
	open := func() error {
		if _, err := postgres.Migrate(t.Context(), url); err != nil {
			return err
		}
		db, err := postgres.Open(t.Context(), url, testKey, slog.New(slog.DiscardHandler))
		if err == nil {
			db.Close()
		}
		return err
	}
	if err := open(); err != nil {
		t.Errorf("beside a migration that it goes on beside: %v", err)
	}
	if about, err := postgres.AboutServer(t.Context(), url); err != nil || !about.GoesOn || about.Schema != "9998_future" {
		t.Errorf("about the server: %+v, %v", about, err)
	}
	exec(t, boss, "INSERT INTO schema_migrations (name, sha256, goes_with) VALUES ('9999_later.sql', '', '9998_future.sql')")
	if err := open(); err == nil || !strings.Contains(err.Error(), "9999_later.sql is unknown here") {
		t.Errorf("beside one for programs that know the former: %v", err)
	}
	if about, err := postgres.AboutServer(t.Context(), url); err != nil || about.GoesOn {
		t.Errorf("about the server: %+v, %v", about, err)
	}
}

// adds begins every statement that a program may go on beside without knowing it: it takes away, renames,
// narrows and replaces nothing.
var adds = regexp.MustCompile(`(?is)^(CREATE (UNLOGGED )?TABLE|CREATE INDEX|CREATE FUNCTION|COMMENT ON|GRANT|REVOKE EXECUTE ON FUNCTION|ALTER TABLE \w+(\s+ADD COLUMN \w+ [^,;]*,?)+$)`)

var (
	sqlComments = regexp.MustCompile(`(?m)--.*$`)
	sqlBodies   = regexp.MustCompile(`(?s)\$\$.*?\$\$`)
	goesWith    = regexp.MustCompile(`(?m)^-- Programs that know (\S+) go on beside it\.$`)
)

// notAdded gives what a migration does beside adding.
func notAdded(text string) (found []string) {
	text = sqlBodies.ReplaceAllString(sqlComments.ReplaceAllString(text, ""), "''")
	for statement := range strings.SplitSeq(text, ";") {
		statement = strings.TrimSpace(statement)
		mandatory := strings.Contains(statement, "ADD COLUMN") && strings.Contains(statement, "NOT NULL") && !strings.Contains(statement, "DEFAULT")
		if statement != "" && (!adds.MatchString(statement) || mandatory) {
			found = append(found, statement)
		}
	}
	return found
}

// TestMigrationsThatProgramsGoOnBesideOnlyAdd holds migrations to what they say of themselves.
func TestMigrationsThatProgramsGoOnBesideOnlyAdd(t *testing.T) {
	for text, want := range map[string]int{
		"CREATE TABLE a (b text); COMMENT ON TABLE a IS 'x'; GRANT SELECT ON a TO bitacora_writer;": 0,
		"ALTER TABLE a ADD COLUMN b text;":                                                                               0,
		"ALTER TABLE a\n    ADD COLUMN b text NOT NULL DEFAULT '',\n    ADD COLUMN c int;":                               0,
		"CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DELETE FROM a; SELECT 1 $$;":                                 0,
		"ALTER TABLE a ADD COLUMN b text NOT NULL;":                                                                      1,
		"ALTER TABLE a ADD COLUMN b text, DROP COLUMN c;":                                                                1,
		"ALTER TABLE a RENAME TO b; DROP INDEX c; ALTER TABLE a ALTER COLUMN b SET NOT NULL; UPDATE a SET b = 1;":        4,
		"CREATE UNIQUE INDEX a_b ON a (b); CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;":   2,
		"CREATE TRIGGER a AFTER DELETE ON b FOR EACH ROW EXECUTE FUNCTION c(); REVOKE SELECT ON a FROM bitacora_writer;": 2,
	} {
		if found := notAdded(text); len(found) != want {
			t.Errorf("%q: %d statements do more than add: %q", text, len(found), found)
		}
	}
	names, err := fs.Glob(schema.Postgres, "postgres/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		text, err := schema.Postgres.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		line := goesWith.FindSubmatch(text)
		if line == nil {
			continue
		}
		if found := notAdded(string(text)); len(found) > 0 {
			t.Errorf("%s says that programs go on beside it, and does more than add: %q", name, found)
		}
		if !slices.Contains(names[:i], "postgres/"+string(line[1])) {
			t.Errorf("%s names %s, which is no migration before it", name, line[1])
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
