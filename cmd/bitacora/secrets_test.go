package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/confine"
)

// TestAnalystReadsNoSecrets asks for every secret in the data directory of a running
// program, in the ways that got past the lists of forbidden names.
func TestAnalystReadsNoSecrets(t *testing.T) {
	if !confine.Possible() {
		t.Skip(confine.Missing)
	}
	p := newEmbedded(t)
	p.start()
	a := p.app()
	var secrets []string
	for _, pattern := range []string{"keys/*.key", "*.json", "postgres/data/pg_hba.conf", "postgres/data/global/pg_control"} {
		found, err := filepath.Glob(filepath.Join(p.dir, "data", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		secrets = append(secrets, found...)
	}
	for _, path := range secrets {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// As the engine's user could read it, were it only for permissions.
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		relative, err := filepath.Rel(filepath.Join(p.dir, "data", "clickhouse", "data", "home"), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, relative} {
			for _, sql := range []string{
				"SELECT arrayMap(file, ['PATH'])",
				"SELECT `fi\\x6ce`('PATH')",
				"SELECT arrayMax(file, ['PATH'])",
				"SELECT * FROM (SELECT * FROM system.one SETTINGS additional_table_filters = {'system.one': 'throwIf(1, file(''PATH''))'})",
			} {
				if said := askAnalyst(t, a, strings.ReplaceAll(sql, "PATH", name)); strings.Contains(said, string(content[:8])) {
					t.Errorf("%s gave %s: %.200s", sql, name, said)
				}
			}
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said := askAnalyst(t, a, "SELECT 42"); said != "42\n" {
		t.Errorf("a question is answered %s", said)
	}
}

// askAnalyst asks ClickHouse as an analyst.
func askAnalyst(t *testing.T, a *app, sql string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, a.at.AnalystURL, strings.NewReader(sql))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(a.at.AnalystUser, a.at.AnalystPassword)
	response, err := httpClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}
