package crash

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/programtest"
)

// TestMigratePrintsWhatItMayNotDo: on a server where the program's user may not make users, as on
// the embedded one of another process, the SQL for analysts is printed, whole. The doctor tells to call it where the
// database is of an earlier version.
func TestMigratePrintsWhatItMayNotDo(t *testing.T) {
	enginestest.Long(t)
	at := enginestest.Supervisor(t).Endpoints()
	p := programtest.NewEmbedded(t, "BITACORA_DATABASE_URL="+at.DatabaseURL, "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text(), "BITACORA_ANALYST_PASSWORD=una frase bastante larga")
	readEarlier(t, filepath.Join(earlierData, "0035_several_processes.tar.gz")).putBack(t, at.DatabaseURL, t.TempDir())
	versions := func() programtest.Examined {
		out, _ := p.Run("", "doctor", "--json")
		var r programtest.Diagnosed
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return r.Of("versions")
	}
	if v := versions(); v.Status != "failed" || v.Command != "bitacora migrate" {
		t.Errorf("it says %+v", v)
	}
	said := p.MustRun("migrate")
	if v := versions(); v.Status != "ok" {
		t.Errorf("after that it says %+v", v)
	}
	want := access.Statements("una frase bastante larga", "bitacora", access.Limits{Memory: access.DefaultMemory, Zone: "America/Panama"})
	if !strings.Contains(said, "let who may run:\n"+strings.Join(want, ";\n")+";\n") {
		t.Errorf("it printed\n%s", said)
	}
	if strings.Contains(said, "una frase") {
		t.Error("it printed the password")
	}
	if again := p.MustRun("migrate"); !strings.Contains(again, "nothing to do") || !strings.Contains(again, "GRANT") {
		t.Errorf("the second time it printed\n%s", again)
	}
}
