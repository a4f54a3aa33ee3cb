package main

import (
	"strings"
	"testing"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
)

// TestMigratePrintsWhatItMayNotDo: on a server where the program's user may not make users, as on
// the embedded one of another process, the SQL for analysts is printed, whole.
func TestMigratePrintsWhatItMayNotDo(t *testing.T) {
	at := enginestest.Supervisor(t).Endpoints()
	p := newProgram(t, "BITACORA_DATABASE_URL="+at.DatabaseURL, "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_MASTER_KEY="+postgres.NewMasterKey().Text(), "BITACORA_ANALYST_PASSWORD=una frase bastante larga")
	said := p.mustRun("migrate")
	want := access.Statements("una frase bastante larga", "bitacora", access.Limits{Memory: access.DefaultMemory})
	if !strings.Contains(said, "let who may run:\n"+strings.Join(want, ";\n")+";\n") {
		t.Errorf("it printed\n%s", said)
	}
	if strings.Contains(said, "una frase") {
		t.Error("it printed the password")
	}
	if again := p.mustRun("migrate"); !strings.Contains(again, "nothing to do") || !strings.Contains(again, "GRANT") {
		t.Errorf("the second time it printed\n%s", again)
	}
}
