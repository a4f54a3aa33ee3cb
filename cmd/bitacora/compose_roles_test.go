package main

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// TestComposeProgramIsNoSuperuser begins a server as the file has it begun, and has the program work there.
func TestComposeProgramIsNoSuperuser(t *testing.T) {
	enginestest.Long(t)
	c := readCompose(t)
	at := enginestest.Supervisor(t).Endpoints()
	boss, err := pgx.Connect(t.Context(), at.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer boss.Close(context.Background())
	server := c.Services["postgres-1"]
	for _, v := range server.Volumes {
		file, at, _ := strings.Cut(strings.TrimSuffix(v, ":ro"), ":")
		if !strings.HasPrefix(at, "/docker-entrypoint-initdb.d/") {
			continue
		}
		script, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		// Lines that begin so are psql's own.
		text := regexp.MustCompile(`(?m)^\\.*$`).ReplaceAllString(string(script), "")
		text = strings.ReplaceAll(text, ":'password'", "'"+strings.ReplaceAll(anyPassword, "'", "''")+"'")
		for statement := range strings.SplitSeq(text, ";\n") {
			if _, err := boss.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	program, err := url.Parse(*c.Services["bitacora"].Environment["BITACORA_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	var rights string
	const question = `SELECT string_agg(format('%s %s %s', rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication, rolpassword IS NOT NULL), ', ' ORDER BY rolname)
		FROM pg_authid WHERE rolname IN ('postgres', $1)`
	if err := boss.QueryRow(t.Context(), question, program.User.Username()).Scan(&rights); err != nil {
		t.Fatal(err)
	}
	if rights != "bitacora f t, postgres t f" || server.Environment["POSTGRES_USER"] != nil {
		t.Errorf("role, rights over the server, password: %s", rights)
	}
	to, err := url.Parse(at.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	to.User = program.User
	p := programtest.NewEmbedded(t, "BITACORA_DATABASE_URL="+to.String(), "BITACORA_DATABASE_PASSWORD="+anyPassword, "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_KEYS_DIR="+filepath.Join(t.TempDir(), "keys"))
	p.Start()
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": "hola"}, nil); err != nil {
		t.Error(err)
	}
	if f := p.Examined("postgres"); f.Status != "ok" {
		t.Errorf("doctor says %+v", f)
	}
}
