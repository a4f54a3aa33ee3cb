package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/confine"
	"bitacora/cmd/bitacora/programtest"
)

// TestAnalystReadsNoSecrets asks for every secret in the data directory of a running
// program, in the ways that got past the lists of forbidden names.
func TestAnalystReadsNoSecrets(t *testing.T) {
	if !confine.Possible() {
		t.Skip(confine.Missing)
	}
	p := programtest.NewEmbedded(t)
	p.Start()
	a := p.App()
	var secrets []string
	for _, pattern := range []string{"keys/*.key", "*.json", "postgres/data/pg_hba.conf", "postgres/data/global/pg_control"} {
		found, err := filepath.Glob(filepath.Join(p.Dir, "data", pattern))
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
		relative, err := filepath.Rel(filepath.Join(p.Dir, "data", "clickhouse", "data", "home"), path)
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
				if said := programtest.AskAnalyst(t, a, strings.ReplaceAll(sql, "PATH", name)); strings.Contains(said, string(content[:8])) {
					t.Errorf("%s gave %s: %.200s", sql, name, said)
				}
			}
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said := programtest.AskAnalyst(t, a, "SELECT 42"); said != "42\n" {
		t.Errorf("a question is answered %s", said)
	}
}
