package engines

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestNobodyBecomesMoreThanTheirRole(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	cfg.Superuser = false
	at := supervise(t, cfg).Endpoints()
	if got := ask(t, at.MigrationURL, "CREATE TABLE facts (n integer); INSERT INTO facts VALUES (1); GRANT SELECT ON facts TO bitacora_writer; SELECT 'made'"); got != "made" {
		t.Errorf("the owner: %s", got)
	}
	if got := ask(t, at.DatabaseURL, "SELECT n::text FROM facts"); got != "1" {
		t.Errorf("the worker reads %s", got)
	}
	secrets, err := filepath.EvalSymlinks(cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	secrets = filepath.Join(secrets, "secrets.json")
	for _, url := range []string{at.DatabaseURL, at.MigrationURL} {
		for _, statement := range []string{
			"SET ROLE postgres", "SET SESSION AUTHORIZATION postgres", "ALTER ROLE bitacora_worker SUPERUSER", "ALTER ROLE bitacora_owner SUPERUSER", "CREATE ROLE intruder SUPERUSER",
			"GRANT pg_read_server_files TO bitacora_worker", "GRANT postgres TO bitacora_worker", "CREATE DATABASE mine", "SET session_replication_role = replica",
			"SELECT pg_read_file('" + secrets + "')", "CREATE TEMP TABLE t (x text); COPY t FROM '" + secrets + "'", "CREATE TEMP TABLE t (x text); COPY t FROM PROGRAM 'id'",
			"COPY (SELECT 1) TO '" + secrets + ".copy'", "SELECT lo_import('" + secrets + "')", "CREATE EXTENSION file_fdw", "ALTER SYSTEM SET log_statement = 'all'", "SELECT rolpassword FROM pg_authid",
		} {
			refused(t, url, statement)
		}
	}
	for _, statement := range []string{
		"SET ROLE bitacora_owner", "SET SESSION AUTHORIZATION bitacora_owner", "ALTER TABLE facts ADD x integer", "DROP TABLE facts", "CREATE TABLE mine (n integer)", "INSERT INTO facts VALUES (2)",
		"GRANT bitacora_owner TO bitacora_worker", "ALTER TABLE facts OWNER TO bitacora_worker", "ALTER ROLE bitacora_owner PASSWORD 'mine'", "CREATE SCHEMA mine", "ALTER DATABASE bitacora OWNER TO bitacora_worker",
	} {
		refused(t, at.DatabaseURL, statement)
		refused(t, at.DatabaseURL, "SET ROLE bitacora_writer; "+statement)
	}
}

// refused wants an answer that says that somebody may not.
func refused(t *testing.T, url, statements string) {
	t.Helper()
	_, err := try(t.Context(), url, statements)
	if said := new(pgconn.PgError); !errors.As(err, &said) || said.Code != "42501" {
		t.Errorf("%s: %v", statements, err)
	}
}

// What an earlier version's superuser made is the owner's from the next start on.
func TestTheOwnerTakesOverWhatASuperuserMade(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, s.Endpoints().DatabaseURL, "CREATE TABLE facts (n integer PRIMARY KEY); CREATE FUNCTION two(n integer) RETURNS integer LANGUAGE sql RETURN 2; SELECT 'made'")
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	// It had no passwords for the others either.
	keys, err := os.ReadFile(filepath.Join(cfg.DataDir, "secrets.json"))
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(keys), `"owner"`)
	_, after, _ = strings.Cut(after, `"app"`)
	if err := os.WriteFile(filepath.Join(cfg.DataDir, "secrets.json"), []byte(before+`"app"`+after), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Superuser = false
	at := supervise(t, cfg).Endpoints()
	if got := ask(t, at.MigrationURL, "ALTER TABLE facts ADD x integer; DROP FUNCTION two; SELECT 'changed'"); got != "changed" {
		t.Errorf("the owner: %s", got)
	}
}

// Whoever runs as the engines' user reads no password of any engine, nor does anybody else.
func TestPasswordsAreForTheProgramAlone(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	s := supervise(t, cfg)
	for _, name := range []string{"secrets.json", "engines.json"} {
		info, err := os.Stat(s.home.path(name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", name, info.Mode())
		}
		if uid := info.Sys().(*syscall.Stat_t).Uid; s.home.user != nil && uid == s.home.user.uid {
			t.Errorf("%s belongs to the engines' user", name)
		}
	}
	if _, err := os.Stat(s.home.path(Postgres, "password")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the password that initdb was given is left: %v", err)
	}
}
