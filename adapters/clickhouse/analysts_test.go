package clickhouse

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAnalystStatementsAreRight: the engine parses them, knows every setting, and they are those
// that are documented.
func TestAnalystStatementsAreRight(t *testing.T) {
	db := open(t)
	db.views = "bitacora"
	statements := db.AnalystStatements("a password")
	for _, statement := range statements {
		if got := result(t, analyst(t, db), "SELECT formatQuery('"+quoted(statement)+"')"); len(got) != 2 {
			t.Errorf("%s: %v", statement, got)
		}
	}
	known := map[string]bool{}
	for _, row := range result(t, analyst(t, db), "SELECT name FROM system.settings")[1:] {
		known[row[0]] = true
	}
	for line := range strings.Lines(statements[0]) {
		if name := strings.TrimRight(strings.Fields(line)[0], ","); name != "CREATE" && !known[name] {
			t.Errorf("%s is no setting of this engine", name)
		}
	}
	want, err := os.ReadFile("testdata/analysts.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), strings.Join(statements, ";\n")+";\n"); diff != "" {
		t.Errorf("differs from testdata/analysts.sql:\n%s", diff)
	}
}

func TestWhereUsersCannotBeMadeItIsSaid(t *testing.T) {
	db := open(t)
	err := db.AdmitAnalysts(t.Context(), "")
	if !errors.Is(err, ErrMayNotGrant) {
		t.Errorf("the embedded engine, which has no such users: %v", err)
	}
	if got := db.AnalystStatements(""); strings.Contains(strings.Join(got, "\n"), "CREATE USER") {
		t.Errorf("without a password: %v", got)
	}
}
